import PackGround
import PackProfile
import PackURL

/// A fault in the spelling of a URL, found before the lookup of a file.
///
/// One mistake gives one finding: a spelling rule reports only the first fault of this list, and
/// the lookup rules only URLs without a fault.
enum URLFault: Equatable {
    /// A word before `://` that is almost the custom scheme but not a valid one, so the URL is a
    /// relative path.
    case notAScheme(String)
    /// `cs://https://h/x`, `https:cs://h`, `cs://h//x`, with the corrected URL.
    case doubleScheme(meant: String)
    /// `cs:/x`, `cs:x`, `cs:///x`.
    case missingSlashes(meant: String?)
    /// `\`, which browsers repair only in https URLs.
    case backslash(meant: String)
    case placeholder
    case unparsable
    /// A scheme other than the configured one.
    case otherScheme(String)
    case hostCase
    case hostNotASCII
    case hostUnknown

    /// Schemes used by pages for which no app registers a handler.
    static let wellKnown: Set<String> = [
        "http", "https", "ws", "wss", "ftp", "file", "data", "blob", "about", "javascript",
        "mailto", "tel", "sms", "facetime", "itms", "itms-apps", "itms-appss", "maps", "geo",
        "market", "intent", "view-source", "chrome-extension", "urn", "cid", "mid", "content",
    ]

    /// The first fault of a reference, if any.
    static func of(_ reference: ReferenceText, _ profile: Profile) -> URLFault? {
        let value = trimmed(reference.value)
        guard reference.resolution.isMiss || value.contains(where: isTelling) else { return nil }
        switch reference.use {
        case .identifier, .inert, .literal: return nil
        case .subresource, .document, .navigation, .submission, .beacon, .request,
            .connectionHint, .base, .metadata:
            break
        }
        if reference.use != .metadata, Placeholder.of(reference.value, reference.resolution) != nil
        {
            return .placeholder
        }
        if let fault = ofSpelling(value, reference, profile) { return fault }
        return ofHost(reference, profile)
    }

    /// Whether a byte can be part of a fault; a URL without such bytes has none.
    private static func isTelling(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ":"), UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "%"),
            UInt8(ascii: "<"), UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "["):
            true
        default: byte == UInt8(ascii: "/")
        }
    }

    private static func trimmed(_ value: [UInt8]) -> [UInt8] {
        let start = value.drop { $0 <= 0x20 }
        let end = start.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start.startIndex
        return Array(start[..<end])
    }

    // MARK: - Spelling

    private static func ofSpelling(
        _ value: [UInt8], _ reference: ReferenceText, _ profile: Profile
    ) -> URLFault? {
        let written = Reference.scheme(of: value)
        // Browsers repair slashes and backslashes in URLs of http and https.
        guard !profile.isIntercepted else {
            if reference.resolution.outcome == .notARequest(.unparsable) { return .unparsable }
            let word = String(decoding: written ?? Array("https".utf8), as: UTF8.self)
            let isLost =
                ["file", "content", "ftp"].contains(word)
                || !wellKnown.contains(word) && !profile.appSchemes.contains(word)
            let isAddress = value.dropFirst(word.utf8.count + 1).starts(with: "//".utf8)
            return isLost && isAddress && (reference.use.isFetched || reference.use == .base)
                ? .otherScheme(word) : nil
        }
        let custom = profile.canonicalScheme
        if written == custom {
            let rest = Array(value[(custom.count + 1)...])
            if let meant = SchemeSpelling.nested(rest, profile) {
                return .doubleScheme(meant: meant)
            }
            if !rest.starts(with: "//".utf8) || rest.starts(with: "///".utf8) {
                return .missingSlashes(meant: SchemeSpelling.withHost(rest, profile))
            }
        } else if let written, written == Array("https".utf8) || written == Array("http".utf8) {
            let rest = Array(value[(written.count + 1)...])
            if let meant = SchemeSpelling.customInside(rest, profile) {
                return .doubleScheme(meant: meant)
            }
        } else if let written {
            let word = String(decoding: written, as: UTF8.self)
            let isOther =
                !wellKnown.contains(word) && !profile.appSchemes.contains(word)
                && value.dropFirst(written.count + 1).starts(with: "//".utf8)
            if isOther,
                reference.use.isFetched || reference.use == .base
                    || SchemeSpelling.isNear(word, to: profile.scheme)
            {
                return .otherScheme(word)
            }
        } else if let word = SchemeSpelling.wordBeforeSlashes(value),
            SchemeSpelling.isNear(word.lowercased(), to: profile.scheme)
        {
            return .notAScheme(word)
        }
        if let fault = backslash(value, reference, custom) { return fault }
        if reference.resolution.outcome == .notARequest(.unparsable),
            written == custom || written == nil && profile.hasCustomPages
        {
            return .unparsable
        }
        return nil
    }

    private static func backslash(
        _ value: [UInt8], _ reference: ReferenceText, _ custom: [UInt8]
    ) -> URLFault? {
        let path = value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard path.contains(UInt8(ascii: "\\")) else { return nil }
        // In an https URL, the parser treats it as a slash.
        let scheme = reference.resolution.url?.scheme ?? Reference.scheme(of: value) ?? custom
        guard scheme == custom else { return nil }
        let meant = path.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
        return .backslash(
            meant: String(decoding: meant + value[path.count...], as: UTF8.self))
    }

    // MARK: - Hosts

    private static func ofHost(_ reference: ReferenceText, _ profile: Profile) -> URLFault? {
        guard !profile.isIntercepted, let url = reference.resolution.url,
            url.scheme == profile.canonicalScheme,
            let host = url.host?.serialized
        else { return nil }
        if host.contains(UInt8(ascii: "%")) { return .hostNotASCII }
        guard profile.ownsHost(url.host),
            !ProtocolRelative.isThirdParty(reference.value, reference.resolution, profile)
        else {
            return .hostUnknown
        }
        return host.contains { (0x41...0x5A).contains($0) } ? .hostCase : nil
    }
}

