import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A synchronous request.
    static let jsSyncXhr = Rule(
        "js-sync-xhr", group: .script,
        level: .init("error if the minimum iOS is 12 or older, else hint") {
            $0.platform == .ios && $0.minimumIOS < .init(13) ? .error : .hint
        },
        document: { document, sink in
            // Judged by its name: the scripts run by the page are not known here.
            let isWorker = printable(document.path.fileName).lowercased().contains("worker")
            let isOld = document.profile.platform == .ios && document.profile.minimumIOS < .init(13)
            for fact in document.facts(.request, .ajax) where fact.fact.isSynchronous {
                sink.report(
                    at: fact.range, "this request is synchronous",
                    severity: fact.isHarmless || isWorker
                        ? .hint : fact.isWeb && isOld ? .warning : nil,
                    cause: fact.fact.extent == .none ? "unknown address" : nil)
            }
        })
}
