import TestSupport
import Testing

@testable import PackWeb

// @testable: only HTMLReader uses the tokenizer.

/// Properties of the tokenizer not covered by the oracle: ranges, quotes, duplicates.
struct HTMLTokenizerTests {
    /// The kinds and bytes of all tokens.
    private static func pieces(
        _ text: String, state: HTMLTokenizer.State = .data, cdata: Bool = false
    ) -> [String] {
        let bytes = Array(text.utf8)
        var tokenizer = HTMLTokenizer(
            range: 0..<bytes.count, state: state, lastStartTag: "script")
        tokenizer.allowsCDATA = cdata
        var pieces: [String] = []
        while let token = tokenizer.next(in: bytes.span) {
            let whole = String(decoding: bytes[token.range], as: UTF8.self)
            let content = String(decoding: bytes[token.content], as: UTF8.self)
            pieces.append("\(token.kind) \(whole) [\(content)]")
        }
        return pieces
    }

    @Test("tokens and what is inside them")
    func ranges() {
        #expect(
            Self.pieces("a<P x=y>b</P ><!--c--><?d?></>&amp;<!doctype e></ f>< g<h") == [
                "text a [a]", "startTag <P x=y> [P]", "text b [b]", "endTag </P > [P]",
                "comment <!--c--> [c]", "comment <?d?> [?d?]", "discarded </> [</>]",
                "text &amp; [&amp;]", "doctype <!doctype e> [<!doctype e>]", "comment </ f> [ f]",
                "text < g [< g]", "discarded <h [h]",
            ])
        #expect(
            Self.pieces("<![CDATA[a]]]>b", cdata: true)
                == ["cdata <![CDATA[a]]]> [a]]", "text b [b]"])
        #expect(Self.pieces("<![CDATA[a]]>") == ["comment <![CDATA[a]]> [[CDATA[a]]]"])
        #expect(
            Self.pieces("a<!--<script></script>-->b</script>c", state: .scriptData) == [
                "text a<!--<script></script>-->b [a<!--<script></script>-->b]",
                "endTag </script> [script]", "text c [c]",
            ])
    }

    @Test("a comment ends at its last two dashes, however many there are", arguments: 2...9)
    func dashes(count: Int) {
        let dashes = String(repeating: "-", count: count)
        let inside = String(repeating: "-", count: count - 2)
        #expect(
            Self.pieces("<!--a\(dashes)>b") == [
                "comment <!--a\(dashes)> [a\(inside)]", "text b [b]",
            ])
        #expect(
            Self.pieces("<!--\(dashes)!>b") == [
                "comment <!--\(dashes)!> [\(inside)]", "text b [b]",
            ])
        #expect(Self.pieces("<!--a\(dashes)") == ["comment <!--a\(dashes) [a\(inside)]"])
        #expect(
            Self.pieces("<!--\(dashes)!-x-->b")
                == ["comment <!--\(dashes)!-x--> [\(dashes)!-x]", "text b [b]"])
    }

    @Test(
        "a script in what looks like a comment in a script",
        arguments: [
            "<!--<script></script><script></script>", "<!--<script></script></scriptx>",
            "<!--<script><script></script>", "<!--<script>-->-->",
            "<!--<scripT/></SCRIPT/>--><script>", "<!--<script ><!--</script>-->",
            "<!--<scripts></scripts>", "<!-<script>", "<!--></scripts>", "<!--<script--></scripts>",
        ])
    func escapes(script: String) {
        #expect(
            Self.pieces("\(script)</script>b", state: .scriptData)
                == ["text \(script) [\(script)]", "endTag </script> [script]", "text b [b]"])
    }

    @Test(
        "an attribute's name, value and quotes",
        arguments: [
            ("<a href=\"x y\">", "href", "x y", .double),
            ("<a href='x\"y'>", "href", "x\"y", .single),
            ("<a href=x/>", "href", "x/", .unquoted), ("<a href = x>", "href", "x", .unquoted),
            ("<a href>", "href", "", .missing), ("<a href />", "href", "", .missing),
            ("<a href=>", "href", "", .unquoted), ("<a href=\"\">", "href", "", .double),
            ("<a\nHREF\n=\n'x'>", "HREF", "x", .single), ("<a =href=x>", "=href", "x", .unquoted),
            ("<a/href=x>", "href", "x", .unquoted), ("<a \"=b>", "\"", "b", .unquoted),
            ("<a a&amp;b=&amp;>", "a&amp;b", "&amp;", .unquoted),
        ] as [(String, String, String, HTMLQuote)])
    func attribute(page: String, name: String, value: String, quote: HTMLQuote) throws {
        let bytes = Array(page.utf8)
        var tokenizer = HTMLTokenizer(range: 0..<bytes.count)
        let first = tokenizer.next(in: bytes.span)
        let token = try #require(first)
        #expect(token.kind == .startTag && token.range == 0..<bytes.count)
        #expect(tokenizer.attributes.count == 1)
        let attribute = try #require(tokenizer.attributes.first)
        #expect(String(decoding: bytes[attribute.name], as: UTF8.self) == name)
        #expect(String(decoding: bytes[attribute.value], as: UTF8.self) == value)
        #expect(attribute.quote == quote)
        let whole = String(decoding: bytes[attribute.range], as: UTF8.self)
        #expect(whole.hasPrefix(name) && page.contains(whole))
        if let byte = quote.byte {
            #expect(bytes[attribute.range].last == byte)
            #expect(bytes[attribute.value.lowerBound - 1] == byte)
        }
    }

    @Test(
        "a repeated attribute is marked, whatever the number of attributes",
        arguments: [2, 23, 24, 25, 26, 60, 3000])
    func duplicates(count: Int) {
        var page = "<a"
        for index in 0..<count { page += " name\(index)=\(index)" }
        page += " NAME0 name\(count - 1) other OTHER>"
        let bytes = Array(page.utf8)
        var tokenizer = HTMLTokenizer(range: 0..<bytes.count, errorLimit: 9)
        _ = tokenizer.next(in: bytes.span)
        #expect(tokenizer.attributes.count == count + 4)
        let repeated = tokenizer.attributes.filter(\.isDuplicate).map {
            String(decoding: bytes[$0.name], as: UTF8.self)
        }
        #expect(repeated == ["NAME0", "name\(count - 1)", "OTHER"])
        #expect(tokenizer.errors.map(\.code) == Array(repeating: .duplicateAttribute, count: 3))
    }

    @Test("only the part of the page that was asked for is read")
    func part() {
        func ranges(_ range: Range<Int>) -> [Range<Int>] {
            let bytes = Array("<a><b></b><c>".utf8)
            var tokenizer = HTMLTokenizer(range: range)
            var ranges: [Range<Int>] = []
            while let token = tokenizer.next(in: bytes.span) { ranges.append(token.range) }
            return ranges
        }
        #expect(ranges(3..<8) == [3..<6, 6..<8])
        #expect(ranges(10..<99) == [10..<13])
        #expect(ranges(50..<99) == [])
    }

    @Test("no more errors are kept than asked for")
    func errorLimit() {
        let bytes = Array(String(repeating: "</>", count: 10).utf8)
        var tokenizer = HTMLTokenizer(range: 0..<bytes.count, errorLimit: 4)
        while tokenizer.next(in: bytes.span) != nil {}
        #expect(tokenizer.errors.map(\.offset) == [2, 5, 8, 11])
        #expect(tokenizer.omittedErrors == 6)
    }

    @Test("names are compared in lower case, short and long ones")
    func names() {
        for length in 0...40 {
            let lower = String("abcdefghijklmnopqrstuvwxyz-0123456789_:.".prefix(length))
            let upper = lower.uppercased()
            #expect(HTMLName(lower) == HTMLName(upper))
            #expect(HTMLName(lower) != HTMLName(lower + "x"))
            // The same name in the middle of a page, where eight bytes can be read at once.
            let page = Array(("<<<" + upper + ">>>>>>>>").utf8)
            #expect(HTMLName(page.span, 3..<(3 + upper.utf8.count)) == HTMLName(lower))
        }
        #expect(HTMLName("@[`{É") != HTMLName("`{@[é"))
        #expect(HTMLName("foreignObject").description == "foreignobject")
        #expect(HTMLName("A").description == "a")
    }
}
