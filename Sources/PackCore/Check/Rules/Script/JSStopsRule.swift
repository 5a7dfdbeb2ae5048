import PackProfile
import PackWeb

extension Rule {
    /// A script that throws an error when it starts.
    static let jsStops = Rule(
        "js-stops", group: .script, level: .packagedPages(.error),
        document: { document, sink in
            guard document.profile.pageOrigin != .dual else { return }
            for fact in document.facts(.stop)
            where !fact.isOfServiceWorker && fact.script.role != .eventHandler {
                sink.report(at: fact.range, "the script stops here when it starts", cause: "stops")
            }
        })
}
