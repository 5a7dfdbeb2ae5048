import PackGround
import PackProfile
import PackURL

/// Assigns failed lookups to rules.
enum LookupModel {
    /// Whether a request fails without a more specific explanation.
    static func isPlainMiss(_ reference: Reference, in site: SiteIndex) -> Bool {
        guard reference.resolution.isMiss, reference.fault == nil else {
            return false
        }
        return reference.miss(in: site).cause == .missing
            && RootCheck.found(reference, in: site) == nil
    }

    /// Whether another rule explains why a request fails: its letter case, root or host.
    static func isReportedElsewhere(
        _ reference: Reference, in document: DocumentContext
    ) -> Bool {
        guard reference.resolution.isMiss, reference.use.isFetched, reference.isEffective else {
            return false
        }
        if ProtocolRelative.isReported(reference, in: document.profile) { return true }
        guard reference.fault == nil else { return false }
        if RootCheck.found(reference, in: document.site) != nil { return true }
        switch reference.miss(in: document.site).cause {
        case .letterCase, .normalization, .percentEncoding: return true
        case .missing, .directory, .querySlash, .fragment: return false
        }
    }

    /// The reason why the handler finds no file.
    enum Cause: Equatable {
        /// No file has a similar name.
        case missing
        /// The URL ends with a directory.
        case directory
        /// The last slash of the URL is in its query.
        case querySlash
        /// The fragment is part of the looked-up name.
        case fragment
        /// A file has the name in another letter case.
        case letterCase(Int)
        /// A file has the name in another Unicode normal form.
        case normalization(Int)
        /// A file has the name, but the handler looks for its percent-encoded form.
        case percentEncoding(Int)
    }

    /// The first cause whose repair would find a file; otherwise the most informative one.
    static func cause(of resolution: Resolution, in site: SiteIndex) -> Cause {
        guard let url = resolution.url, let name = resolution.lookedUp else { return .missing }
        let client = site.profile.client
        var plain = url
        if client.lookUp == .basename, client.query == .afterLastSlash,
            url.query?.contains(UInt8(ascii: "/")) == true
        {
            plain.query = nil
            if site.resolver.resolve(plain).file != nil { return .querySlash }
        }
        if client.fragment == .keep, url.fragment != nil, url.query == nil {
            plain.fragment = nil
            if site.resolver.resolve(plain).file != nil { return .fragment }
        }
        if name.isEmpty || url.path.last == UInt8(ascii: "/") { return .directory }
        if let meant = meant(name, in: site) {
            if !client.decodesPercent, name.contains(UInt8(ascii: "%")),
                PercentEncoding.decode(name) == nameLookedUp(of: meant, in: site)
            {
                return .percentEncoding(meant)
            }
            let decoded = client.decodesPercent ? name : PercentEncoding.decode(name)
            let file = nameLookedUp(of: meant, in: site)
            return AssetPath.lowercasedASCII(decoded) == AssetPath.lowercasedASCII(file)
                ? .letterCase(meant) : .normalization(meant)
        }
        return .missing
    }

    private static func nameLookedUp(of file: Int, in site: SiteIndex) -> [UInt8] {
        let path = site.path(file)
        return site.profile.client.lookUp == .basename ? path.fileName : path.bytes
    }

    /// The file found if case, normal form and encoding are ignored.
    private static func meant(_ name: [UInt8], in site: SiteIndex) -> Int? {
        let decoded = PercentEncoding.decode(name)
        let last =
            decoded.lastIndex(of: UInt8(ascii: "/")).map { decoded[($0 + 1)...] }
            ?? decoded[...]
        return site.profile.client.lookUp == .basename
            ? site.listing.indices(foldedName: last).first
            : site.listing.index(foldedPath: decoded)
    }

    /// The message for a link to a page that the handler does not find.
    static func pageMessage(_ reference: Reference, in site: SiteIndex) -> String {
        guard let page = site.shortenedPage(reference.resolution) else {
            return missMessage(reference, in: site)
        }
        return """
            the handler does not find '\(reference.text)', which is in the package as \
            '\(printable(site.path(page).bytes))'
            """
    }

    /// The notes for ``pageMessage(_:in:)``.
    static func pageNotes(_ reference: Reference, in site: SiteIndex) -> [String] {
        let hints = site.hints(for: reference.resolution)
        guard let page = site.shortenedPage(reference.resolution),
            let whole = ReferenceAddress.of(site.path(page), insteadOf: reference, in: site)
        else { return hints }
        return hints + ["write the file's whole name: '\(whole)'"]
    }

    static func missMessage(_ reference: Reference, in site: SiteIndex) -> String {
        let text = reference.text
        switch reference.resolution.outcome {
        case .startPageInstead:
            return """
                '\(text)' is not in the package; the handler answers with the start page
                """
        case .crash(.schemeNotRecognised):
            return """
                '\(text)' is not in the package, and the client sends no response to such a \
                request because its scheme has capital letters
                """
        case .crash:
            return """
                '\(text)' is not in the package, and the handler fails without a response
                """
        default: return "'\(text)' is not in the package"
        }
    }
}

extension AssetPath {
    static func lowercasedASCII(_ name: [UInt8]) -> [UInt8] {
        name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
}
