import PackGround
package import PackWeb

extension DocumentText {
    /// Translates edits of the decoded text to the file; `nil` if its encoding cannot represent
    /// one.
    package func sourceEdits(_ edits: [ByteEdit]) -> [ByteEdit]? {
        guard let transcoded else { return edits }
        var found: [ByteEdit] = []
        for edit in edits {
            guard let bytes = transcoded.encoded(edit.bytes) else { return nil }
            found.append(ByteEdit(transcoded.sourceRange(of: edit.range), bytes))
        }
        return found
    }

    /// Translates a fix of the decoded text to the file.
    func sourceFix(_ fix: Fix) -> Fix? {
        guard transcoded != nil else { return fix }
        return sourceEdits(fix.edits).map { Fix(fix.safety, fix.summary, edits: $0) }
    }
}

extension DocumentContext {
    /// Single URLs in longer values are not edited, because each edit rewrites the whole value.
    private static let longestEdited = 16 << 10

    /// The edits that replace the URL of a reference; `nil` if it cannot be edited in place.
    ///
    /// Only differing bytes change; quotes, entities and escapes around them stay.
    package func edits(_ reference: Reference, to value: [UInt8]) -> [ByteEdit]? {
        switch reference.holder {
        case .attribute(let number):
            guard let html,
                html.references[number].attribute.value.count <= Self.longestEdited
            else { return nil }
            return edits([HTMLEdit(html.references[number], value: value)])
        case .css:
            return css(of: reference).map { [ByteEdit($0.range, $0.encoding(value))] }
        case .fragmentCSS(let number, _):
            return css(of: reference).flatMap { edits(number, $0, to: value) }
        case .literal:
            // Only characters that cannot end the string, start an escape or form a tag.
            let isPlain = value.allSatisfy {
                $0 > 0x20 && $0 < 0x7F && !"\"'`\\<&$".utf8.contains($0)
            }
            return isPlain ? [ByteEdit(reference.range, value)] : nil
        case .nested: return nil
        }
    }

    /// The CSS reference behind a reference, if any.
    func css(of reference: Reference) -> CSSReference? {
        switch reference.holder {
        case .css(let index): css?.references[index]
        case .fragmentCSS(let number, let index):
            style(ofFragment: number)?.css.references[index]
        default: nil
        }
    }

    /// Byte edits for edits of the page's HTML.
    package func edits(_ edits: [HTMLEdit]) -> [ByteEdit]? {
        guard let patches = try? HTMLEdit.patches(edits, bytes.span) else { return nil }
        return patches.map { ByteEdit($0.range, $0.bytes) }
    }

    /// Encodes CSS twice: as CSS, then for the attribute containing it.
    private func edits(
        _ number: Int, _ css: CSSReference, to value: [UInt8]
    ) -> [ByteEdit]? {
        guard let html, let style = style(ofFragment: number) else { return nil }
        let fragment = html.fragments[number]
        let encoded = css.encoding(value)
        if let attribute = fragment.attribute {
            guard attribute.value.count <= Self.longestEdited else { return nil }
            return edits([HTMLEdit(attribute, css.range, value: encoded)])
        }
        // `style` has raw text content, in which only an end tag has a meaning.
        guard !encoded.contains(UInt8(ascii: "<")) else { return nil }
        return [ByteEdit(style.text.sourceRange(of: css.range), encoded)]
    }

    /// The style sheet of a fragment, found by binary search; style sheets are in fragment order.
    private func style(ofFragment number: Int) -> EmbeddedStyle? {
        var low = 0
        var high = styles.count
        while low < high {
            let middle = (low + high) / 2
            if styles[middle].fragment < number { low = middle + 1 } else { high = middle }
        }
        return low < styles.count && styles[low].fragment == number ? styles[low] : nil
    }

    /// A safe fix that replaces the URL.
    package func safeFix(_ reference: Reference, to value: String) -> Fix? {
        fix(.safe, reference, to: value)
    }

    /// A fix that replaces the URL.
    package func fix(_ safety: Fix.Safety, _ reference: Reference, to value: String) -> Fix? {
        edits(reference, to: Array(value.utf8)).map {
            Fix(safety, "write '\(printable(value.utf8))'", edits: $0)
        }
    }

    /// A fix that removes an attribute and the white space before it.
    package func removal(_ attribute: HTMLAttribute, _ safety: Fix.Safety = .safe) -> Fix {
        let before = bytes.prefix(attribute.range.lowerBound)
        let start = before.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
        let name = String(decoding: bytes[within: attribute.name], as: UTF8.self)
        return Fix(
            safety, "remove '\(printable(name.utf8))'",
            edits: [ByteEdit(start..<attribute.range.upperBound, [])])
    }

    /// A fix that removes the start tag of an element without content.
    package func removal(of element: HTMLElement, _ safety: Fix.Safety = .safe) -> Fix {
        let name = String(decoding: bytes[within: element.nameRange], as: UTF8.self)
        return Fix(
            safety, "remove the '\(printable(name.utf8))' element",
            edits: [ByteEdit(element.tag, [])])
    }
}
