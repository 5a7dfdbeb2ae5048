import PackGround
import PackOrigin
import PackProfile
import PackPublish
import PackRelease
import PackSettings
import PackVerify

/// `packtool publish --verify-cdn`: verifies a published release as clients receive it.
extension PublishCommand {
    /// The result at the base URL, or the error.
    enum SeenByClients {
        case result(VerificationReport, Verification)
        case failed(any Error)
    }

    /// Checks the base URL if `--verify-cdn` is given.
    func seenByClients(
        _ report: PublishReport, _ baseURL: BaseURL, _ settings: Settings, now: Timestamp,
        _ console: Console
    ) async -> SeenByClients? {
        guard cdn.verifyCDN else { return nil }
        let started = console.environment.monotonicSeconds()
        do {
            let opener = OriginOpener(settings: settings, console)
            let result = try await cdn.verification(
                of: baseURL, report.channel, report.sequence, now: now,
                source: opener.open(OriginAddress(settings.origin())),
                webOrigins: settings.webOrigins, console)
            let seconds = console.environment.monotonicSeconds() - started
            return .result(
                VerificationReport(result, baseURL.description, seconds, isAddress: true), result)
        } catch {
            return .failed(error)
        }
    }

    /// Prints the result of the check; the release is live in any case.
    ///
    /// - Returns: The exit code.
    func reportCheck(
        _ seen: SeenByClients, of report: PublishReport, _ baseURL: BaseURL, _ origin: String,
        _ console: Console
    ) -> Int32 {
        let command = "'packtool verify \(baseURL) --against \(origin)'"
        let release = "release \(report.version) is live"
        switch seen {
        case .result(let text, let result):
            for note in result.notes { console.note(note) }
            if !output.json { text.print(limit: Defaults.shownItems, console) }
            if result.isSound { return 0 }
            let errors = counted(result.count(.error), "error")
            console.stderr(
                """
                error: \(release), but '\(baseURL)' serves it incorrectly: \(errors)
                unaffected: '\(origin)'; installed apps reject files that do not verify
                help: fix each finding, then run \(command)
                """)
        case .failed(let error):
            let cause = "\(error)"
            console.stderr(
                """
                error: \(release), but it could not be read at '\(baseURL)': \(cause)
                unaffected: '\(origin)'
                help: \(Remedies.remedy(after: error) ?? "fix the cause"); then run \(command)
                """)
        }
        return ExitCode.verification.rawValue
    }
}

extension Profile {
    /// The web origins of the profile's pages.
    var webOrigins: [String] {
        let scheme = String(decoding: canonicalScheme, as: UTF8.self)
        return (hasPackagedPages ? ["\(scheme)://\(pageHost)"] : [])
            + (hasSecurePages ? ["https://\(pageHost)"] : [])
    }
}

extension Settings {
    /// The web origins of the pages of all apps with known hosts, each once.
    var webOrigins: [String] {
        profiles.filter { !$0.hosts.isEmpty }.flatMap(\.webOrigins)
            .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
