import ArgumentParser
import PackOrigin
import PackPublish
import PackSettings

/// `packtool publish --pointer`: commits a pointer after it was proposed and signed.
extension PublishCommand {
    func runPointer(_ file: String, _ console: Console) async throws -> Int32 {
        let started = console.environment.monotonicSeconds()
        let settings = try settings(console)
        let origin = try settings.origin()
        let remote = try remoteStore(origin, settings, console)
        var request = ProposalRequest(
            file: try ReadableFile.read(file, limit: Pointer.sizeLimit),
            path: file, now: try console.environment.now(), clock: console.environment.clock,
            temporaryDirectory: console.environment.temporaryDirectory,
            jobs: try console.environment.jobs(), progress: console.progress)
        request.signers = try signing.signers(
            outside: remote == nil ? [.origin(origin)] : [], console)
        request.pin = try trust.root()
        request.allowsMove = allowIdentityChange
        request.feeds = settings.feeds
        let store = try remote ?? StoreOpener.writeExisting(origin)
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