/// Placeholders not replaced by the build: `{{cdn}}`, `%PUBLIC_URL%`, `<%= base %>`, `__ASSETS__`.
enum Placeholder {
    /// The placeholder in a reference, or in its base if it finds no file.
    static func of(_ value: [UInt8], _ resolution: Resolution) -> String? {
        if let word = find(in: value) { return word }
        guard resolution.isMiss, Reference.scheme(of: value) == nil,
            let path = resolution.url?.path
        else { return nil }
        return find(in: PercentEncoding.decode(path))
    }

    /// Whether `unresolved-placeholder` reports a reference, so that no other rule reports it as
    /// missing.
    static func isReported(_ reference: Reference) -> Bool {
        reference.isEffective && !reference.traits.contains(.inTemplate)
            && reference.fault == .placeholder
    }

    /// The first placeholder, if any; `data:` URLs are ignored, because their content is arbitrary.
    static func find(in value: [UInt8]) -> String? {
        guard value.contains(where: { "{<$@[%_".utf8.contains($0) || $0 == UInt8(ascii: "E") })
        else {
            return nil
        }
        if Reference.scheme(of: Array(value.drop { $0 <= 0x20 })) == Array("data".utf8) {
            return nil
        }
        for (open, close) in [
            ("{{", "}}"), ("{%", "%}"), ("<%", "%>"), ("${", "}"), ("@@", "@@"), ("[[", "]]"),
        ] {
            guard let start = value.firstRange(of: Array(open.utf8))?.lowerBound else { continue }
            if let end = value[(start + 2)...].firstRange(of: Array(close.utf8))?.upperBound {
                return printable(value[start..<end])
            }
            // A quote or slash inside ends the attribute or directory before the placeholder's end.
            if open == "{{" {
                return printable(value[start...].prefix { $0 != UInt8(ascii: "/") })
            }
        }
        return percentWord(value) ?? underscoreWord(value)
    }

    /// `%PUBLIC_URL%`: capital letters between percent signs, but not `%20%20`, `%2220%` or the end
    /// of `Ê` in `%C3%8ATRE%20`.
    private static func percentWord(_ value: [UInt8]) -> String? {
        let pieces = value.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        guard pieces.count > 2 else { return nil }
        var isInCharacter = false
        for piece in pieces.dropFirst().dropLast() {
            let isEscape = piece.count == 2 && isCapitals(piece)
            if piece.count > 3, !isInCharacter, isCapitals(piece),
                !piece.prefix(2).contains(where: { (0x30...0x39).contains($0) })
            {
                return "%\(printable(piece))%"
            }
            isInCharacter = isEscape && (piece.first ?? 0) > UInt8(ascii: "7")
        }
        return nil
    }

    private static func underscoreWord(_ value: [UInt8]) -> String? {
        for word in value.split(whereSeparator: {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "?")
        })
        where isPlaceholderName(word)
            || word.count > 6 && word.starts(with: "__".utf8)
                && word.reversed().starts(with: "__".utf8)
                && isCapitals(word) && word.contains(where: { (0x41...0x5A).contains($0) })
        {
            return printable(word)
        }
        return nil
    }

    /// `APP_BASE_REPLACE_PLACEHOLDER`: a name in capital letters containing PLACEHOLDER or
    /// REPLACE_ME.
    private static func isPlaceholderName(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count >= 11, isCapitals(word) else { return false }
        return ["PLACEHOLDER", "REPLACE_ME"].contains { word.firstRange(of: Array($0.utf8)) != nil }
    }

    private static func isCapitals(_ word: some Sequence<UInt8>) -> Bool {
        word.allSatisfy {
            (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0)
        }
    }
}
