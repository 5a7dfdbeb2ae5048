/// A parsed URL, by the URL Standard (docs/sources.md#url-standard).
///
/// Foundation's `URL` follows RFC 3986 and repairs, rejects and compares differently from the web
/// view that loads the page; this type behaves like the device. The components are serialized
/// bytes: percent-encoded ASCII, with one exception, see ``URLHost/domain(_:)``.
package struct URLRecord: Hashable, Sendable {
    /// In lower case, without the colon.
    package var scheme: [UInt8] = []
    package var username: [UInt8] = []
    package var password: [UInt8] = []
    /// `nil` in URLs without `//`, which is not the same as ``URLHost/empty``.
    package var host: URLHost?
    /// `nil` if there is none, or if it is the scheme's default.
    package var port: UInt16?
    /// The serialized path: any text if ``hasOpaquePath``, else a `/` before each component.
    package var path: [UInt8] = []
    /// Whether the path is not a list of components, as in `mailto:a@b` or `data:,x`.
    package internal(set) var hasOpaquePath = false
    /// Without the `?`; `nil` if there is no `?`.
    package var query: [UInt8]?
    /// Without the `#`; `nil` if there is no `#`.
    package var fragment: [UInt8]?

    /// Parses a reference, relative to `base` if given.
    ///
    /// - Returns: `nil` if parsing fails.
    @specialized(where Input == [UInt8])
    package static func parse<Input: Collection<UInt8>>(
        _ input: Input, base: URLRecord? = nil
    ) -> URLRecord? {
        var parser = URLParser(Array(input), base: base)
        return parser.parse()
    }

    /// Parses a reference given as text.
    package static func parse(_ input: String, base: URLRecord? = nil) -> URLRecord? {
        parse(input.utf8, base: base)
    }

    /// Whether the standard has special rules for the scheme.
    ///
    /// It has none for custom schemes: the host keeps its case, `\` is not a slash, and no port is
    /// the default.
    package var isSpecial: Bool { SpecialScheme.isSpecial(scheme) }

    package var hasCredentials: Bool { !username.isEmpty || !password.isEmpty }

    /// The components of the path; empty if the path is opaque or empty.
    ///
    /// If the path ends in `/`, the last component is empty.
    package var pathComponents: [ArraySlice<UInt8>] {
        if hasOpaquePath || path.isEmpty { return [] }
        return path.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }

    /// The URL as text (URL standard, "URL serializer").
    package func serialized(includingFragment: Bool = true) -> [UInt8] {
        var text = scheme
        text.append(UInt8(ascii: ":"))
        if let host {
            text += "//".utf8
            if hasCredentials {
                text += username
                if !password.isEmpty {
                    text.append(UInt8(ascii: ":"))
                    text += password
                }
                text.append(UInt8(ascii: "@"))
            }
            text += host.serialized
            if let port { text += ":\(port)".utf8 }
        } else if !hasOpaquePath, path.starts(with: "//".utf8) {
            // Otherwise the path's empty first component would be parsed as the start of a host.
            text += "/.".utf8
        }
        text += path
        if let query {
            text.append(UInt8(ascii: "?"))
            text += query
        }
        if includingFragment, let fragment {
            text.append(UInt8(ascii: "#"))
            text += fragment
        }
        return text
    }

    /// The URL as text.
    package var href: String { String(decoding: serialized(), as: UTF8.self) }
}

/// The schemes with special rules (URL standard, "special schemes").
enum SpecialScheme {
    static func isSpecial(_ scheme: [UInt8]) -> Bool {
        guard (2...5).contains(scheme.count) else { return false }
        return scheme.elementsEqual("https".utf8) || scheme.elementsEqual("http".utf8)
            || isFile(scheme) || scheme.elementsEqual("ws".utf8)
            || scheme.elementsEqual("wss".utf8) || scheme.elementsEqual("ftp".utf8)
    }

    static func isFile(_ scheme: [UInt8]) -> Bool { scheme.elementsEqual("file".utf8) }

    static func defaultPort(of scheme: [UInt8]) -> UInt16? {
        switch String(decoding: scheme, as: UTF8.self) {
        case "http", "ws": 80
        case "https", "wss": 443
        case "ftp": 21
        default: nil
        }
    }
}
