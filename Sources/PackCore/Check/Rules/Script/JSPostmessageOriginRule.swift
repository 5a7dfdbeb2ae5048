import PackProfile
import PackWeb

extension Rule {
    /// A message to a web origin other than the page's.
    static let jsPostmessageOrigin = Rule(
        "js-postmessage-origin", group: .script, level: .customPages(.hint),
        document: { document, sink in
            for fact in document.facts(.messageTarget) {
                guard let host = fact.webHost, document.profile.hosts.contains(host) else {
                    continue
                }
                sink.report(at: fact.range, "a packaged page of '\(host)' has another web origin")
            }
        })
}
