import PackWeb
import TestSupport
import Testing

struct DataReferencesTests {
    private func lines(_ found: [DataReference]) -> [String] {
        found.map { "\($0.kind.rawValue) \(String(decoding: $0.value, as: UTF8.self))" }
    }

    @Test func manifest() {
        let text = """
            {"start_url":"/?a","name":"x/y.png","icons":[{"src":"i\\/1.png"},{"src":"2.png"}],
            "shortcuts":[{"url":"/s","icons":[{"src":"3.png"}]}],"scope":"/"}
            """
        #expect(
            lines(DataReferences.manifest(Array(text.utf8).span)) == [
                "manifest-page /?a", "manifest i/1.png", "manifest 2.png", "manifest /s",
                "manifest 3.png", "manifest-page /",
            ])
    }

    @Test func importMap() {
        let text = """
            {"imports":{"a":"./a.js","b/":"/b/"},"scopes":{"/x/":{"a":"./y.js"}},
            "integrity":{"./a.js":"sha384-x"}}
            """
        #expect(
            lines(DataReferences.importMap(Array(text.utf8).span)) == [
                "import-map ./a.js", "import-map /b/", "import-map-key /x/", "import-map ./y.js",
                "import-map-key ./a.js",
            ])
    }

    @Test func linkedData() {
        let text = """
            {"@context":"https://schema.org","url":"https://h/a","@graph":[{"@id":"https://h/#x",
            "logo":{"url":"//h/l.png"}}],"name":"a: b"}
            """
        #expect(
            lines(DataReferences.linkedData(Array(text.utf8).span)) == [
                "linked-data-name https://schema.org", "linked-data https://h/a",
                "linked-data-name https://h/#x", "linked-data //h/l.png",
            ])
    }

    @Test func absoluteStringsOfOtherJSON() {
        let text = #"{"a":"https:\/\/h\/x.png","b":"x","c":["//h/y"],"d":"a:b","https://k/":1}"#
        #expect(
            lines(DataReferences.json(Array(text.utf8).span)) == [
                "json https://h/x.png", "json //h/y",
            ])
    }

    @Test func pathsInJSON() {
        let text =
            #"{"img/a.png":{"url":"b.png?v=1"},"l":["c.png","x","https://h/d.png","e f.png"]}"#
        let found = DataPath.json(Array(text.utf8).span)
        #expect(
            found.map { String(decoding: $0.value, as: UTF8.self) } == [
                "img/a.png", "b.png?v=1", "c.png",
            ])
        #expect(found.map(\.isName) == [true, false, false])
        #expect(found.map { $0.bracket ?? -1 } == [0, 13, 37])
        #expect(
            found.map { $0.word.map { String(decoding: $0, as: UTF8.self) } ?? "" } == [
                "", "url", "l",
            ])
    }

    @Test func pathsInText() {
        let text =
            "#EXTM3U\n#EXT-X-MAP:URI=\"init.mp4\"\n0.ts?x=1\nmap_Kd a/b.png\nhttps://h/1.ts\nv1.2\n"
        let found = DataPath.text(Array(text.utf8).span)
        #expect(
            found.map { String(decoding: $0.value, as: UTF8.self) } == [
                "init.mp4", "0.ts?x", "a/b.png", "v1.2",
            ])
    }

    @Test func sourceMap() {
        let text = """
            {"version":3,"file":"a.js","sourceRoot":"r","sources":["x.ts","y.ts"],
            "sourcesContent":["let a",null],"mappings":"AAAA"}
            """
        #expect(SourceMapContent(of: Array(text.utf8).span).hasSources)
        let without = text.replacing("[\"let a\",null]", with: "[\"\",null]")
        #expect(!SourceMapContent(of: Array(without.utf8).span).hasSources)
    }

    @Test func xmlStyleSheets() {
        let text = "<?xml version='1.0'?><?xml-stylesheet type='text/css' href=\"a.css\"?><svg/>"
        let found = DataReferences.xmlStyleSheets(Array(text.utf8).span)
        #expect(lines(found) == ["xml-style-sheet a.css"])
        #expect(
            found.first.map { text.utf8.dropFirst($0.range.lowerBound).prefix(5) }.map {
                String($0)
            } == "a.css")
    }

    @Test func anyBytes() {
        var generator = Noise(seed: 12)
        let pieces = ["{", "}", "[", "]", "\"imports\"", ":", ",", "\"a", "\"", "\\", "//h", "0"]
            .map { Array($0.utf8) }
        for _ in 0..<5000 {
            let bytes = (0..<12).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
            for found in [
                DataReferences.manifest(bytes.span), DataReferences.importMap(bytes.span),
                DataReferences.linkedData(bytes.span), DataReferences.xmlStyleSheets(bytes.span),
            ] {
                #expect(found.allSatisfy { $0.range.upperBound <= bytes.count })
            }
            _ = SourceMapContent(of: bytes.span)
        }
    }
}
