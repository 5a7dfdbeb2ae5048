package import PackGround
import PackURL

/// The public URL of an origin; every published file is below it.
package struct BaseURL: Hashable, Sendable, CustomStringConvertible {
    /// Without a trailing slash.
    package let description: String

    /// Checks a base URL: `https` or `http`, a host, no user, query, fragment, or `.`/`..`
    /// component.
    ///
    /// - Throws: ``Failure`` with the problem.
    package init(_ text: String) throws(Failure) {
        // A password must not get into a build log.
        let shown = text.lastIndex(of: "@").map { "…" + text[$0...] } ?? text
        let fail = { (problem: String) in
            Failure.invalidArgument(
                kind: "base URL", word: shown, problem: problem,
                example: "https://cdn.example.com/shop")
        }
        var rest = text[...]
        if rest.hasPrefix("https://") {
            rest = rest.dropFirst("https://".count)
        } else if rest.hasPrefix("http://") {
            rest = rest.dropFirst("http://".count)
        } else {
            throw fail("does not start with https://")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw fail("contains a space or a character that must be percent-encoded")
        }
        if let bad = text.first(where: { "?#\\<>\"^`{}|".contains($0) }) {
            throw fail("contains '\(bad)'")
        }
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        let parts = rest.pathComponents(omittingEmpty: false)
        let host = parts[0]
        guard !host.isEmpty, !host.hasPrefix(":") else { throw fail("has no host") }
        guard !host.contains("@") else { throw fail("contains a user name") }
        if let problem = Self.problem(ofHost: host) { throw fail(problem) }
        for part in parts.dropFirst() {
            guard !part.isEmpty else { throw fail("has an empty path component") }
            let decoded = PercentCoding.decode(part)
            guard let decoded, decoded != [0x2E], decoded != [0x2E, 0x2E],
                !decoded.contains(UInt8(ascii: "/"))
            else { throw fail("has the path component '\(part)'") }
        }
        description = text.hasPrefix("https://") ? "https://" + rest : "http://" + rest
    }

    /// The problem of a host and its port; `nil` if every client can parse them.
    ///
    /// The URL standard accepts two forms that client libraries reject: an empty label, and a colon
    /// without a port.
    private static func problem(ofHost host: Substring) -> String? {
        guard let parsed = URLRecord.parse("https://\(host)/")?.host, !parsed.serialized.isEmpty
        else { return "has the host '\(host)', which no client can parse" }
        if host.utf8.last == UInt8(ascii: ":") { return "has a colon and no port after it" }
        if host.utf8.first != UInt8(ascii: "["),
            host.prefix(while: { $0 != ":" }).split(
                separator: ".", omittingEmptySubsequences: false
            )
            .dropLast().contains(where: \.isEmpty)
        {
            return "has the host '\(host)' with an empty label"
        }
        return nil
    }

    /// The URL of a file at a path relative to the origin's root.
    package func url(of path: some Sequence<UInt8>) -> String {
        description + "/" + PercentCoding.encodePath(path)
    }

    /// The URL of a file at a path relative to the origin's root.
    package func url(of path: String) -> String { url(of: path.utf8) }

    /// The URL of an asset's object.
    package func url(ofObject asset: Asset) -> String {
        var text: [UInt8] = []
        append(objectOf: asset, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// The first URL of a manifest other than its object's; `nil` if there is none.
    package func foreignURL(in entries: [ManifestEntry]) -> String? {
        var expected: [UInt8] = []
        for entry in entries {
            expected.removeAll(keepingCapacity: true)
            append(objectOf: entry.asset, to: &expected)
            if !entry.url.utf8.elementsEqual(expected) { return entry.url }
        }
        return nil
    }

    private func append(objectOf asset: Asset, to text: inout [UInt8]) {
        text.reserveCapacity(description.utf8.count + 80 + asset.path.bytes.count)
        text += description.utf8
        text.append(UInt8(ascii: "/"))
        // Only the name can have bytes to encode.
        OriginLayout.append(folderOf: asset, to: &text)
        PercentCoding.append(asset.path.lastComponent, to: &text)
    }

    /// The path of a URL, relative to the origin's root.
    ///
    /// `nil` for a URL outside the origin or not in the exact form that ``url(of:)-(String)``
    /// writes.
    package func path(of url: String) -> AssetPath? {
        guard url.utf8.starts(with: (description + "/").utf8) else { return nil }
        let encoded = url.utf8.dropFirst(description.utf8.count + 1)
        guard let bytes = PercentCoding.decode(Substring(encoded)),
            let path = try? AssetPath(bytes),
            PercentCoding.encodePath(bytes).utf8.elementsEqual(encoded)
        else { return nil }
        return path
    }
}

/// The path of a `file://` URL, percent-decoded; `nil` if it is not valid text.
package func decodedPath(_ encoded: Substring) -> String? {
    guard let bytes = PercentCoding.decode(encoded), !bytes.contains(0) else { return nil }
    return String(utf8: bytes)
}
