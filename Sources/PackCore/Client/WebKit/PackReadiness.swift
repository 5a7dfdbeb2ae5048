#if canImport(WebKit)
    import Foundation
    public import PackPages
    public import WebKit

    /// Observes the pages of a web view, and calls the app once when the release works.
    @MainActor
    public final class PackReadiness: NSObject, @MainActor WKScriptMessageHandler {
        private var readiness: PageReadiness
        private let scheme: String
        private let onReady: () -> Void

        /// - Parameters:
        ///   - scheme: The app's scheme; messages of other pages are ignored.
        ///   - onReady: Called at most once.
        public init(
            _ mode: PageReadiness.Mode = .automatic, scheme: String,
            onReady: @escaping @MainActor () -> Void
        ) {
            readiness = PageReadiness(mode)
            self.scheme = scheme.lowercased()
            self.onReady = onReady
        }

        public func userContentController(
            _ controller: WKUserContentController, didReceive message: WKScriptMessage
        ) {
            guard message.frameInfo.isMainFrame,
                message.frameInfo.securityOrigin.protocol.lowercased() == scheme,
                let text = message.body as? String, let event = PageReadiness.Event(message: text)
            else { return }
            handle(event)
        }

        /// Call this from `webViewWebContentProcessDidTerminate(_:)`.
        public func webProcessEnded() { handle(.ended) }

        /// Call this when the app goes to the background.
        public func userLeft() { handle(.left) }

        private func handle(_ event: PageReadiness.Event) {
            // It stops while the device sleeps.
            if readiness.handle(event, now: ProcessInfo.processInfo.systemUptime) { onReady() }
        }
    }
#endif
