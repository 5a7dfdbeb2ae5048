import PackGround
import PackWeb

extension Rule {
    /// An import map that browsers ignore entirely.
    static let importmapInvalid = Rule(
        "importmap-invalid", group: .data, level: .always(.error),
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
    /// Whether `JSON.parse` rejects a text; it accepts some texts that ``JSONParser`` does not.
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
