import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// Hashes in import maps.
    package static let integrityImportMap = Rule(
        "integrity-importmap", group: .security, level: .always(.error), fix: .safe,
        document: { document, sink in
            guard let html = document.html else { return }
            for fragment in html.fragments where fragment.kind == .importMap {
                let text = fragment.decoded(in: document.bytes.span)
                var position = 0
                var hidden = 0
                for (url, value) in ImportMapIntegrity.entries(text.bytes) {
                    let integrity = SubresourceIntegrity(value.utf8)
                    guard let strongest = integrity.strongest,
                        let file = document.resolve(Array(url.utf8)).file,
                        let digest = document.site.integrityDigest(of: file, strongest),
                        !integrity.accepts(digest: digest)
                    else { continue }
                    let right = strongest.expression(digest: digest)
                    let place =
                        hidden < ImportMapIntegrity.mostHidden
                        ? ImportMapIntegrity.range(of: value, in: text.bytes, from: position) : nil
                    if place == nil { hidden += 1 }
                    position = place?.upperBound ?? position
                    let range = place.map { text.sourceRange(of: $0) }
                    sink.report(
                        at: range ?? fragment.range,
                        """
                        '\(printable(document.site.path(file).bytes))' does not match this \
                        hash: browsers \
                        discard it
                        """,
                        notes: ["its \(strongest.rawValue) hash is \(right)"],
                        fix: range.map {
                            Fix(
                                .safe, "write the file's hash",
                                edits: [ByteEdit($0, Array(right.utf8))])
                        })
                }
            }
        })
}

private enum ImportMapIntegrity {
    /// The search ends after this number of values not found in the text.
    static let mostHidden = 8

    static func entries(_ text: [UInt8]) -> [(url: String, value: String)] {
        guard case .object(let members)? = try? JSONParser.parse(text),
            case .object(let entries)? = members.first(where: { $0.name == "integrity" })?.value
        else { return [] }
        return entries.compactMap { member in
            guard case .string(let value) = member.value else { return nil }
            return (member.name, value)
        }
    }

    /// The range of a value; `nil` if JSON escapes hide it.
    static func range(of value: String, in text: [UInt8], from start: Int) -> Range<Int>? {
        let word = Array(value.utf8)
        let end = text.count - word.count
        guard !word.isEmpty, start <= end else { return nil }
        return (start...end).first { text[$0...].starts(with: word) }.map {
            $0..<($0 + word.count)
        }
    }
}
