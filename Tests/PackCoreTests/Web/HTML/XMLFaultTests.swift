import PackWeb
import TestSupport
import Testing

/// What libxml in WebKitGTK 2.50 refused as a picture, and what it showed.
struct XMLFaultTests {
    private static func root(_ content: String) -> String {
        "<svg xmlns=\"http://www.w3.org/2000/svg\">\(content)</svg>"
    }

    @Test(arguments: [
        root("<path d=\"M0 0h8v8H0z\"/>"), "\n" + root(""), "\u{FEFF}" + root(""),
        "<!DOCTYPE svg [<!ENTITY ns \"http://www.w3.org/2000/svg\">]><svg xmlns=\"&ns;\"/>",
        "<?xml version='1.0'?>\n<!-- a -->" + root("a &amp; &#38; &#x26; <![CDATA[<g>&]]><?x y?>")
            + "\n",
        root("<g xmlns:a=\"b\"><a:c a:d=\"'\"/></g>"), root("<\u{E9}/>"), root("<a.b-c />"),
        root("<g xml:space='preserve'\n\tid = \"a\"></g >"),
    ])
    func acceptsWhatIsShown(_ text: String) {
        #expect(XMLFault.first(in: Array(text.utf8).span) == nil)
    }

    @Test(arguments: [
        (root("<g>"), 43), ("<svg>", 1), ("<svg width=8/>", 5), (root("<a b=\"\" b=\"\"/>"), 48),
        (root("&nbsp;"), 40), (root("a & b"), 42), (root("<use xlink:href=\"#a\"/>"), 40),
        (root("<sodipodi:x/>"), 40), (root("") + "<g/>", 46), (root("") + "x", 46),
        (root("<!-- a -- b -->"), 40), (" <?xml version=\"1.0\"?><svg/>", 1),
        ("<svg a=\"<\"/>", 8), ("<svg hidden/>", 5), (root("\u{1}"), 40), (root("<G></g>"), 43),
        ("", 0), ("<!doctype html><p>x", 16), (root("<![CDATA[x"), 40), (root("</g>"), 40),
    ])
    func refusesWhatIsNotShown(_ text: String, _ offset: Int) {
        #expect(XMLFault.first(in: Array(text.utf8).span)?.offset == offset)
    }

    @Test func neverTraps() {
        var noise = Noise(seed: 7)
        let pieces = [
            "<", ">", "/", "&", ";", "!--", "--", "[", "]]>", "?", "\"", "'", "=", "a", ":", " ",
            "x",
        ]
        for length in 0..<3000 {
            let text = noise.bytes(length % 30).flatMap {
                Array(pieces[Int($0) % pieces.count].utf8)
            }
            _ = XMLFault.first(in: text.span)
            _ = XMLFault.first(in: noise.bytes(length % 50).span)
        }
    }
}
