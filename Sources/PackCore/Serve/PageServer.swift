package import PackGround
import PackOrigin
package import PackProfile
import PackRelease
import PackURL
import Synchronization

/// Answers a browser with the files of a build that the app's handler would answer with.
///
/// The browser's address replaces the app's scheme and host; what else an app does to pages, it does not do.
package final class PageServer: Sendable {
    let files: FileAnswer
    private let profile: Profile
    private let exclusions: Exclusions
    private let survey = Mutex<(paths: PackageListing, time: Double)?>(nil)

    /// How long the names of the build's files are taken for current, in seconds: a page has hundreds of files.
    private static let surveyLife = 1.0

    package init(_ build: Directory, _ profile: Profile, excluding exclusions: Exclusions) {
        files = FileAnswer(root: build)
        self.profile = profile
        self.exclusions = exclusions
    }

    /// - Parameter now: seconds of a clock that only goes forward.
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
            // What a person types first.
            if request.target == "/", start != "/" {
                return ServeAnswer(
                    302, "the app opens \(start) first",
                    FileAnswer.common + [HTTPHeader("Location", start)])
            }
            return frameworkScript(url) ?? miss(resolution)
        }
        let path = resolver.listing.paths[index]
        return try files.answer(
            request, path: path.description, type: type(of: path), caching: "no-store")
    }

    /// Resolves URLs with the names of the build's files.
    ///
    /// - Parameter oldest: of when names may be that were read before; `nil` reads them again.
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

    /// The page that the app opens first, as the browser's path.
    package var start: String { profile.root + profile.startPage }

    /// The URL that the app would be asked for.
    private func url(_ request: ServeRequest) -> URLRecord? {
        guard request.target.hasPrefix("/") else { return nil }
        let scheme = String(decoding: profile.canonicalScheme, as: UTF8.self)
        return URLRecord.parse("\(scheme)://\(profile.pageHost)\(request.target)")
    }

    /// The page that answers a load whose path has no extension, as the handler does.
    private func startPageInstead(_ resolution: Resolution) -> Int? {
        guard case .startPageInstead(let page) = resolution.outcome else { return nil }
        return page
    }

    /// The empty script that Capacitor has for pages which Cordova's plugins expect.
    private func frameworkScript(_ url: URLRecord) -> ServeAnswer? {
        guard profile.isCapacitor,
            String(decoding: url.path, as: UTF8.self).contains("cordova.js")
        else { return nil }
        return ServeAnswer(
            status: 200,
            fields: [HTTPHeader("Content-Type", "text/javascript")] + FileAnswer.common,
            body: .bytes([]), length: 0)
    }

    /// What the handler sends: the types of the system and of its own table, without an encoding.
    private func type(of path: AssetPath) -> String {
        let ending = String(decoding: MediaType.ending(of: path), as: UTF8.self)
        if let own = profile.client.mediaTypes[ending] { return own }
        return DeviceMediaType.isKnown(ending, to: profile)
            ? MediaType.of(path) : "application/octet-stream"
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
