import PackGround

/// The pages of one web view, each with the releases from which it was loaded.
///
/// A new page gets the newest releases. Its files come from the same releases until the page is
/// loaded again, also during an update and after returning from the back-forward cache.
public final class PageView: Sendable {
    private struct Page {
        /// The page's URL without its fragment.
        let url: [UInt8]
        let sources: PageSources
    }

    private struct State {
        /// The shown pages, the last one at the end.
        var pages: [Page] = []
        /// The page whose document has been requested and is not shown yet.
        var next: Page?
    }

    /// The number of pages with their own releases; older ones in the back-forward cache use those
    /// of the last page.
    private static let pageLimit = 4

    private let newest: @Sendable () -> PageSources
    private let state = Locked(State())

    /// - Parameter newest: The releases for a page loaded now.
    public init(newest: @escaping @Sendable () -> PageSources) { self.newest = newest }

    /// Plans the answer to a request of the view.
    public func plan(_ request: PageRequest) -> PagePlan {
        if request.isMainDocument {
            let page = Page(url: Self.key(request.url), sources: newest())
            state.withLock { $0.next = page }
            return page.sources.plan(request)
        }
        return sources(of: request.page.map(Self.key)).plan(request)
    }

    /// Notes that the answer to a request was handed to the view.
    ///
    /// Until the answer to a main document arrives, the previous page is still shown and keeps its
    /// releases; it stays if the request is stopped before.
    public func delivered(_ request: PageRequest) {
        guard request.isMainDocument else { return }
        let url = Self.key(request.url)
        state.withLock { state in
            guard let next = state.next, next.url == url else { return }
            state.next = nil
            Self.show(next, in: &state)
        }
    }

    private static func show(_ page: Page, in state: inout State) {
        state.pages.removeAll { $0.url == page.url }
        state.pages.append(page)
        if state.pages.count > pageLimit { state.pages.removeFirst() }
    }

    private func sources(of url: [UInt8]?) -> PageSources {
        let known = state.withLock { state in
            (state.pages.last { $0.url == url } ?? state.pages.last)?.sources
        }
        if let known { return known }
        // The page's document did not pass through this handler.
        let page = Page(url: url ?? [], sources: newest())
        return state.withLock { state in
            if state.pages.isEmpty { Self.show(page, in: &state) }
            return state.pages.last?.sources ?? page.sources
        }
    }

    private static func key(_ url: String) -> [UInt8] {
        Array(url.utf8.prefix { $0 != UInt8(ascii: "#") })
    }
}
