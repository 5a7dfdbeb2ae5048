import PackWeb
import TestSupport
import Testing

/// Edits only change the bytes of their values.
struct HTMLEditTests {
    /// The page with all edits applied, as by a fix.
    private static func apply(_ edits: [HTMLEdit], to page: [UInt8]) throws -> [UInt8] {
        var edited = page
        let patches = try HTMLEdit.patches(edits, page.span)
        for patch in patches.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            edited.replaceSubrange(patch.range, with: patch.bytes)
        }
        return edited
    }

    /// The page with the first reference replaced.
    private static func replaced(_ page: String, _ value: String) throws -> String {
        let bytes = Array(page.utf8)
        let reference = try #require(HTMLReferences(of: bytes.span).references.first)
        let edits = [HTMLEdit(reference, value: Array(value.utf8))]
        let edited = try Self.apply(edits, to: bytes)
        // The value read back is the requested one.
        let again = HTMLReferences(of: edited.span).references.first
        #expect(again?.text == value)
        return String(decoding: edited, as: UTF8.self)
    }

    @Test(
        "values in their quotes",
        arguments: [
            ("<a href=\"x\">", "y", "<a href=\"y\">"), ("<a href='x'>", "y", "<a href='y'>"),
            ("<a href=x>", "y", "<a href=y>"), ("<a href=x >", "y/", "<a href=y/ >"),
            // Characters not allowed inside the quotes.
            ("<a href=\"x\">", "a\"b'c", "<a href=\"a&quot;b'c\">"),
            ("<a href='x'>", "a\"b'c", "<a href='a\"b&#39;c'>"),
            ("<a href=\"x\">", "a<b>\n", "<a href=\"a<b>\n\">"),
            ("<a href=\"x\">", "a\r\n", "<a href=\"a&#13;\n\">"),
            // `&` is only escaped if it would be read as a reference.
            ("<a href=\"x\">", "?a=1&b=2&&c", "<a href=\"?a=1&b=2&&c\">"),
            ("<a href=\"x\">", "?a&copy=1&copy;&lt", "<a href=\"?a&copy=1&amp;copy;&amp;lt\">"),
            ("<a href=\"x\">", "&#65;&#x;&unknown;", "<a href=\"&amp;#65;&#x;&unknown;\">"),
            // Unquoted values.
            ("<a href=x>", "a b", "<a href=\"a b\">"), ("<a href=x>", "", "<a href=\"\">"),
            ("<a href=x>", "a\"b", "<a href='a\"b'>"),
            ("<a href=x>", "a\"'b", "<a href=\"a&quot;'b\">"),
            ("<a href=x>", "a>b", "<a href=\"a>b\">"), ("<a href=x>", "a=b", "<a href=\"a=b\">"),
            ("<a href=>", "y", "<a href=y>"), ("<a href= >", "a b", "<a href= \"a b\">"),
            ("<a href>", "y", "<a href=\"y\">"),
            ("<a href class=c>", "y", "<a href=\"y\" class=c>"),
            ("<a href/>", "y", "<a href=\"y\"/>"), ("<a href>", "", "<a href>"),
        ])
    func quotes(page: String, value: String, expected: String) throws {
        #expect(try Self.replaced(page, value) == expected)
    }

    @Test(
        "what stays the same keeps its encoding",
        arguments: [
            (
                "<a href=\"https://h/?a&amp;b&#x3D;c\">", "cs://h/?a&b=c",
                "<a href=\"cs://h/?a&amp;b&#x3D;c\">"
            ),
            ("<a href=\"/a?x=1&amp;y=2\">", "/b?x=1&y=2", "<a href=\"/b?x=1&amp;y=2\">"),
            ("<a href=\"/a?x=1&amp;y=2\">", "/a?x=1&y=2", "<a href=\"/a?x=1&amp;y=2\">"),
            ("<a href=\"/a?x=1&y=2\">", "/a?x=1&z=2", "<a href=\"/a?x=1&z=2\">"),
            ("<a href=\"a&eacute;b\">", "aéc", "<a href=\"a&eacute;c\">"),
            // U+00E8 shares its first byte with U+00E9: the reference is replaced as a whole.
            ("<a href=\"a&eacute;&#x62;\">", "aèb", "<a href=\"aè&#x62;\">"),
            (
                "<a href=\"&#x61;&eacute;b\">", "aâ\u{AD}\u{A9}b",
                "<a href=\"&#x61;â\u{AD}\u{A9}b\">"
            ),
            // If old and new bytes together would form a reference, the whole value is written.
            ("<a href=\"a&xlt;\">", "a&lt;", "<a href=\"a&amp;lt;\">"),
            ("<a href=\"a&amp b\">", "a&=b", "<a href=\"a&=b\">"),
            ("<a href=a&#32;b>", "a &b", "<a href=a&#32;&b>"),
            // Raw text if scripting is enabled: quotes do not protect an end tag.
            (
                "<noscript><a href=\"x<y\"></noscript>", "x</NoScript>",
                "<noscript><a href=\"x&lt;/NoScript>\"></noscript>"
            ),
            ("<a href=x\"y'z>", "a x\"y'z", "<a href=\"a x&quot;y'z\">"),
            ("<a href=x\"y>", "\"y", "<a href=\"&quot;y\">"),
        ])
    func minimal(page: String, value: String, expected: String) throws {
        #expect(try Self.replaced(page, value) == expected)
    }

    @Test("several URLs of one attribute, several attributes")
    func several() throws {
        let page = """
            <!DOCTYPE html>\r\n<img srcset="https://h/a&amp;b.png 1x, https://h/c.png 2x"
            src=https://h/a>
            <p style='b:url(https://h/c&apos;d)' class = "x">
            """
        let bytes = Array(page.utf8)
        let found = HTMLReferences(of: bytes.span)
        func rewritten(_ value: [UInt8]) -> [UInt8] {
            let text = String(decoding: value, as: UTF8.self)
            return Array(
                text.split(separator: "https:", omittingEmptySubsequences: false)
                    .joined(separator: "cs:").utf8)
        }
        var edits = found.references.map { HTMLEdit($0, value: rewritten($0.value)) }
        for fragment in found.fragments {
            let attribute = try #require(fragment.attribute)
            let text = fragment.decoded(in: bytes.span).bytes
            edits.append(HTMLEdit(attribute, nil, value: rewritten(text)))
        }
        #expect(edits.count == 4)
        let edited = try Self.apply(edits.reversed(), to: bytes)
        #expect(edited == rewritten(bytes))
    }

    @Test("a value with U+0000 is refused")
    func refused() throws {
        let bytes = Array("<p style=x>".utf8)
        let fragment = try #require(HTMLReferences(of: bytes.span).fragments.first)
        let edit = HTMLEdit(try #require(fragment.attribute), nil, value: Array("a\0b".utf8))
        #expect(throws: HTMLEditError.notRepresentable(9..<10)) {
            try Self.apply([edit], to: bytes)
        }
    }

    @Test("edits that overlap or are outside the page are refused")
    func conflicts() throws {
        let bytes = Array("<a href=abc>".utf8)
        let found = HTMLReferences(of: bytes.span)
        let attribute = try #require(found.references.first).attribute
        let one = HTMLEdit(attribute, 0..<2, value: [0x78])
        let other = HTMLEdit(attribute, 1..<3, value: [0x79])
        #expect(throws: HTMLEditError.overlapping(8..<11)) {
            try Self.apply([one, other], to: bytes)
        }
        #expect(throws: HTMLEditError.overlapping(8..<11)) {
            try Self.apply([one, HTMLEdit(attribute, nil, value: [])], to: bytes)
        }
        let beyond = HTMLEdit(attribute, 2..<9, value: [])
        #expect(throws: HTMLEditError.outOfBounds(8..<11)) { try Self.apply([beyond], to: bytes) }
        #expect(throws: HTMLEditError.outOfBounds(3..<11)) { try Self.apply([one], to: [0x3C]) }
    }

    @Test(
        "random values in random pages are read back, and edited back give the page",
        arguments: 0..<24 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var generator = Noise(seed: seed)
        for round in 0..<60 {
            let page =
                round % 2 == 0
                ? HTMLSamples.mutated(&generator) : HTMLSamples.random(&generator, pieces: 50)
            let found = HTMLReferences(of: page.span)
            guard !found.references.isEmpty else { continue }
            let values = found.references.map { reference in
                // Lists require URLs without white space; a whole attribute allows everything but
                // U+0000.
                var value = HTMLSamples.random(&generator, pieces: 4).filter { $0 != 0 }
                if reference.syntax != .url {
                    value = value.filter { !" \t\n\u{C}\r\"',".utf8.contains($0) } + [0x78]
                }
                return value
            }
            let edits = zip(found.references, values).map { HTMLEdit($0, value: $1) }
            let edited = try Self.apply(edits, to: page)
            let again = HTMLReferences(of: edited.span)
            let context: Comment = "seed \(seed), round \(round)"
            // An edit can change the meaning of other references (a script's type is not in a URL).
            #expect(again.references.count == found.references.count, context)
            for (reference, value) in zip(again.references, values) where reference.syntax == .url {
                #expect(reference.value == value, context)
            }
        }
    }
}
