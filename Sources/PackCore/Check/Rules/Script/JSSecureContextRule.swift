import PackWeb

extension Rule {
    /// An API of secure contexts on old systems.
    static let jsSecureContext = Rule(
        "js-secure-context", "an API is missing before iOS 15", group: .script,
        level: .init(
            "warning where the minimum iOS is older than 15 and pages are loaded over the custom scheme"
        ) { $0.hasCustomPages && $0.minimumIOS < .init(15) ? .warning : nil },
        explanation: .init(
            what: """
                Finds crypto.subtle, navigator.mediaDevices, geolocation, clipboard and \
                Notification, once for each API and file.
                """,
            why: """
                Before iOS 15 pages of a scheme handler are no secure context: these objects do \
                not exist there.
                """,
            source: "WebKit 223423 (r274733)",
            instead: "Ask whether the object exists, or raise the minimum iOS.",
            detection: "The member of the global object."),
        examples: [
            .bad(
                "app.js", "crypto.↓subtle.digest(a, b)",
                profile: Example.profile.with { $0.minimumIOS = .init(13) }),
            .good(
                "app.js", "crypto.subtle.digest(a, b)",
                profile: Example.profile.with { $0.minimumIOS = .init(15) }),
        ],
        document: { document, sink in
            var seen: Set<String> = []
            for fact in document.facts(.secureContext) where seen.insert(fact.fact.detail).inserted
            {
                sink.report(at: fact.range, "\(fact.fact.detail) does not exist before iOS 15")
            }
        })
}
