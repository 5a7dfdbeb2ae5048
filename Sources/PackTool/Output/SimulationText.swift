import PackCheck
import PackGround
import PackProfile
import PackRelease

/// Sizes of the archives with which a client could update, if given.
struct SimulatedRoads {
    let package: UInt64?
    let delta: UInt64?
    /// The new release's `info.json`, also fetched by a client of single files.
    let info: UInt64?

    init(package: String?, delta: String?, info: String?) throws {
        self.package = try package.map(Self.size)
        self.delta = try delta.map(Self.size)
        self.info = try info.map(Self.size)
    }

    private static func size(_ file: String) throws -> UInt64 {
        let (directory, name) = try ReadableFile.locateExisting(file)
        return try directory.openFile(name).status().size
    }
}

extension UpdateSimulation {
    /// The result as text: problems first, then the sums.
    func text(from old: NamedRelease, to new: NamedRelease, _ roads: SimulatedRoads) -> Text {
        var lines: [String] = []
        for file in wrong {
            lines.append("\(Self.label(file.state))  \(file.asset.path)")
            lines.append("    \(reason(file))")
        }
        let verdict =
            wrong.isEmpty
            ? "serves the complete new release"
            : "serves \(counted(wrong.count, "file")) incorrectly"
        lines.append(
            isSameVersion
                ? "\(profile.name): the version is the same, so the client does nothing and \(verdict)"
                : "\(profile.name): \(old.version) -> \(new.version), the device \(verdict)")
        let counts = State.allCases.filter { count($0) > 0 || !$0.isWrong }.map {
            "\(count($0)) \(Self.word($0))"
        }
        lines.append(
            "  files     " + (counts + ["\(deleted.count) deleted"]).joined(separator: ", "))
        lines.append("  download  " + downloadText(new.release, roads))
        return Text(lines: lines)
    }

    private func reason(_ file: File) -> String {
        switch file.state {
        case .stale:
            let from = file.served.flatMap {
                $0.path == file.asset.path ? nil : $0.path.description
            }
            return
                "never updated: '\(file.lookedUp)' is already on the device, with the content of "
                + (from.map { "the old '\($0)'" } ?? "the old release")
        case .shadowed:
            return
                "the device answers with '\(file.served?.path.description ?? "")', which has the "
                + "name '\(file.lookedUp)' too"
        case .missing:
            return "the handler looks for '\(file.lookedUp)' and does not find it"
                + (file.fallback.map { "; it asks \($0)" } ?? "")
        case .kept, .downloaded: return ""
        }
    }

    private func downloadText(_ new: Release, _ roads: SimulatedRoads) -> String {
        var parts = [
            "\(counted(downloads.count, "single file")) \(readableSize(downloadedBytes))",
            "new content \(readableSize(newContentBytes))",
            "everything \(readableSize(new.totalBytes))",
        ]
        if let size = roads.package { parts.append("package \(readableSize(size))") }
        if let size = roads.delta { parts.append("delta \(readableSize(size))") }
        if let size = roads.info {
            parts.append("info.json \(readableSize(size)) besides single files")
        }
        return parts.joined(separator: "; ")
    }

    private static func word(_ state: State) -> String {
        state == .stale ? "never refreshed" : state.rawValue
    }

    private static func label(_ state: State) -> String {
        switch state {
        case .stale: "stale   "
        case .shadowed: "shadowed"
        case .missing: "missing "
        case .kept, .downloaded: "        "
        }
    }

    /// The complete result with every file.
    func json(from old: NamedRelease, to new: NamedRelease, _ roads: SimulatedRoads) -> JSONValue {
        .members([
            "client": .string(profile.name), "old": .string(old.version),
            "new": .string(new.version), "sameVersion": .bool(isSameVersion),
            "wrong": .integer(wrong.count),
            "files": .array(files.map(Self.json)),
            "deleted": .strings(deleted.map(\.description)),
            "held": .array(
                store.items.sorted { $0.key < $1.key }.map { name, item in
                    .members([
                        "name": .string(name.description),
                        "path": .string(item.asset.path.description),
                        "release": .string(item.origin.rawValue),
                        "sha256": .string(item.asset.sha256.description),
                    ])
                }),
            "download": .members([
                "files": .integer(downloads.count), "singleFiles": .integer(downloadedBytes),
                "newContent": .integer(newContentBytes),
                "everything": .integer(new.release.totalBytes),
                "package": roads.package.map { .integer($0) },
                "delta": roads.delta.map { .integer($0) },
                "info": roads.info.map { .integer($0) },
            ]),
        ])
    }

    private static func json(_ file: File) -> JSONValue {
        .members([
            "path": .string(file.asset.path.description), "state": .string(file.state.rawValue),
            "size": .integer(file.asset.size), "sha256": .string(file.asset.sha256.description),
            "lookedUp": .string(file.lookedUp),
            "served": file.served.map {
                .members([
                    "path": .string($0.path.description), "sha256": .string($0.sha256.description),
                ])
            },
            "fallback": file.fallback.map { .string($0) },
        ])
    }
}
