import PackGround
import PackProfile
import PackRelease
import PackURL

/// The releases for the requests of a page: one for each host and path prefix.
///
/// A page keeps this value for its lifetime, see ``PageView``. Equal requests get equal answers:
/// the only effect is reading files.
public struct PageSources: Sendable {
    /// The scheme registered by the app, in lower case.
    public let scheme: String
    public let sources: [PageSource]
    /// Whether the network answers everything, because the publisher switched packages off.
    public let bypassesPackages: Bool

    public init(scheme: String, _ sources: [PageSource], bypassesPackages: Bool = false) {
        self.scheme = scheme.lowercased()
        self.sources = sources
        self.bypassesPackages = bypassesPackages
    }

    /// The URL to open first: the launch page of the first source.
    ///
    /// It has the app's scheme, or https if packages are bypassed.
    public var launchURL: String? {
        guard let source = sources.first else { return nil }
        let path = String(
            decoding: PercentEncoding.encode(Array(source.launch.utf8)[...], .path), as: UTF8.self)
        return bypassesPackages
            ? source.network + path : "\(scheme)://\(source.host)\(source.prefix)\(path)"
    }

    /// Decides how a request is answered, and opens its file.
    public func plan(_ request: PageRequest) -> PagePlan {
        let isHead = request.method == "HEAD"
        guard let url = URLRecord.parse(request.url), let (source, profile) = source(of: url) else {
            return .answer(PageAnswer(404, "no package has this URL", isHead: isHead))
        }
        let route = Route(request: request, url: url, source: source, profile: profile)
        if bypassesPackages { return network(route) }
        guard isHead || request.method == "GET" else {
            guard source.missing == .network else {
                let allow = PageHeader("Allow", "GET, HEAD")
                return .answer(
                    PageAnswer(405, "a package answers GET and HEAD", isHead: false, [allow]))
            }
            return network(route)
        }
        do {
            if let answer = try file(route) { return .answer(answer) }
        } catch {
            return .answer(PageAnswer(500, printable(error.description.utf8), isHead: isHead))
        }
        guard source.missing == .network else {
            let more = source.accessHeaders(for: request.headers.value(of: "origin"))
            return .answer(PageAnswer(404, "not in the package", isHead: isHead, more))
        }
        return network(route)
    }

    // MARK: Routing

    /// A request with its source.
    struct Route {
        let request: PageRequest
        let url: URLRecord
        let source: PageSource
        let profile: Profile
    }

    /// The source with the URL's host and the longest prefix of its path.
    private func source(of url: URLRecord) -> (PageSource, Profile)? {
        guard let host = url.host?.inLowerCase, url.scheme.elementsEqual(scheme.utf8) else {
            return nil
        }
        var found: (source: PageSource, profile: Profile)?
        for source in sources where source.host.lowercased().utf8.elementsEqual(host) {
            if let found, found.source.prefix.utf8.count >= source.prefix.utf8.count { continue }
            let profile = source.profile(scheme)
            if profile.packagePath(of: url) != nil { found = (source, profile) }
        }
        return found
    }

    // MARK: Answers

    /// The answer with the file of a request; `nil` if the release does not have it.
    private func file(_ route: Route) throws(Failure) -> PageAnswer? {
        // Names not allowed in packages, such as `..`, are not looked up.
        guard let bytes = route.profile.filePath(of: route.url), let path = try? AssetPath(bytes),
            let file = try OpenedFile.open(path.description, in: route.source.directory)
        else { return nil }
        let origin = route.request.headers.value(of: "origin")
        return PageAnswer(
            file, type: MediaType.of(path), tag: route.source.tag, request: route.request,
            more: route.source.accessHeaders(for: origin))
    }

    private func network(_ route: Route) -> PagePlan {
        guard let url = route.source.networkURL(of: route.url, route.profile) else {
            return .answer(
                PageAnswer(404, "the URL has no https URL", isHead: route.request.method == "HEAD"))
        }
        guard !PageFetch.hasLostBody(route.request) else {
            return .answer(
                PageAnswer(
                    502, "the web view did not pass on the body; send it to an https URL",
                    isHead: false))
        }
        return .fetch(PageFetch(route, url, scheme: scheme))
    }
}

/// How a request is answered.
public enum PagePlan: Sendable {
    case answer(PageAnswer)
    /// By a request to the network.
    case fetch(PageFetch)
}
