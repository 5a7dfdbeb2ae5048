import PackGround
package import PackURL

/// The model of how a deployed client handles a reference.
///
/// All rules and the simulation use it; nothing else decides which file a URL finds.
package struct Resolver: Sendable {
    /// The purpose of a request.
    package enum Purpose: Sendable {
        /// A part of a page, or a script's own request; an HTML page is not a valid response.
        case load
        /// A page opened in the view.
        case navigation
    }

    package let profile: Profile
    package let listing: PackageListing
    private let scheme: [UInt8]
    private let fallbackScheme: [UInt8]
    private let startPage: Int?

    package init(profile: Profile, listing: PackageListing) {
        self.profile = profile
        self.listing = listing
        scheme = profile.canonicalScheme
        fallbackScheme = Array(profile.client.fallback.rawValue.utf8)
        startPage = listing.index(of: profile.startPage.utf8)
    }

    /// Resolves a reference in a document.
    ///
    /// - Parameters:
    ///   - reference: The decoded text from the document; surrounding white space is removed, as in
    ///     a browser.
    ///   - document: The base URL.
    @specialized(where Text == [UInt8])
    package func resolve<Text: Collection<UInt8>>(
        _ reference: Text, from document: URLRecord?,
        for purpose: Purpose = .load
    ) -> Resolution {
        guard let first = reference.first(where: { $0 > 0x20 }) else { return .nothing(.empty) }
        if first == UInt8(ascii: "#") { return .nothing(.fragment) }
        guard let url = URLRecord.parse(reference, base: document) else {
            return .nothing(.unparsable)
        }
        return resolve(url, for: purpose)
    }

    /// Resolves a request for a URL.
    package func resolve(_ url: URLRecord, for purpose: Purpose = .load) -> Resolution {
        if url.scheme == scheme, profile.handles(url) { return lookUp(url, for: purpose) }
        switch String(decoding: url.scheme, as: UTF8.self) {
        case "http", "https":
            return Resolution(
                outcome: .otherOrigin, url: url, lookedUp: nil, twin: webTwin(of: url))
        case "ws", "wss", "ftp", "file":
            return Resolution(outcome: .otherOrigin, url: url, lookedUp: nil, twin: nil)
        case "data", "blob", "about": return .nothing(.local, url)
        case "javascript": return .nothing(.script, url)
        default: return .nothing(.appScheme, url)
        }
    }

    /// The packaged file with this https URL.
    private func webTwin(of url: URLRecord) -> Int? {
        guard !profile.isIntercepted, profile.ownsWebHost(url.host) else { return nil }
        return pathTwin(of: url)
    }

    private func pathTwin(of url: URLRecord) -> Int? {
        guard let path = profile.packagePath(of: url) else { return nil }
        return listing.index(of: PercentEncoding.decode(path))
    }

    // MARK: - The handler

    private func lookUp(_ url: URLRecord, for purpose: Purpose) -> Resolution {
        let name = profile.lookedUpName(url)
        let twin = pathTwin(of: url)
        // On iOS, `url.path` is empty if its escapes are not UTF-8.
        if profile.client.indexFile == .startPage, !profile.isIntercepted,
            name.contains(where: { $0 >= 0x80 }),
            String(utf8: name) == nil
        {
            return Resolution(outcome: miss(url), url: url, lookedUp: name, twin: nil)
        }
        if profile.frameworkAnswers(name) { return .nothing(.platform, url) }
        if profile.client.indexFile == .startPage,
            profile.isIntercepted ? Self.hasNoDot(url) : Self.hasNoExtension(name)
        {
            // Also if a file without an extension has this path.
            let outcome: Resolution.Outcome? = startPage.map {
                purpose == .navigation ? .startPage($0) : .startPageInstead($0)
            }
            return Resolution(
                outcome: outcome ?? miss(url), url: url, lookedUp: name, twin: twin)
        }
        let found: Int?
        switch profile.client.lookUp {
        case .basename:
            // The flat directory keeps only one of several files with the same name, depending on
            // the order of the update. Assume that it is the intended one.
            let meant = twin.flatMap { listing.paths[$0].fileName == name ? $0 : nil }
            found = meant ?? listing.indices(named: name).first
        // No file is outside the root.
        case .path:
            found =
                profile.packagePath(of: url) == nil
                ? nil : listing.index(of: profile.filePath(name))
        }
        let outcome: Resolution.Outcome
        if let index = found ?? directoryIndex(name) {
            outcome = .file(index)
        } else if profile.client.lookUp == .basename, name.isEmpty {
            outcome = .crash(.readsDirectory)
        } else if addsFile(name) {
            return .nothing(.platform, url)
        } else {
            outcome = miss(url)
        }
        return Resolution(outcome: outcome, url: url, lookedUp: name, twin: twin)
    }

    /// Whether the framework adds the file to the app: the files of Cordova and its plugins.
    private func addsFile(_ name: [UInt8]) -> Bool {
        guard profile.client.lookUp == .path,
            profile.framework != nil || profile.client.indexFile == .startPage
        else { return false }
        let path = String(decoding: name.drop { $0 == UInt8(ascii: "/") }, as: UTF8.self)
        return ["cordova.js", "cordova_plugins.js", "capacitor.js"].contains(path)
            || path.hasPrefix("cordova-js-src/")
            || path.hasPrefix("plugins/") && path.contains("/www/")
    }

    private func directoryIndex(_ name: [UInt8]) -> Int? {
        if profile.client.indexFile == .root { return name.isEmpty ? startPage : nil }
        guard profile.client.indexFile == .directory,
            name.isEmpty || name.last == UInt8(ascii: "/")
        else { return nil }
        return listing.index(of: profile.filePath(name) + Array("index.html".utf8))
    }

    /// Whether the last segment of a URL has no dot: `Uri.getLastPathSegment` of Android, which
    /// decodes segments one by one and leaves out empty ones.
    private static func hasNoDot(_ url: URLRecord) -> Bool {
        let last = url.path.split(separator: UInt8(ascii: "/")).last ?? []
        return !PercentEncoding.decode(last).contains(UInt8(ascii: "."))
    }

    /// Whether `pathExtension` of a path is empty on iOS: no dot in its last component, only a
    /// leading or trailing dot, or a space after it.
    private static func hasNoExtension(_ path: [UInt8]) -> Bool {
        let slash = UInt8(ascii: "/")
        let end = path.lastIndex { $0 != slash }.map { $0 + 1 } ?? 0
        let start = path[..<end].lastIndex(of: slash).map { $0 + 1 } ?? 0
        guard let dot = path[start..<end].lastIndex(of: UInt8(ascii: ".")), dot > start else {
            return true
        }
        return dot + 1 == end || path[dot..<end].contains(0x20)
    }

    /// The handler's behavior for a missing file.
    private func miss(_ url: URLRecord) -> Resolution.Outcome {
        switch profile.client.fallback {
        case .none: return .fallback(.nothing)
        case .http, .https:
            // The request itself goes to the network.
            if profile.isIntercepted { return .fallback(.scheme(url.scheme)) }
            return rewritten(url)
        }
    }

    /// The request made by a handler that replaces the scheme.
    private func rewritten(_ url: URLRecord) -> Resolution.Outcome {
        let scheme = Array(profile.scheme.utf8)
        // `hasPrefix:` with the app's constant: WebKit's URL is in lower case.
        if profile.client.schemeComparison == .exact, scheme != self.scheme {
            return .crash(.schemeNotRecognised)
        }
        // `stringByReplacingOccurrencesOfString:` replaces every occurrence of the scheme's
        // name.
        let target = fallbackScheme
        let text = Self.replacing(self.scheme, with: target, in: url.serialized())
        guard let fallback = URLRecord.parse(text), fallback.host != nil,
            fallback.scheme == target
        else { return .crash(.fallbackUnparsable) }
        return .fallback(
            url.withScheme(target) == fallback ? .scheme(target) : .url(fallback))
    }

    private static func replacing(
        _ word: [UInt8], with other: [UInt8], in text: [UInt8]
    ) -> [UInt8] {
        guard !word.isEmpty else { return text }
        var result: [UInt8] = []
        var position = 0
        while position < text.count {
            if text[position...].starts(with: word) {
                result += other
                position += word.count
            } else {
                result.append(text[position])
                position += 1
            }
        }
        return result
    }
}
