package import PackGround
import PackPages
package import PackProfile
import PackURL

/// The answer of the app's handler to a request, as a plan: the engine's process reads the file.
package struct HandlerAnswer: Equatable, Sendable {
    /// The path in the build; `nil` for an empty answer or a failure.
    package var file: String?
    /// The reason of a failure; `nil` for an answer.
    package var reason: String?
    package var type: String
    /// The status; 0 for an answer with a media type and no headers.
    package var status: Int
    /// The `Range` header to answer, if the handler does.
    package var range: String?
    package var sendsCORS: Bool

    package init(
        file: String? = nil, reason: String? = nil, type: String = "text/plain", status: Int = 0,
        range: String? = nil, sendsCORS: Bool = false
    ) {
        self.file = file
        self.reason = reason
        self.type = type
        self.status = status
        self.range = range
        self.sendsCORS = sendsCORS
    }
}

/// The app's handler: the profile's look-up, with the answers of the clients' sources.
package struct Handler: Sendable {
    /// An answer, and its meaning for the check.
    package struct Decision: Sendable {
        package let answer: HandlerAnswer
        package let resolution: Resolution?
        /// The path of the file that answers, if any.
        package var file: String? { answer.file }
        /// Whether no file answers: the request misses.
        package let isMiss: Bool
        /// Whether a page answers a request for another kind of file.
        package let isStartPage: Bool
    }

    package let resolver: Resolver

    package init(_ resolver: Resolver) { self.resolver = resolver }

    private var profile: Profile { resolver.profile }

    /// Capacitor answers these extensions without headers, unless a range is requested
    /// (docs/sources.md#capacitor, `isMediaExtension`).
    private static let media: Set<String> = [
        "m4v", "mov", "mp4", "aac", "ac3", "aiff", "au", "flac", "m4a", "mp3", "wav",
    ]

    /// Decides how a request is answered.
    ///
    /// - Parameter isPage: Whether the answer becomes a document.
    package func answer(_ url: String, range: String?, isPage: Bool) -> Decision {
        guard let record = URLRecord.parse(url) else {
            return Decision(
                answer: HandlerAnswer(reason: "not a valid URL"), resolution: nil, isMiss: true,
                isStartPage: false)
        }
        let resolution = resolver.resolve(record, for: isPage ? .navigation : .load)
        switch resolution.outcome {
        case .file(let index), .startPage(let index), .startPageInstead(let index):
            let path = resolver.listing.paths[index]
            let answer = answer(with: path, record, range: range)
            var isInstead = false
            if case .startPageInstead = resolution.outcome { isInstead = true }
            return Decision(
                answer: answer, resolution: resolution, isMiss: false, isStartPage: isInstead)
        case .crash(.readsDirectory):
            return Decision(
                answer: HandlerAnswer(type: "application/octet-stream"), resolution: resolution,
                isMiss: true, isStartPage: false)
        case .notARequest where profile.answersWithEmptyScript(record):
            let answer = HandlerAnswer(type: "text/javascript", status: 200)
            return Decision(
                answer: answer, resolution: resolution, isMiss: false, isStartPage: false)
        default:
            let isOwn = resolution.outcome == .notARequest(.platform)
            let answer =
                sendsNotFound
                ? HandlerAnswer(
                    type: "text/plain", status: 404, sendsCORS: profile.client.sendsCORS)
                : HandlerAnswer(reason: "not in the package")
            return Decision(
                answer: answer, resolution: resolution, isMiss: !isOwn, isStartPage: false)
        }
    }

    /// Whether a missing file is answered with 404; other handlers fail.
    private var sendsNotFound: Bool {
        ![Profile.basenameCache, .capacitor, .cordova].contains { $0.name == profile.name }
    }

    /// Answers a URL with a file, whatever the profile finds.
    package func answer(with path: AssetPath, _ url: String) -> HandlerAnswer {
        guard let record = URLRecord.parse(url) else {
            return HandlerAnswer(reason: "not a valid URL")
        }
        return answer(with: path, record, range: nil)
    }

    private func answer(
        with path: AssetPath, _ url: URLRecord, range: String?
    ) -> HandlerAnswer {
        var answer = HandlerAnswer(
            file: path.description, type: profile.mediaType(of: path), status: 200)
        let ending = Self.ending(url)
        let isMedia = Self.media.contains(ending)
        answer.sendsCORS = profile.client.sendsCORS
        if profile.client.answersRanges, isMedia || !profile.isCapacitor { answer.range = range }
        // `NSURLResponse` instead of `NSHTTPURLResponse`.
        if profile.name == Profile.basenameCache.name
            || profile.isCapacitor && isMedia && answer.range == nil
        {
            answer.status = 0
        }
        return answer
    }

    private static func ending(_ url: URLRecord) -> String {
        guard let dot = url.path.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(decoding: url.path[(dot + 1)...], as: UTF8.self).lowercased()
    }
}
