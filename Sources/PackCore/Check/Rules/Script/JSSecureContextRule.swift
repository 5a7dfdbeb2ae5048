import PackWeb

extension Rule {
    /// An API that older systems offer in secure contexts only.
    static let jsSecureContext = Rule(
        "js-secure-context", "an object of secure contexts is missing before iOS 15",
        group: .script,
        level: .init(
            """
            warning where the minimum iOS is older than 15 and pages are loaded over the \
            custom scheme
            """
        ) { $0.hasCustomPages && $0.minimumIOS < .init(15) ? .warning : nil },
        explanation: .init(
            what: """
                Finds crypto.subtle, navigator.mediaDevices, geolocation, clipboard and \
                Notification.
                """,
            why: """
                Before iOS 15 custom-scheme pages are not secure contexts, and these objects do \
                not exist there.
                """,
            sources: [.issue(.webkitBugs, 223423, detail: "r274733"), .proof("js-secure-context")],
            instead: "Check that the object exists, or raise the minimum iOS.",
            detection: """
                A member of the object is used, and neither a condition that names the object, the \
                page's protocol or isSecureContext nor `try` is around it. All of them are one \
                finding, since one setting ends them.
                """),
        examples: [
            .bad(
                "app.js", "crypto.↓subtle.digest(a, b)",
                profile: Example.profile.with { $0.minimumIOS = .init(13) }),
            .good(
                "app.js",
                "navigator.clipboard&&navigator.clipboard.writeText(a);if(!navigator.mediaDevices)return;navigator.mediaDevices.getUserMedia(b)",
                "guarded", profile: Example.profile.with { $0.minimumIOS = .init(13) }),
            .good(
                "app.js",
                "c=navigator.clipboard;d=!!navigator.geolocation;try{crypto.subtle.digest(a,b)}catch(e){}",
                "reading the object does nothing",
                profile: Example.profile.with { $0.minimumIOS = .init(13) }),
            .good(
                "app.js",
                "f=async()=>{(\"Notification\"in window?await Notification.requestPermission():\"denied\")===\"granted\"&&a()}",
                "guarded by name", profile: Example.profile.with { $0.minimumIOS = .init(13) }),
            .bad(
                "app.js",
                "if(navigator.clipboard)a();navigator.↓clipboard.writeText(b);try{c()}catch(e){}",
                "the condition is another statement's",
                profile: Example.profile.with { $0.minimumIOS = .init(13) }),
            .good(
                "app.js", "crypto.subtle.digest(a, b)",
                profile: Example.profile.with { $0.minimumIOS = .init(15) }),
        ],
        document: { document, sink in
            var seen: Set<String> = []
            for fact in document.facts(.secureContext)
            where !fact.isHarmless && seen.insert(fact.fact.detail).inserted {
                sink.report(
                    at: fact.range, "this object does not exist before iOS 15", cause: "iOS")
            }
        })
}
