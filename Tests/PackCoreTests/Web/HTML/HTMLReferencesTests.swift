import PackWeb
import TestSupport
import Testing

/// The URLs of a page, with their kinds and ranges.
struct HTMLReferencesTests {
    /// `kind value` of each reference; `!` marks those ignored by browsers.
    static func references(_ page: String) -> [String] {
        let bytes = Array(page.utf8)
        return HTMLReferences(of: bytes.span).references.map {
            ($0.isEffective ? "" : "!") + "\($0.kind.rawValue) \($0.text)"
        }
    }

    @Test(
        "the attribute table",
        arguments: [
            ("<script src=u></script>", ["script u"]),
            ("<script src=u type=Module></script>", ["module-script u"]),
            ("<script src=u type=' text/javascript '></script>", ["script u"]),
            ("<script src=u type=text/template></script>", ["unused-script u"]),
            ("<script src=u language=JavaScript1.2></script>", ["script u"]),
            ("<link rel=stylesheet href=u>", ["style-sheet u"]),
            ("<link rel='ALTERNATE StyleSheet' href=u>", ["style-sheet u"]),
            ("<link rel='shortcut icon' href=u>", ["icon u"]),
            ("<link rel=apple-touch-icon-precomposed href=u>", ["icon u"]),
            ("<link rel=preload as=font href=u>", ["font-preload u"]),
            ("<link rel=preload as=Image href=u>", ["image-preload u"]),
            ("<link rel=preload as=script href=u>", ["preload u"]),
            ("<link rel=modulepreload href=u>", ["module-preload u"]),
            ("<link rel=prefetch href=u>", ["prefetch u"]),
            ("<link rel=manifest href=u>", ["manifest u"]),
            ("<link rel='prefetch preload icon' href=u>", ["icon u"]),
            ("<link rel='preload stylesheet' as=style href=u>", ["style-sheet u"]),
            ("<link rel=canonical href=u>", ["metadata u"]), ("<link href=u>", ["metadata u"]),
            ("<link rel='me license' href=u>", ["metadata u"]),
            ("<link rel='preconnect dns-prefetch' href=u>", ["connection-hint u"]),
            (
                "<link rel=preload imagesrcset='a 1x, b 2x'>",
                ["image-preload a", "image-preload b"]
            ),
            ("<img src=u srcset='v 1x, w 1 2'>", ["image u", "image v", "!image w"]),
            ("<image src=u>", ["image u"]),
            ("<picture><source srcset=u><img></picture>", ["image u"]),
            (
                "<video src=u poster=v><source src=w><track src=x>",
                ["media u", "image v", "media w", "text-track x"]
            ),
            ("<audio src=u>", ["media u"]), ("<embed src=u>", ["embed u"]),
            ("<object data=u classid=c>", ["object u", "unused c"]),
            ("<input type=IMAGE src=u>", ["image u"]), ("<input src=u>", ["unused u"]),
            ("<iframe src=u></iframe>", ["frame u"]), ("<frame src=u>", ["frame u"]),
            ("<a href=u ping=' v  w '>", ["navigation u", "beacon v", "beacon w"]),
            ("<area href=u>", ["navigation u"]), ("<a href>", ["navigation "]),
            (
                "<form action=u><button formaction=v><input formaction=w>",
                ["form-submission u", "form-submission v", "form-submission w"]
            ),
            ("<base href=u><base href=v>", ["base u", "!base v"]),
            ("<html manifest=u>", ["application-cache u"]),
            ("<body background=u><td background=v>", ["background-image u", "background-image v"]),
            ("<blockquote cite=u><q cite=v>", ["metadata u", "metadata v"]),
            ("<img usemap=#m longdesc=d>", ["identifier #m", "metadata d"]),
            (
                "<p itemscope itemtype='u v' itemid=w>",
                ["identifier u", "identifier v", "identifier w"]
            ),
            ("<p about=u prefix='og: v'>", ["identifier u", "identifier og:", "identifier v"]),
            ("<meta http-equiv=Refresh content='3; URL=u'>", ["refresh u"]),
            ("<meta http-equiv=refresh content=3>", []),
            ("<meta property=og:image content=u>", ["metadata u"]),
            ("<meta name=twitter:image content=u>", ["metadata u"]),
            ("<meta itemprop=image content=u>", ["metadata u"]),
            ("<meta name=description content=u>", []),
            ("<img data-src=u data-srcset='v 1x'>", ["lazy u", "lazy v"]),
            (
                "<svg xmlns=n><use href=u /><image xlink:href=v /><a xlink:href=w>",
                ["identifier n", "svg-use u", "svg-image v", "navigation w"]
            ),
            (
                "<svg><linearGradient xlink:href=#g /><script href=u /><style href=x>",
                ["svg-resource #g", "script u", "svg-resource x"]
            ),
            ("<math><mrow href=u>", ["navigation u"]),
            ("<a xlink:href=u><use href=v><g src=w>", []),
            ("<svg><img src=u>", ["image u"]), ("<svg><g src=u>", []),
        ] as [(String, [String])])
    func table(page: String, expected: [String]) {
        #expect(Self.references(page) == expected)
    }

