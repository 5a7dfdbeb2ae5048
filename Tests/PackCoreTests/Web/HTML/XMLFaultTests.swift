import PackWeb
import TestSupport
import Testing

/// SVG images refused and shown by libxml in WebKitGTK 2.50.
struct XMLFaultTests {
    private static func root(_ content: String) -> String {
        "<svg xmlns=\"http://www.w3.org/2000/svg\">\(content)</svg>"
    }

    static let shown: [String] = [
        root("<path d=\"M0 0h8v8H0z\"/>"), "\n\(root(""))", "\u{FEFF}\(root(""))",
        "<!DOCTYPE svg [<!ENTITY ns \"http://www.w3.org/2000/svg\">]><svg xmlns=\"&ns;\"/>",
        "<?xml version='1.0'?>\n<!-- a -->\(root("a &amp; &#38; <![CDATA[<g>&]]><?x y?>"))\n",
        root("<g xmlns:a=\"b\"><a:c a:d=\"'\"/></g>"), root("<a.b-c />"),
        root("<g xml:space='preserve'\n\tid = \"a\"></g >"),
    ]

    @Test(arguments: shown) func acceptsWhatIsShown(_ text: String) {
        #expect(XMLFault.first(in: Array(text.utf8).span) == nil)
    }

    static let refused: [String] = [
        root("<g>"), "<svg>", "<svg width=8/>", root("<a b=\"\" b=\"\"/>"), root("&nbsp;"),
        root("a & b"), root("<use xlink:href=\"#a\"/>"), root("<sodipodi:x/>"),
        "\(root(""))<g/>", "\(root(""))x", root("<!-- a -- b -->"),
        " <?xml version=\"1.0\"?><svg/>", "<svg a=\"<\"/>", "<svg hidden/>", root("\u{1}"),
        root("<G></g>"), "", "<!doctype html><p>x", root("<![CDATA[x"), root("</g>"),
    ]

    @Test(arguments: refused) func refusesWhatIsNotShown(_ text: String) {
        #expect(XMLFault.first(in: Array(text.utf8).span) != nil)
    }

    @Test func saysWhere() {
        let text = Self.root("<use xlink:href=\"#a\"/>")
        #expect(XMLFault.first(in: Array(text.utf8).span)?.offset == 40)
    }
}
