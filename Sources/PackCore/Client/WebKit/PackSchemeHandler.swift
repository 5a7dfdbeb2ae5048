#if canImport(WebKit)
    import Foundation
    public import PackPages
    public import WebKit

    /// Answers the requests of web views for the app's scheme.
    ///
    /// Files are read outside the main thread, and a stopped task is never called.
    @MainActor
    public final class PackSchemeHandler: NSObject, @MainActor WKURLSchemeHandler {
        private let newest: @Sendable () -> PageSources
        private let views = NSMapTable<WKWebView, ViewPages>.weakToStrongObjects()
        private var loads: [ObjectIdentifier: SchemeLoad] = [:]
        private let network = PageNetwork()

        /// Creates a handler.
        ///
        /// - Parameter newest: The releases for a page loaded now. It is called outside the
        ///   main thread.
        public init(newest: @escaping @Sendable () -> PageSources) {
            self.newest = newest
            super.init()
        }

        /// Adds the handler, the script of `packtool.ready()` and its messages to a configuration.
        ///
        /// Call it before the web view is made.
        public func register(
            in configuration: WKWebViewConfiguration, forScheme scheme: String,
            readiness: PackReadiness? = nil
        ) {
            configuration.setURLSchemeHandler(self, forURLScheme: scheme)
            guard let readiness else { return }
            let content = configuration.userContentController
            content.add(readiness, name: PageScript.handler)
            content.addUserScript(
                WKUserScript(
                    source: PageScript.source, injectionTime: .atDocumentStart,
                    forMainFrameOnly: true))
        }

        public func webView(_ webView: WKWebView, start task: any WKURLSchemeTask) {
            let key = ObjectIdentifier(task)
            let store = webView.configuration.websiteDataStore.httpCookieStore
            let load = SchemeLoad(
                task, pages(of: webView), network, CookieJar(store),
                onEnd: { [weak self] in self?.loads[key] = nil })
            loads[key] = load
            load.start()
        }

        public func webView(_ webView: WKWebView, stop task: any WKURLSchemeTask) {
            loads.removeValue(forKey: ObjectIdentifier(task))?.stop()
        }

        private func pages(of webView: WKWebView) -> PageView {
            if let known = views.object(forKey: webView) { return known.pages }
            let new = ViewPages(PageView(newest: newest))
            views.setObject(new, forKey: webView)
            return new.pages
        }
    }

    /// A value of the map table.
    private final class ViewPages: NSObject {
        let pages: PageView

        init(_ pages: PageView) { self.pages = pages }
    }

    extension PageRequest {
        /// The request of a task.
        init(_ request: URLRequest) {
            let url = request.url?.absoluteString ?? ""
            let page = request.mainDocumentURL?.absoluteString
            let headers = (request.allHTTPHeaderFields ?? [:]).map { PageHeader($0.key, $0.value) }
            // A script's own request for the page's URL accepts any type.
            let accepted = request.value(forHTTPHeaderField: "Accept")
            let withoutFragment = { (text: String) in text.prefix { $0 != "#" } }
            self.init(
                method: request.httpMethod ?? "GET", url: url, headers: headers,
                hasBody: request.httpBody != nil || request.httpBodyStream != nil,
                isMainDocument: page.map(withoutFragment) == withoutFragment(url)
                    && accepted.map { $0.contains("text/html") } ?? true,
                page: page)
        }
    }
#endif
