import PackGround
import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// Audio and video from a handler that cannot serve byte ranges.
    static let mediaRange = Rule(
        "media-range", group: .media,
        level: .init(
            "error if the handler does not answer Range requests, on Android a warning"
        ) {
            $0.client.answersRanges ? nil : $0.platform == .android ? .warning : .error
        }, fix: .unsafe,
        document: { document, sink in
            for reference in document.references
            where reference.htmlKind == .media && reference.isEffective
                && reference.resolution.reachesHandler
            {
                var fix: Fix?
                if !document.profile.hosts.isEmpty, let twin = reference.resolution.twin,
                    let url = document.profile.url(of: document.site.path(twin), secure: true)
                {
                    fix = document.fix(.unsafe, reference, to: url.href)
                }
                sink.report(
                    reference,
                    document.profile.platform == .android
                        ? "'\(reference.text)' plays from its start only: the handler sends no parts"
                        : "iOS requests parts of '\(reference.text)', which the handler does not support",
                    fix: fix)
            }
        })
}