    @Test("every kind has a use, and the table knows every kind")
    func kinds() {
        let uses = Set(HTMLReferenceKind.allCases.map(\.use))
        #expect(uses == Set(HTMLReferenceUse.allCases))
    }

    @Test("an element keeps what rules ask of it")
    func element() throws {
        let page = Array(
            "<p><script src=u INTEGRITY='sha384-&#120;' crossorigin async type=module></script>"
                .utf8)
        let found = HTMLReferences(of: page.span)
        let reference = try #require(found.references.first)
        let element = found.elements[reference.element]
        #expect(element.name == "script" && element.namespace == .html)
        #expect(page[element.tag].first == UInt8(ascii: "<") && element.tag.lowerBound == 3)
        #expect(page[element.tag].last == UInt8(ascii: ">"))
        #expect(page[element.nameRange].elementsEqual("script".utf8))
        let integrity = element.value(of: "integrity", in: page.span)
        #expect(integrity == Array("sha384-x".utf8))
        let crossorigin = element.value(of: "crossorigin", in: page.span)
        #expect(crossorigin == [])
        let hasAsync = element.has("async", in: page.span)
        let hasDefer = element.has("defer", in: page.span)
        #expect(hasAsync && !hasDefer)
        let type = element.keyword(of: "type", in: page.span)
        #expect(type == "module")
    }

