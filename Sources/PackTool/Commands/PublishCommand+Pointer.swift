import ArgumentParser
import PackOrigin
import PackPublish
import PackSettings

/// `packtool publish --pointer`: commits a pointer after it was proposed and signed.
extension PublishCommand {
    /// Rejects options for publishing a build: the pointer already contains these values.
    func checkPointerAlone() throws {
        let flags: [(name: String, isGiven: Bool)] = [
            ("a build", build != nil), ("--propose", propose.propose != nil),
            ("--label", label != nil), ("--commit", commit != nil), ("--reuse", reuse != nil),
            ("--expires-in-days", expiresInDays != nil), ("--deltas", deltas != nil),
            ("--delta-from", !deltaFrom.isEmpty), ("--actor", actor != nil),
            ("--require-origin", requireOrigin),
            ("--renew", renew), ("--repair", repair), ("--no-check", noCheck),
            ("--ignore", !ignore.isEmpty),
            ("--baseline", baseline != nil), ("--max-warnings", maxWarnings != nil),
            ("--rollout", conditions.rollout != nil),
            ("--rollout-salt", conditions.rolloutSalt != nil),
            ("--min-native", conditions.minNative != nil),
            ("--max-native", conditions.maxNative != nil),
            ("--mandatory", conditions.mandatory != nil), ("--resume", conditions.resume),
            ("--stay-paused", conditions.stayPaused), ("--level", level.level != nil),
            ("--channel", line.channel != nil), ("--app", identity.app != nil),
            ("--base-url", identity.baseURL != nil),
            ("--profile", pages.profile != nil), ("--scheme", pages.scheme != nil),
            ("--host", !pages.host.isEmpty),
            ("--page-origin", pages.pageOrigin != nil),
            ("--launch", launch.launch != nil), ("--exclude", !exclude.exclude.isEmpty),
            ("--verify-cdn", cdn.verifyCDN), ("--cdn-wait", cdn.cdnWait != nil),
        ]
        guard let given = flags.first(where: \.isGiven) else { return }
        throw ValidationError(
            "--pointer commits a proposal unchanged; leave out \(given.name).")
    }

    func runPointer(_ file: String, _ console: Console) async throws -> Int32 {
        let started = console.environment.monotonicSeconds()
        let settings = try settings(console)
        let origin = try settings.origin()
        let bucket = try remoteStore(origin, settings, console)
        var request = ProposalRequest(
            file: try ReadableFile.read(file, limit: Pointer.sizeLimit),
            place: file, now: try console.environment.now(), clock: console.environment.clock,
            temporaryDirectory: console.environment.temporaryDirectory,
            jobs: try console.environment.jobs(), progress: console.progress)
        request.signers = try signing.signers(
            outside: bucket == nil ? [.origin(origin)] : [], console)
        request.pin = try trust.root()
        request.allowsMove = allowIdentityChange
        let store: any WritableStore =
            if let bucket { bucket } else { try StoreOpener.writeExisting(origin) }
        let report =
            dryRun
            ? try await ProposalPublisher.plan(request, on: store)
            : try await ProposalPublisher.run(request, on: store)
        for note in report.notes { console.note(note) }
        let text = ChannelReportText(
            report: report, origin: origin, isPlan: dryRun,
            seconds: console.environment.monotonicSeconds() - started)
        if output.json {
            console.print(json: text.json)
        } else {
            console.stdout(text.text)
        }
        return 0
    }
}
