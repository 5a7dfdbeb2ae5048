import PackWeb
import TestSupport
import Testing

/// A URL written to the range of a reference is read back unchanged, and nothing else changes.
struct CSSRewritingTests {
    private static let urls = [
        "x", "", "customscheme://h/a b.png?c=(d)#e", "a'b\"c\\d",
        "\u{1}tab\tnew\nline\r\u{C}end\u{7F}",
        "图/é.png", "\\", " lead and trail ", ")", "data:image/svg+xml,%3Csvg xmlns='x'/%3E", "41",
    ].map { Array($0.utf8) }

    /// Replaces each reference by each URL.
    ///
    /// - Returns: The number of examined replacements.
    static func examine(_ css: [UInt8], urls: [[UInt8]] = urls) -> Int {
        let before = CSSReferences.styleSheet(css.span)
        var count = 0
        for (index, reference) in before.references.enumerated() {
            for url in urls {
                // A comment cannot contain white space.
                if reference.form == .comment,
                    url.isEmpty || url.contains(where: { " \t\n\r\u{C}".utf8.contains($0) })
                {
                    continue
                }
                var changed = css
                let written = reference.encoding(url)
                changed.replaceSubrange(reference.range, with: written)
                let after = CSSReferences.styleSheet(changed.span)
                let found = after.references.map { Parts($0) }
                let shift = written.count - reference.range.count
                var expected = before.references.map { Self.moved($0, after: reference, by: shift) }
                expected[index] = Self.rewritten(reference, to: url, shift, found, index)
                guard found == expected,
                    after.problems.map(\.kind) == before.problems.map(\.kind)
                else {
                    Issue.record(
                        "\(String(decoding: css, as: UTF8.self).debugDescription): \(reference) to \(url)"
                    )
                    return count
                }
                count += 1
            }
        }
        return count
    }

    /// The expected reference after a change before it.
    private static func moved(
        _ reference: CSSReference, after changed: CSSReference, by shift: Int
    ) -> Parts {
        var parts = Parts(reference)
        guard reference.range.lowerBound > changed.range.lowerBound else { return parts }
        parts.range = parts.range.lowerBound + shift..<parts.range.upperBound + shift
        parts.tokenRange =
            parts.tokenRange.lowerBound + shift..<parts.tokenRange.upperBound + shift
        return parts
    }

    /// The expected form of the changed reference.
    private static func rewritten(
        _ reference: CSSReference, to url: [UInt8], _ shift: Int, _ after: [Parts], _ index: Int
    ) -> Parts {
        var parts = Parts(reference)
        parts.range = reference.range.lowerBound..<reference.range.upperBound + shift
        // White space around an empty unquoted URL is all before it.
        if url.isEmpty, reference.form == .unquotedURL, after.indices.contains(index),
            after[index].range.isEmpty, reference.tokenRange.contains(after[index].range.lowerBound)
        {
            parts.range = after[index].range
        }
        parts.tokenRange =
            reference.tokenRange.lowerBound..<reference.tokenRange.upperBound + shift
        parts.value = url
        // The encoder decides whether the new text has escapes.
        parts.hasEscapes = after.indices.contains(index) ? after[index].hasEscapes : false
        return parts
    }

    /// All properties of a reference, to compare before and after a change.
    private struct Parts: Equatable {
        var range: Range<Int>
        var tokenRange: Range<Int>
        let form: CSSReference.Form
        let quote: UInt8?
        let role: CSSReference.Role
        let rule: CSSRuleKind
        let name: String
        var value: [UInt8]
        var hasEscapes: Bool
        let isUnterminated: Bool

        init(_ reference: CSSReference) {
            range = reference.range
            tokenRange = reference.tokenRange
            form = reference.form
            quote = reference.quote
            role = reference.role
            rule = reference.rule
            name = reference.name
            value = reference.value
            hasEscapes = reference.hasEscapes
            isUnterminated = reference.isUnterminated
        }
    }

    @Test("every reference of the samples")
    func samples() {
        var count = 0
        for sample in CSSSamples.all { count += Self.examine(Array(sample.utf8)) }
        #expect(count > 240)
    }

    @Test("every form, at the end of the input too")
    func forms() {
        var count = 0
        for css in [
            "a{b:url(x)}", "a{b:url( x\n)}", "a{b:url('x')}", "a{b:url(\"x\" y(z))}", "a{b:url(x",
            "a{b:url(", "a{b:url(  ", "a{b:url()}", "a{b:url('x", "a{b:url('x\\", "a{b:url(x\\",
            "@import 'x",
            "@import \"x\"", "a{b:image-set('x' 1x)}", "a{b:src('x')}", "/*# sourceMappingURL=x */",
            "/*# sourceMappingURL=x", "@namespace 'x';", "a{b:url(\\)) url(\\a )}",
            "a{b:url(x)url(y)'z'}",
        ] {
            let examined = Self.examine(Array(css.utf8))
            #expect(examined > 0, "\(css)")
            count += examined
        }
        #expect(count > 200)
    }

    @Test("encoding and decoding are inverse, quoted and not")
    func inverse() throws {
        var generator = Noise(seed: 11)
        for _ in 0..<3000 {
            let length = Int.random(in: 0...12, using: &generator)
            let text = String(
                String.UnicodeScalarView(
                    (0..<length).map { _ in
                        let value = Int.random(in: 1...0x2FF, using: &generator)
                        return Unicode.Scalar(UInt16(value)) ?? "x"
                    }))
            let url = Array(text.utf8)
            for form in ["url(x)", "url(\"x\")", "url('x')"] {
                var css = Array("a{b:\(form)}".utf8)
                let reference = try #require(
                    CSSReferences.styleSheet(css.span).references.first)
                css.replaceSubrange(reference.range, with: reference.encoding(url))
                #expect(CSSReferences.styleSheet(css.span).references.map(\.value) == [url])
            }
        }
    }
}
