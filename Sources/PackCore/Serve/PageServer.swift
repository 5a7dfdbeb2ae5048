package import PackGround
import PackOrigin
import PackPages
package import PackProfile
import PackURL

/// Serves the files of a build to a browser by the rules of the app's handler.
///
/// The browser's URL replaces the app's scheme and host. Other changes that an app makes to pages
/// are not made.
package final class PageServer: Sendable {
    let files: FileAnswer
    private let profile: Profile
    private let exclusions: Exclusions
    private let survey = Locked<(paths: PackageListing, time: Double)?>(nil)

    /// The lifetime of the list of the build's files, in seconds: a page has hundreds of files.
    private static let surveyLife = 1.0

    package init(_ build: Directory, _ profile: Profile, excluding exclusions: Exclusions) {
        files = FileAnswer(root: build)
        self.profile = profile
        self.exclusions = exclusions
    }

    /// Answers a request.
    ///
    /// - Parameter now: Seconds of a monotonic clock.
    package func answer(_ request: ServeRequest, now: Double) throws -> ServeAnswer {
        if let refusal = FileAnswer.refusal(request) { return refusal }
        let isPage =
            request.fields["sec-fetch-mode"].map { $0 == "navigate" }
            ?? (request.fields["accept"]?.contains("text/html") ?? false)
        guard let url = url(request) else { return FileAnswer.missing }
        // The build may have changed since the last page.
        var resolver = try resolver(after: isPage ? nil : now - Self.surveyLife, now)
        var resolution = resolver.resolve(url, for: isPage ? .navigation : .load)
        if resolution.file == nil, !isPage {
            resolver = try self.resolver(after: nil, now)
            resolution = resolver.resolve(url, for: .load)
        }
        guard let index = resolution.file ?? startPageInstead(resolution) else {
            // The URL that users type first.
            if request.target == "/", start != "/" {
                return ServeAnswer(
                    302, "the app opens \(start) first",
                    FileAnswer.common + [HTTPHeader("Location", start)])
            }
            return frameworkScript(url) ?? miss(resolution)
        }
        let path = resolver.listing.paths[index]
        return try files.answer(
            request, path: path.description, type: profile.mediaType(of: path),
            caching: "no-store")
    }

    /// A resolver for URLs, based on the list of the build's files.
    ///
    /// - Parameter oldest: The oldest usable time of a cached list; `nil` reads the files again.
    private func resolver(after oldest: Double?, _ now: Double) throws -> Resolver {
        let known = survey.withLock { $0 }
        if let known, let oldest, known.time > oldest {
            return Resolver(profile: profile, listing: known.paths)
        }
        let tree = try FileTree.survey(files.root, excluding: exclusions)
        let paths = PackageListing(tree.files.map(\.path))
        survey.withLock { $0 = (paths, now) }
        return Resolver(profile: profile, listing: paths)
    }

    /// The app's launch page, as a path for the browser.
    package var start: String { profile.root + profile.startPage }

    /// The app's URL for a request.
    private func url(_ request: ServeRequest) -> URLRecord? {
        guard request.target.hasPrefix("/") else { return nil }
        let scheme = String(decoding: profile.canonicalScheme, as: UTF8.self)
        return URLRecord.parse("\(scheme)://\(profile.pageHost)\(request.target)")
    }

    /// The page that answers a load whose path has no extension, as in the handler.
    private func startPageInstead(_ resolution: Resolution) -> Int? {
        guard case .startPageInstead(let page) = resolution.outcome else { return nil }
        return page
    }

    /// The empty script that Capacitor serves to pages for Cordova's plugins.
    private func frameworkScript(_ url: URLRecord) -> ServeAnswer? {
        guard profile.answersWithEmptyScript(url) else { return nil }
        return ServeAnswer(
            status: 200,
            fields: [HTTPHeader("Content-Type", "text/javascript")] + FileAnswer.common,
            body: .bytes([]), length: 0)
    }

    private func miss(_ resolution: Resolution) -> ServeAnswer {
        let name = resolution.lookedUp.map { " (the handler looks for '\(printable($0))')" } ?? ""
        switch resolution.outcome {
        case .fallback:
            let next = resolution.fallback.map {
                ": the app asks the network for \(printable($0.serialized()))"
            }
            return ServeAnswer(404, "not in the package\(name)\(next ?? "")", FileAnswer.common)
        case .crash(let reason):
            return ServeAnswer(
                500, "the handler fails: \(reason.rawValue)\(name)", FileAnswer.common)
        default:
            return ServeAnswer(404, "not in the package\(name)", FileAnswer.common)
        }
    }
}
