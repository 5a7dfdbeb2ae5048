/// A URL in data: a web app manifest, an import map, linked data, a page's state.
package struct DataReference: Sendable {
    /// The kind of a URL in data.
    package enum Kind: String, CaseIterable, Sendable {
        /// A string of a JSON text that is an absolute URL.
        case json
        /// A member of a web app manifest that contains a URL.
        case manifest
        /// The start page of a web app and related URLs: `start_url`, `scope`, `id`.
        case manifestPage = "manifest-page"
        /// An address in an import map.
        case importMap = "import-map"
        /// A prefix or key of an import map: `scopes`, `integrity`.
        case importMapKey = "import-map-key"
        /// A URL in JSON-LD.
        case linkedData = "linked-data"
        /// `@context`, `@id` and `@type` of JSON-LD.
        case linkedDataName = "linked-data-name"
        /// A rule for prefetching and prerendering.
        case speculationRule = "speculation-rule"
        /// `<?xml-stylesheet href?>`.
        case xmlStyleSheet = "xml-style-sheet"
    }

    package let kind: Kind
    /// The bytes of the URL, without quotes.
    package let range: Range<Int>
    package let value: [UInt8]
    /// The names of the members around it.
    package let path: [String]
}

/// Finds the URLs in data of each kind.
package enum DataReferences {
    /// The URLs of a web app manifest (W3C), which are relative to its own URL.
    package static func manifest(_ source: Span<UInt8>) -> [DataReference] {
        var found: [DataReference] = []
        JSONStrings.walk(source) { string in
            if !string.isName, let kind = manifestKind(string.path) {
                found.append(
                    DataReference(
                        kind: kind, range: string.range, value: string.value, path: string.path))
            }
            return true
        }
        return found
    }

    private static func manifestKind(_ path: [String]) -> DataReference.Kind? {
        switch path.joined(separator: ".") {
        case "start_url", "scope", "id": .manifestPage
        case "icons.[].src", "screenshots.[].src", "shortcuts.[].icons.[].src",
            "related_applications.[].url", "shortcuts.[].url", "share_target.action",
            "file_handlers.[].action", "protocol_handlers.[].url", "file_handlers.[].icons.[].src":
            .manifest
        default: nil
        }
    }

    /// The addresses and keys of an import map (HTML 8.1.6.2).
    package static func importMap(_ source: Span<UInt8>) -> [DataReference] {
        var found: [DataReference] = []
        func add(_ kind: DataReference.Kind, _ string: JSONStrings.Found) {
            found.append(
                DataReference(
                    kind: kind, range: string.range, value: string.value, path: string.path))
        }
        JSONStrings.walk(source) { string in
            switch (string.path.first, string.path.count, string.isName) {
            case ("imports", 2, false), ("scopes", 3, false): add(.importMap, string)
            case ("scopes", 1, true), ("integrity", 1, true): add(.importMapKey, string)
            // The keys that are absolute URLs; bare keys are names.
            case ("imports", 1, true), ("scopes", 2, true):
                if string.value.firstRange(of: Array("://".utf8)) != nil {
                    add(.importMapKey, string)
                }
            default: break
            }
            return true
        }
        return found
    }

    /// The URLs of JSON-LD: strings that are absolute, and the names of the vocabulary.
    package static func linkedData(_ source: Span<UInt8>) -> [DataReference] {
        absolute(source) { path in
            let name = path.last { $0 != "[]" } ?? ""
            let isName =
                path.contains("@context") || name == "@id" || name == "@type" || name == "@vocab"
            return isName ? .linkedDataName : .linkedData
        }
    }

    /// The absolute URLs of any other JSON text.
    package static func json(
        _ source: Span<UInt8>, _ kind: DataReference.Kind = .json
    ) -> [DataReference] {
        absolute(source) { _ in kind }
    }

    private static func absolute(
        _ source: Span<UInt8>, _ kind: ([String]) -> DataReference.Kind
    ) -> [DataReference] {
        var found: [DataReference] = []
        JSONStrings.walk(source, wanted: { isAbsolute(source, $0) }) { string in
            if !string.isName {
                found.append(
                    DataReference(
                        kind: kind(string.path), range: string.range, value: string.value,
                        path: string.path))
            }
            return true
        }
        return found
    }

    /// Whether a string has a scheme and two slashes (escaped, as PHP writes them, or not), or starts
    /// with two.
    private static func isAbsolute(_ source: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count >= 4, range.count <= 2048 else { return false }
        var index = range.lowerBound
        let last = min(range.upperBound, index + 40)
        while index < last {
            let byte = source[index]
            if byte == UInt8(ascii: ":") || index == range.lowerBound && byte == UInt8(ascii: "/")
                || index == range.lowerBound && byte == UInt8(ascii: "\\")
            {
                var next = byte == UInt8(ascii: ":") ? index + 1 : index
                var slashes = 0
                while next < range.upperBound, slashes < 2 {
                    if source[next] == UInt8(ascii: "\\") {
                        next += 1
                        continue
                    }
                    guard source[next] == UInt8(ascii: "/") else { return false }
                    slashes += 1
                    next += 1
                }
                return slashes == 2
            }
            let isScheme =
                byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte >= 0x30 && byte <= 0x39
                || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
            guard isScheme else { return false }
            index += 1
        }
        return false
    }

    /// The `href` of each `<?xml-stylesheet?>` before the root element of an SVG file.
    package static func xmlStyleSheets(_ source: Span<UInt8>) -> [DataReference] {
        var found: [DataReference] = []
        var index = 0
        let limit = min(source.count, 65536)
        while index + 16 < limit {
            guard source[index] == UInt8(ascii: "<") else {
                index += 1
                continue
            }
            if source.holds("<svg", at: index) { return found }
            guard source.holds("<?xml-stylesheet", at: index) else {
                index += 1
                continue
            }
            var end = index + 16
            while end < limit, source[end] != UInt8(ascii: ">") { end += 1 }
            if let range = pseudoAttribute("href", source, index + 16..<end) {
                found.append(
                    DataReference(
                        kind: .xmlStyleSheet, range: range, value: range.map { source[$0] },
                        path: []))
            }
            index = end
        }
        return found
    }

    private static func pseudoAttribute(
        _ name: StaticString, _ source: Span<UInt8>, _ range: Range<Int>
    ) -> Range<Int>? {
        var index = range.lowerBound
        while index < range.upperBound {
            guard source[index] <= 0x20, source.holds(name, at: index + 1) else {
                index += 1
                continue
            }
            index += 1 + name.utf8CodeUnitCount
            while index < range.upperBound, source[index] <= 0x20 || source[index] == 0x3D {
                index += 1
            }
            guard index < range.upperBound else { return nil }
            let quote = source[index]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
            var end = index + 1
            while end < range.upperBound, source[end] != quote { end += 1 }
            return end < range.upperBound ? index + 1..<end : nil
        }
        return nil
    }
}
