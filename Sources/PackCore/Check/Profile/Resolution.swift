package import PackWeb

/// What becomes of a reference on the device.
package struct Resolution: Equatable, Sendable {
    /// Where the request ends up.
    package enum Outcome: Equatable, Sendable {
        /// A file of the package, by its number in the listing.
        case file(Int)
        /// The handler has no such file: the URL it asks the network for, `nil` where it asks nobody.
        case fallback(URLRecord?)
        /// The request never reaches the handler.
        case otherOrigin
        case notARequest(NotARequest)
        case crash(Crash)
    }

    /// Why nothing is asked for.
    package enum NotARequest: String, Equatable, Sendable {
        case empty
        /// A place in the document itself: `#top`.
        case fragment
        /// `data:`, `blob:`, `about:` and the like: the content is at hand.
        case local
        /// `javascript:`.
        case script
        /// `mailto:`, `tel:`, `weixin:`: another app's.
        case appScheme = "app-scheme"
        /// No URL at all.
        case unparsable
    }

    /// What makes the handler fail instead of answering.
    package enum Crash: String, Equatable, Sendable {
        /// The client's constant has capitals, so it does not know its own URL; the request it makes
        /// is empty, and it hands WebKit no response.
        case schemeNotRecognised = "scheme-not-recognised"
        /// The last component is empty: the handler reads its own directory and answers nothing.
        case readsDirectory = "reads-directory"
        /// The URL for the network does not parse.
        case fallbackUnparsable = "fallback-unparsable"
    }

    package let outcome: Outcome
    /// The absolute URL; `nil` where there is none.
    package let url: URLRecord?
    /// The name or path that the handler looks for; `nil` where the handler is not asked.
    package let lookedUp: [UInt8]?
    /// The packaged file whose path a URL spells, whoever answers it.
    ///
    /// For https URLs of the own hosts this is the file that could have come from the package; for
    /// custom URLs it is the file at that very path, which a look-up by last component may miss.
    package let twin: Int?

    /// The packaged file that answers.
    package var file: Int? {
        guard case .file(let index) = outcome else { return nil }
        return index
    }

    /// Whether the request goes to the handler.
    package var reachesHandler: Bool { lookedUp != nil }

    /// Whether the request goes to the handler and finds nothing there.
    package var isMiss: Bool {
        switch outcome {
        case .fallback, .crash: true
        case .file, .otherOrigin, .notARequest: false
        }
    }

    static func nothing(_ reason: NotARequest, _ url: URLRecord? = nil) -> Resolution {
        Resolution(outcome: .notARequest(reason), url: url, lookedUp: nil, twin: nil)
    }
}
