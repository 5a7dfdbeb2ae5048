/// The behavior of the app's scheme handler for URLs, and of its client for updates.
package struct ClientModel: Equatable, Sendable {
    /// The key used to find a file.
    package enum LookUp: String, CaseIterable, Sendable {
        /// The last component of the URL, in one flat directory.
        case basename
        /// The whole path below the package's root.
        case path
    }

    /// The handling of `?…` before a lookup.
    package enum Query: String, CaseIterable, Sendable {
        /// Splits the whole URL at `/` first, including slashes in the query, and cuts the last
        /// piece at `?`.
        case afterLastSlash = "after-last-slash"
        /// Removes the query.
        case strip
        /// Keeps the query as part of the name.
        case keep
    }

    /// The handling of `#…`, which WebKit passes on for custom schemes.
    package enum Fragment: String, CaseIterable, Sendable {
        case strip, keep
    }

    /// The comparison of a URL's scheme with the client's constant.
    package enum SchemeComparison: String, CaseIterable, Sendable {
        /// Byte by byte; WebKit's URLs are in lower case.
        case exact
        case lower
    }

    /// The result for a path without a file name.
    package enum IndexFile: String, CaseIterable, Sendable {
        case none
        /// Every path without a dot in its last component opens the launch page.
        case startPage = "start-page"
        /// `dir/` opens `dir/index.html`.
        case directory
        /// Only the package's root opens the launch page.
        case root
    }

    /// The scheme used to request missing files from the network.
    package enum Fallback: String, CaseIterable, Sendable {
        case none, http, https
    }

    package var lookUp: LookUp
    package var query: Query
    package var fragment: Fragment
    /// Whether `%20` finds a name with a space.
    package var decodesPercent: Bool
    package var schemeComparison: SchemeComparison
    package var indexFile: IndexFile
    /// Whether the handler answers `Range` with 206, which audio and video need.
    package var answersRanges: Bool
    /// Whether the handler sends `Access-Control-Allow-Origin`.
    package var sendsCORS: Bool
    /// Media types known to the handler in addition to the system's, by file extension.
    package var mediaTypes: [String: String]
    package var fallback: Fallback
    /// Whether an update skips files with an existing name.
    package var skipsExisting: Bool
    /// Whether the handler also answers the requests of service workers.
    ///
    /// On Android, `ServiceWorkerController` receives them, not the web view's client.
    package var answersServiceWorkers: Bool

    package init(
        lookUp: LookUp, query: Query, fragment: Fragment, decodesPercent: Bool,
        schemeComparison: SchemeComparison, indexFile: IndexFile, answersRanges: Bool,
        sendsCORS: Bool, mediaTypes: [String: String] = [:], fallback: Fallback,
        skipsExisting: Bool, answersServiceWorkers: Bool = false
    ) {
        self.lookUp = lookUp
        self.query = query
        self.fragment = fragment
        self.decodesPercent = decodesPercent
        self.schemeComparison = schemeComparison
        self.indexFile = indexFile
        self.answersRanges = answersRanges
        self.sendsCORS = sendsCORS
        self.mediaTypes = mediaTypes
        self.fallback = fallback
        self.skipsExisting = skipsExisting
        self.answersServiceWorkers = answersServiceWorkers
    }
}
