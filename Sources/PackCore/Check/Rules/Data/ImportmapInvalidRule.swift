import PackWeb

extension Rule {
    /// An import map that the browser ignores as a whole.
    static let importmapInvalid = Rule(
        "importmap-invalid", "the browser ignores an import map", group: .data,
        level: .always(.error),
        explanation: .init(
            what: "Finds import maps that are not valid JSON, and import maps with `src`.",
            why: """
                A text that is not JSON makes the whole map void, and external import maps are \
                not supported: no name in it is known, and modules that import one do not run.
                """,
            sources: [
                .cite(.htmlStandard, "parse an import map string; prepare the script element")
            ],
            instead: "Write the map as JSON between the tags: no comments, no comma at the end.",
            detection: "The text is parsed as JSON."),
        examples: [
            .bad(
                "index.html",
                "<script type=\"importmap\">↓{\"imports\":{\"a\":\"./a.js\",}}</script>",
                except: [.noscript, .template]),
            .bad(
                "index.html", "<script type=\"importmap\" src=\"↓map.json\"></script>",
                others: ["map.json": "{}"], except: [.noscript, .template]),
            .good(
                "index.html",
                "<script type=\"importmap\">{\"imports\":{\"a\":\"./a.js\",\"a\":\"./b.js\"}}</script><script type=\"x\" src=\"m.json\"></script>"
            ),
        ],
        document: { document, sink in
            guard let html = document.html else { return }
            for fragment in html.fragments where fragment.kind == .importMap {
                let element = html.elements[fragment.element]
                let text = fragment.decoded(in: document.bytes.span)
                guard !element.isInTemplate, !document.has("src", element),
                    ImportMapText.isBroken(text.bytes)
                else { continue }
                sink.report(at: fragment.range, "this is not JSON, so the whole map is ignored")
            }
            for reference in document.references where reference.htmlKind == .unusedScript {
                guard let element = document.element(of: reference),
                    document.keyword("type", of: element) == "importmap",
                    !element.isInTemplate
                else { continue }
                sink.report(reference, "import maps with 'src' are not loaded")
            }
        })
}

private enum ImportMapText {
    /// Whether JSON.parse refuses a text; it accepts some that packtool's own parser does not.
    static func isBroken(_ text: [UInt8]) -> Bool {
        do {
            guard case .object = try JSONParser.parse(text) else { return true }
            return false
        } catch {
            switch error.reason {
            case .unexpectedEnd, .unexpectedByte, .trailingBytes, .invalidEscape, .controlInString:
                return true
            case .tooDeep, .invalidUTF8, .byteOrderMark, .duplicateName, .numberTooLarge,
                .tooManyMembers, .elementTooLarge:
                return false
            }
        }
    }
}
