/// What the app's scheme handler does with a URL, and what its client does with an update.
package struct ClientModel: Equatable, Sendable {
    /// How a file is found.
    package enum LookUp: String, CaseIterable, Sendable {
        /// By the last component of the URL only, in one flat directory.
        case basename
        /// By the whole path below the package's root.
        case path
    }

    /// What the handler does with `?…` before it looks for a file.
    package enum Query: String, CaseIterable, Sendable {
        /// Splits the whole URL at `/` first, including slashes in the query, and cuts the last
        /// piece at `?`.
        case afterLastSlash = "after-last-slash"
        /// Removes it.
        case strip
        /// Keeps it as part of the name.
        case keep
    }

    /// What the handler does with `#…`, which WebKit passes on for custom schemes.
    package enum Fragment: String, CaseIterable, Sendable {
        case strip, keep
    }

    /// How the client compares a URL's scheme with its constant.
    package enum SchemeComparison: String, CaseIterable, Sendable {
        /// Byte by byte; WebKit's URLs are in lower case.
        case exact
        case lower
    }

    /// What a path without a file name opens.
    package enum IndexFile: String, CaseIterable, Sendable {
        case none
        /// Every path without a dot in its last component opens the launch page.
        case startPage = "start-page"
        /// `dir/` opens `dir/index.html`.
        case directory
    }

    /// Where the handler sends a request for a missing file.
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
    /// Media types that the handler knows besides those of the system, by file extension.
    package var mediaTypes: [String: String]
    package var fallback: Fallback
    /// Whether an update skips files whose name already exists.
    package var skipsExisting: Bool

    package init(
        lookUp: LookUp, query: Query, fragment: Fragment, decodesPercent: Bool,
        schemeComparison: SchemeComparison, indexFile: IndexFile, answersRanges: Bool,
        sendsCORS: Bool, mediaTypes: [String: String] = [:], fallback: Fallback,
        skipsExisting: Bool
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
    }
}
