import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A script or style sheet read in another encoding than it was written in.
    static let scriptCharset = Rule(
        "script-charset", group: .script, level: .always(.warning),
        document: { document, sink in
            switch document.kind {
            case .script: ScriptCharset.checkScript(document, &sink)
            case .html: ScriptCharset.checkPage(document, &sink)
            default: break
            }
        })
}

private enum ScriptCharset {
    /// Checks a script that is read as UTF-8.
    static func checkScript(_ document: DocumentContext, _ sink: inout FindingSink) {
        guard document.text.transcoded == nil,
            document.bytes.contains(where: { $0 >= 0x80 }),
            String(validating: document.bytes, as: UTF8.self) == nil
        else { return }
        let span = document.bytes.span
        var tokenizer = JavaScriptTokenizer(span)
        while true {
            let token = tokenizer.next(in: span)
            switch token.kind {
            case .end: return
            case .lineComment, .blockComment, .htmlComment, .hashbang: continue
            default: break
            }
            guard let place = firstOutsideUTF8(document.bytes[within: token.range]) else {
                continue
            }
            return sink.report(
                at: place..<(place + 1),
                "the script is not UTF-8, and no page declares its encoding")
        }
    }

    private static func firstOutsideUTF8(_ bytes: ArraySlice<UInt8>) -> Int? {
        var position = bytes.startIndex
        while position < bytes.endIndex {
            if bytes[position] < 0x80 {
                position += 1
                continue
            }
            let (scalar, length) = decodeScalar(Array(bytes[position...].prefix(4)), at: 0)
            if scalar == nil { return position }
            position += max(1, length)
        }
        return nil
    }

    /// Checks the files loaded by a page with another encoding.
    static func checkPage(_ document: DocumentContext, _ sink: inout FindingSink) {
        guard
            let encoding = document.site.encoding(of: document.index, document.text.source),
            encoding != "utf-8"
        else { return }
        let isUTF16 = encoding.hasPrefix("utf-16")
        for reference in document.references {
            guard reference.htmlKind == .script || reference.htmlKind == .styleSheet,
                let file = reference.resolution.file,
                let element = document.element(of: reference), !document.has("charset", element),
                document.site.files[file].size <= UInt64(SiteSource.documentLimit),
                let bytes = try? document.site.content(of: file), !bytes.isEmpty,
                !declaresEncoding(bytes, document.site.files[file].kind)
            else { continue }
            let isASCII = bytes.allSatisfy { $0 < 0x80 }
            guard isUTF16 || !isASCII && String(validating: bytes, as: UTF8.self) != nil else {
                continue
            }
            sink.report(
                reference, "'\(reference.text)' is read as '\(encoding)', like the page",
                severity: isUTF16 ? .error : nil, cause: isUTF16 ? "utf-16" : nil)
        }
    }

    private static func declaresEncoding(_ bytes: [UInt8], _ kind: DocumentKind?) -> Bool {
        if HTMLEncoding.byteOrderMark(bytes.span) != nil { return true }
        return kind == .css && CSSEncoding.detect(bytes.span).origin != .standard
    }
}