    @Test("fragments of other languages")
    func fragments() {
        let page = """
            <style>a{}</style><style type=text/less>b</style><p
            style="c:&quot;d&quot;" onclick='e()'>
            <script>f</script><script type=module>g</script><script type=importmap>h</script>
            <script type=speculationrules>i</script><script type=application/ld+json>j</script>
            <script type="application/json; charset=utf-8">k</script><script type=x/y>l</script>
            <script src=u>m</script><iframe srcdoc="&lt;p>n"></iframe><meta
            http-equiv=Content-Security-Policy content="o"><svg><style>p&lt;<!--q--><!\
            [CDATA[r&lt;]]>
            </style><script>s&amp;</script><g fill="url(#t)"></svg><p one=u on=v on-w=x>
            """
        let bytes = Array(page.utf8)
        let found = HTMLReferences(of: bytes.span)
        let fragments = found.fragments.map { fragment in
            let text = fragment.decoded(in: bytes.span).bytes
            return "\(fragment.kind.rawValue) "
                + String(decoding: text, as: UTF8.self).filter { !$0.isWhitespace }
        }
        #expect(
            fragments == [
                "style-sheet a{}", "data-block b", "style-attribute c:\"d\"", "event-handler e()",
                "script f", "module-script g", "import-map h", "speculation-rules i",
                "linked-data j", "json k", "data-block l", "document <p>n",
                "content-security-policy o", "style-sheet p<", "style-sheet r&lt;",
                "style-sheet ", "script s&", "presentation-attribute url(#t)",
            ])
    }

    @Test("what is inert, and what is in noscript")
    func contexts() {
        let page = Array(
            """
            <template><base href=a><img src=b></template><noscript><base href=c><img src=d>\
            <p style=e></noscript><img src=f><base href=g><svg><base href=h></svg>
            """.utf8)
        let found = HTMLReferences(of: page.span)
        let marks = found.references.map { reference in
            let element = found.elements[reference.element]
            return reference.text + (element.isInTemplate ? " template" : "")
                + (element.isInNoscript ? " noscript" : "")
                + (reference.isEffective ? "" : " !")
        }
        #expect(
            marks == [
                "a template !", "b template", "c noscript !", "d noscript", "f", "g", "h",
            ])
        #expect(found.base.map { found.references[$0].text } == "g")
        let without = HTMLReferences(of: page.span, options: .init(readsNoscript: false))
        #expect(without.references.map(\.text) == ["a", "b", "f", "g", "h"])
    }

    /// Positions of a URL in a page, and its spellings.
    static let spellings: [(page: String, isFound: Bool)] = [
        ("<img src=\"cs://h/x.png?a=1&b=2\">", true),
        ("\u{FEFF}<img src=\"cs://h/x.png?a=1&b=2\">", true),
        ("<!doctype html>\r\n<p>\r\n<img\r\nsrc\r\n=\r\n\"cs://h/x.png?a=1&b=2\"\r\n>", true),
        ("<IMG SRC=\"cs://h/x.png?a=1&b=2\">", true),
        ("<img src='cs://h/x.png?a=1&b=2'>", true), ("<img src=cs://h/x.png?a=1&b=2>", true),
        ("<img src=\"&#x63;s:&#47;/h/x.png?a=1&amp;b=2\">", true),
        ("<img src=\"cs:&sol;&sol;h/x.png?a=1&ampb=2\">", false),
        ("<!-- <img src=\"cs://h/x.png?a=1&b=2\"> -->", false),
        ("<!--[if IE]><img src=\"cs://h/x.png?a=1&b=2\"><![endif]-->", false),
        ("<!--[if !IE]><!--><img src=\"cs://h/x.png?a=1&b=2\"><!--<![endif]-->", true),
        ("<template><img src=\"cs://h/x.png?a=1&b=2\"></template>", true),
        ("<noscript><img src=\"cs://h/x.png?a=1&b=2\"></noscript>", true),
        ("<script>x='<img src=\"cs://h/x.png?a=1&b=2\">'</script>", false),
        ("<style>/*<img src=\"cs://h/x.png?a=1&b=2\">*/</style>", false),
        ("<textarea><img src=\"cs://h/x.png?a=1&b=2\"></textarea>", false),
        ("<title><img src=\"cs://h/x.png?a=1&b=2\"></title>", false),
        ("<p title='<img src=\"cs://h/x.png?a=1&b=2\">'>", false),
        ("<svg><![CDATA[<img src=\"cs://h/x.png?a=1&b=2\">]]></svg>", false),
        ("<p>&lt;img src=\"cs://h/x.png?a=1&b=2\"&gt;</p>", false),
        ("<img src=\"other\" src=\"cs://h/x.png?a=1&b=2\">", false),
        ("<img alt=\"<\" src=\"cs://h/x.png?a=1&b=2\" alt='>'>", true),
        ("<img/src=\"cs://h/x.png?a=1&b=2\"/>", true),
        ("<img src=\"cs://h/x.png?a=1&b=2\"", false),
    ]

    @Test("the same URL, written and placed in every way", arguments: spellings)
    func variant(page: String, isFound: Bool) {
        let bytes = Array(page.utf8)
        let url = "cs://h/x.png?a=1&b=2"
        let found = HTMLReferences(of: bytes.span).references.filter { $0.text == url }
        #expect(found.count == (isFound ? 1 : 0))
        for reference in found {
            // The range contains the URL as written, without its quotes.
            let source = bytes[reference.range]
            #expect(source.count >= url.utf8.count && !source.contains { "\"'".utf8.contains($0) })
            #expect(reference.kind == .image && reference.attributeName == "src")
        }
    }

    @Test("ranges of URLs in lists are those of the page")
    func ranges() {
        let page =
            "<img srcset=\" a&amp;b 1x,\r\nc&#44;d 2x, e\" ping=x><a ping=\"f &#103;\">"
            + "<meta http-equiv=refresh content=\"5;url='h&#x2F;i'j\">"
        let bytes = Array(page.utf8)
        let found = HTMLReferences(of: bytes.span).references.map { reference in
            "\(reference.text) = " + String(decoding: bytes[reference.range], as: UTF8.self)
        }
        #expect(
            found == [
                "a&b = a&amp;b", "c,d = c&#44;d", "e = e", "f = f", "g = &#103;", "h/i = h&#x2F;i",
            ])
    }

    @Test("declarations of an encoding are found wherever they stand")
    func encodingDeclarations() {
        let padding = String(repeating: "<p>x</p>", count: 200)
        let page = Array(
            "\(padding)<meta charset=gbk><meta http-equiv=content-type charset=x content=\"x;charset=gbk\">"
                .utf8)
        let found = HTMLReferences(of: page.span)
        #expect(found.encoding.name == nil)
        #expect(
            found.encodingDeclarations.map { found.elements[$0].tag.lowerBound } == [1600, 1618])
    }
}

extension HTMLReference {
    var text: String { String(decoding: value, as: UTF8.self) }
}
