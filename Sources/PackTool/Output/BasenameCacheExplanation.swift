import PackCheck
import PackClient
import PackGround
import PackOrigin
import PackProfile
import PackRelease

/// The behavior of a client that only uses `info.json` at the root of the origin
/// (docs/sources.md#s003).
///
/// It compares versions, fetches single files by their names, and ignores pointers.
struct BasenameCacheExplanation {
    struct Step {
        let what: String
        let finding: String
        /// Whether the client continues, or has the correct content afterwards.
        let passes: Bool
    }

    private(set) var steps: [Step] = []
    private(set) var verdict = Explanation.Verdict.refused
    private(set) var version: Version?
    private(set) var fetched: UInt64 = 0

    /// - Parameter installed: The label or version of the release on the device.
    static func of(
        _ history: OriginHistory, installed name: String?
    ) async throws -> BasenameCacheExplanation {
        guard try await history.isOrigin() else {
            throw Failure.originNotAnOrigin(path: history.reader.store.address)
        }
        var explanation = BasenameCacheExplanation()
        let installed = try await installed(name, history)
        try await explanation.tellOfPointer(history)
        let store = history.reader.store
        guard let file = try await store.read(OriginLayout.info, limit: Manifest.sizeLimit) else {
            explanation.add(
                "info.json", "missing: nothing was offered to every device yet", passes: false)
            return explanation
        }
        let manifest = try ManifestCoding.decode(
            file.bytes, path: store.display(OriginLayout.info))
        explanation.version = manifest.release.version
        explanation.fetched = UInt64(file.bytes.count)
        explanation.add("info.json", "\(manifest.release.version)", passes: true)
        explanation.update(to: manifest.release, from: installed)
        return explanation
    }

    private static func installed(
        _ name: String?, _ history: OriginHistory
    ) async throws -> Release? {
        guard let name else { return nil }
        return try await history.manifest(named: name).release
    }

    private mutating func add(_ what: String, _ finding: String, passes: Bool) {
        steps.append(Step(what: what, finding: finding, passes: passes))
    }

    /// Adds a note about the state of the channel, which such a client cannot see.
    private mutating func tellOfPointer(_ history: OriginHistory) async throws {
        guard let pointer = try await history.reader.pointer(.production)?.pointer else { return }
        var unseen: [String] = []
        if pointer.isClosed {
            unseen.append("the channel is closed")
        } else if !pointer.isEnabled {
            unseen.append("the channel is paused")
        }
        if !pointer.entry.isUnconditional {
            unseen.append("offered first: \(pointer.entry.summary)")
        }
        if pointer.root != nil { unseen.append("the pointer is signed") }
        if let expires = pointer.expires { unseen.append("it expires at \(expires)") }
        add(
            "pointer", "not read" + unseen.map { "; \($0)" }.joined(), passes: true)
    }

    private mutating func update(to new: Release, from old: Release?) {
        if let old, old.packageHash == new.packageHash {
            add("version", "\(new.version) is already installed", passes: false)
            verdict = .installed
            return
        }
        verdict = .updates
        add(
            "version", old.map { "\(new.version) is not \($0.version)" } ?? "nothing is installed",
            passes: true)
        let simulation = UpdateSimulation(
            from: old ?? Release(assets: []), to: new, profile: .basenameCache)
        add("deletes", counted(simulation.deleted.count, "file"), passes: true)
        add(
            "downloads",
            "\(counted(simulation.downloads.count, "file")), "
                + readableSize(simulation.downloadedBytes), passes: true)
        fetched = fetched.addingClamped(simulation.downloadedBytes)
        for state in UpdateSimulation.State.allCases where state.isWrong {
            let files = simulation.wrong.filter { $0.state == state }
            guard let first = files.first else { continue }
            let more =
                files.count > 1 ? " and \(counted(files.count - 1, "more", plural: "more"))" : ""
            add(
                state.rawValue, "'\(first.asset.path)'\(more): \(Self.reason(state))", passes: false
            )
        }
    }

    private static func reason(_ state: UpdateSimulation.State) -> String {
        switch state {
        case .stale: "the device already has a file of this name, so the old content stays"
        case .shadowed: "another file of the release has the same name"
        case .missing: "the handler does not find it"
        case .kept, .downloaded: ""
        }
    }

    var text: Text {
        var lines = Lines(headline)
        for step in steps {
            lines.add("  \(step.passes ? "yes" : "no ")  \(step.what): \(step.finding)")
        }
        if verdict == .updates { lines.add("fetches", readableSize(fetched)) }
        return lines.text
    }

    private var headline: String {
        let name = version?.description ?? ""
        switch verdict {
        case .updates: return "basename-cache: updates to \(name) by single files"
        case .installed: return "basename-cache: \(name) is already installed"
        case .kept, .refused: return "basename-cache: does not update"
        }
    }

    var json: JSONValue {
        .members([
            "client": .string("basename-cache"), "verdict": .string(verdict.rawValue),
            "version": (version?.description).json,
            "route": verdict == .updates ? .string("files") : .null, "fetched": .integer(fetched),
            "steps": .array(
                steps.map {
                    .members([
                        "what": .string($0.what), "finding": .string($0.finding),
                        "passes": .bool($0.passes),
                    ])
                }),
        ])
    }
}
