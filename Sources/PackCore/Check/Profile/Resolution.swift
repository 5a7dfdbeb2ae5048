package import PackURL

/// What happens to a reference on the device.
package struct Resolution: Equatable, Sendable {
    /// Where the request ends up.
    package enum Outcome: Equatable, Sendable {
        /// A packaged file, by its index in the listing.
        case file(Int)
        /// A navigation that the handler answers with the start page, because the path has no
        /// extension.
        case startPage(Int)
        /// A load that the handler answers with the start page's HTML instead of what is wanted.
        case startPageInstead(Int)
        /// The handler has no such file, and does this.
        case fallback(Fallback)
        /// The request never reaches the handler.
        case otherOrigin
        case notARequest(NotARequest)
        case crash(Crash)
    }

    /// What the handler requests from the network; see ``Resolution/fallback``.
    package enum Fallback: Equatable, Sendable {
        case nothing
        /// The same URL with another scheme. As the whole URL it would take twice the memory, and a page may have a
        /// million.
        case scheme([UInt8])
        indirect case url(URLRecord)
    }

    /// Why nothing is requested.
    package enum NotARequest: String, Equatable, Sendable {
        case empty
        /// A place in the document itself: `#top`.
        case fragment
        /// `data:`, `blob:`, `about:` and the like: the content needs no request.
        case local
        /// `javascript:`.
        case script
        /// `mailto:`, `tel:`, `weixin:`: for another app.
        case appScheme = "app-scheme"
        /// A file that the app's framework adds when the app is built: `cordova.js`.
        case platform
        /// Not a valid URL.
        case unparsable
    }

    /// Why the handler fails instead of answering.
    package enum Crash: String, Equatable, Sendable {
        /// The client's constant has capital letters and does not match its own URL; its request is
        /// empty, and it passes no response to WebKit.
        case schemeNotRecognised = "scheme-not-recognised"
        /// The last component is empty: the handler reads its own directory and sends an empty
        /// response.
        case readsDirectory = "reads-directory"
        /// The URL for the network does not parse.
        case fallbackUnparsable = "fallback-unparsable"
    }

    package let outcome: Outcome
    /// The absolute URL; `nil` where there is none.
    package let url: URLRecord?
    /// The name or path that the handler looks up; `nil` if the handler is not called.
    package let lookedUp: [UInt8]?
    /// The packaged file whose path a URL spells, no matter what answers it.
    ///
    /// For https URLs of the app's hosts this is the file that could have come from the package.
    /// For custom URLs it is the file at exactly that path, which a lookup by last component may
    /// not find.
    package let twin: Int?

    /// The packaged file that answers.
    package var file: Int? {
        switch outcome {
        case .file(let index), .startPage(let index): index
        case .startPageInstead, .fallback, .otherOrigin, .notARequest, .crash: nil
        }
    }

    /// The URL that the handler requests from the network because it has no such file; `nil` for none.
    package var fallback: URLRecord? {
        guard case .fallback(let fallback) = outcome else { return nil }
        switch fallback {
        case .nothing: return nil
        case .scheme(let scheme): return url?.withScheme(scheme)
        case .url(let url): return url
        }
    }

    /// Whether the request goes to the handler.
    package var reachesHandler: Bool { lookedUp != nil }

    /// Whether the handler answers a navigation with the start page.
    package var isStartPage: Bool {
        guard case .startPage = outcome else { return false }
        return true
    }

    /// Whether the request goes to the handler and finds no file that is of use.
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
