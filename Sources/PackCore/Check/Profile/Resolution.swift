package import PackURL

/// The result of a reference on the device.
package struct Resolution: Equatable, Sendable {
    /// The outcome of the request.
    package enum Outcome: Equatable, Sendable {
        /// A packaged file, by its index in the listing.
        case file(Int)
        /// A navigation answered with the start page, because the path has no extension.
        case startPage(Int)
        /// A load answered with the start page's HTML instead of the requested resource.
        case startPageInstead(Int)
        /// The handler has no such file and falls back.
        case fallback(Fallback)
        /// The request never reaches the handler.
        case otherOrigin
        case notARequest(NotARequest)
        case crash(Crash)
    }

    /// The network request made by the handler; see ``Resolution/fallback``.
    package enum Fallback: Equatable, Sendable {
        case nothing
        /// The same URL with another scheme. Storing the whole URL would double the memory, and a
        /// page may have a million.
        case scheme([UInt8])
        indirect case url(URLRecord)
    }

    /// The reason why nothing is requested.
    package enum NotARequest: String, Equatable, Sendable {
        case empty
        /// A position in the document itself: `#top`.
        case fragment
        /// `data:`, `blob:`, `about:` and the like: no request is needed.
        case local
        /// `javascript:`.
        case script
        /// `mailto:`, `tel:`, `weixin:`: opened by another app.
        case appScheme = "app-scheme"
        /// A file added by the framework when the app is built: `cordova.js`.
        case platform
        /// Not a valid URL.
        case unparsable
    }

    /// The reason why the handler fails instead of answering.
    package enum Crash: String, Equatable, Sendable {
        /// The client's constant has capital letters and does not match its own URL, so its request
        /// is empty, and it passes no response to WebKit.
        case schemeNotRecognised = "scheme-not-recognised"
        /// The last component is empty: the handler reads its own directory and sends an empty
        /// response.
        case readsDirectory = "reads-directory"
        /// The fallback URL does not parse.
        case fallbackUnparsable = "fallback-unparsable"
    }

    package let outcome: Outcome
    /// The absolute URL, if the reference is a valid one.
    package let url: URLRecord?
    /// The name or path looked up by the handler; `nil` if the handler is not called.
    package let lookedUp: [UInt8]?
    /// The packaged file at the URL's path, regardless of the outcome.
    ///
    /// For https URLs of the app's hosts, this is the file that the package could have served. For
    /// custom URLs, it is the file at exactly that path, which a lookup by last component may not
    /// find.
    package let twin: Int?

    /// The packaged file that is served, if any.
    package var file: Int? {
        switch outcome {
        case .file(let index), .startPage(let index): index
        case .startPageInstead, .fallback, .otherOrigin, .notARequest, .crash: nil
        }
    }

    /// The URL requested by the handler from the network for a missing file, if any.
    package var fallback: URLRecord? {
        guard case .fallback(let fallback) = outcome else { return nil }
        switch fallback {
        case .nothing: return nil
        case .scheme(let scheme): return url?.withScheme(scheme)
        case .url(let url): return url
        }
    }

    /// Whether the request reaches the handler.
    package var reachesHandler: Bool { lookedUp != nil }

    /// Whether the handler answers a navigation with the start page.
    package var isStartPage: Bool {
        guard case .startPage = outcome else { return false }
        return true
    }

    /// Whether the request reaches the handler without finding a usable file.
    package var isMiss: Bool {
        switch outcome {
        case .startPageInstead, .fallback, .crash: true
        case .file, .startPage, .otherOrigin, .notARequest: false
        }
    }

    static func nothing(_ reason: NotARequest, _ url: URLRecord? = nil) -> Resolution {
        Resolution(outcome: .notARequest(reason), url: url, lookedUp: nil, twin: nil)
    }
}

extension URLRecord {
    /// The same URL with a special scheme, whose hosts are domains.
    func withScheme(_ scheme: [UInt8]) -> URLRecord {
        var other = self
        other.scheme = scheme
        if case .opaque(let name) = host { other.host = .domain(name) }
        return other
    }
}
