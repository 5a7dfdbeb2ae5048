import PackClient
import PackGround
import PackOrigin
import PackRelease

/// What 'explain --start' shows: the release of an installation that the app would run.
enum StartExplanation {
    /// - Throws: ``Failure``.
    static func show(
        _ path: String, _ embedded: String?, _ native: NativeVersion?, _ output: OutputOptions,
        _ console: Console
    ) throws -> Int32 {
        let start = try AppStart.preview(
            path, embedded: embedded.map { try EmbeddedRelease.read($0) }, nativeVersion: native,
            now: console.environment.clientTime())
        if output.json {
            console.print(json: json(start))
        } else {
            console.print(text(start))
        }
        return start.running == nil ? ExitCode.verification.rawValue : 0
    }

    private static func text(_ start: AppStart) -> Text {
        var lines = Lines(headline(start))
        for candidate in start.decision.after.ordered {
            let finding = finding(candidate, start)
            lines.add("  \(finding.runs ? "yes" : "no ")  \(name(candidate)): \(finding.text)")
        }
        if start.mustUpdate {
            lines.add("  the installed release must be updated before the app continues")
        }
        if let running = start.running { lines.add("tree", running.path) }
        return lines.text
    }

    private static func headline(_ start: AppStart) -> String {
        switch start.decision.choice {
        case .web: "loads the https pages: the channel is bypassed"
        case .nothing: "starts nothing"
        case .release(let version, let isEmbedded):
            "starts \(version)" + (isEmbedded ? ", the release in the app" : "")
        }
    }

    private static func name(_ candidate: StartDecision.Candidate) -> String {
        candidate.isEmbedded
            ? "release in the app \(candidate.version)" : "release \(candidate.version)"
    }

    /// Whether a release runs, and the reason.
    private static func finding(
        _ candidate: StartDecision.Candidate, _ start: AppStart
    ) -> (runs: Bool, text: String) {
        let state =
            "sequence \(candidate.sequence), "
            + (candidate.isConfirmed
                ? "confirmed"
                : "not confirmed, \(counted(candidate.attempts, "start")) with this one")
        let choice = StartDecision.Choice.release(
            candidate.version, isEmbedded: candidate.isEmbedded)
        if choice == start.decision.choice { return (true, state) }
        if start.decision.choice == .web { return (false, "the channel is bypassed") }
        let native = start.decision.after.nativeVersion?.description ?? ""
        switch start.decision.after.problem(with: candidate) {
        case .failed:
            return (false, "it did not become ready in \(StartDecision.mostAttempts) starts")
        case .native(.unknown): return (false, "it needs a native version that is known")
        case .native(.tooOld):
            return (
                false,
                "native version \(native) is below \(candidate.native.lowest?.description ?? "")"
            )
        case .native(.tooNew):
            return (
                false,
                "native version \(native) is above \(candidate.native.highest?.description ?? "")"
            )
        case nil:
            return (
                false,
                candidate.isOfChannel
                    ? "sequence \(candidate.sequence), another one comes first"
                    : "it is of another channel"
            )
        }
    }

    private static func json(_ start: AppStart) -> JSONValue {
        let choice =
            switch start.decision.choice {
            case .web: "web"
            case .nothing: "nothing"
            case .release(_, let isEmbedded): isEmbedded ? "embedded" : "tree"
            }
        return .members([
            "starts": .string(choice),
            "version": (start.running?.copy.version.description).json,
            "label": (start.running?.copy.label).json,
            "launch": (start.running?.copy.launch?.description).json,
            "tree": (start.running?.path).json, "mustUpdate": .bool(start.mustUpdate),
            "candidates": .array(
                start.decision.after.ordered.map { candidate in
                    let finding = finding(candidate, start)
                    return .members([
                        "version": .string(candidate.version.description),
                        "embedded": .bool(candidate.isEmbedded),
                        "confirmed": .bool(candidate.isConfirmed),
                        "attempts": .integer(candidate.attempts),
                        "runs": .bool(finding.runs), "finding": .string(finding.text),
                    ])
                }),
        ])
    }
}
