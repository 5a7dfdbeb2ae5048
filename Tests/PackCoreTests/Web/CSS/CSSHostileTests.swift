import PackWeb
import TestSupport
import Testing

/// Hostile input: the reader never traps, and all ranges are inside the input.
struct CSSHostileTests {
    private static func examine(_ bytes: [UInt8]) {
        let source = bytes.span
        for root in CSSSyntaxTree.Root.allCases {
            let tree = CSSSyntaxTree(source, root: root)
            for (index, node) in tree.nodes.enumerated() {
                guard node.end > index, node.end <= tree.nodes.count, node.sourceEnd <= bytes.count
                else {
                    Issue.record("\(bytes): \(node)")
                    return
                }
                _ = tree.declaration(at: index, in: source)
            }
        }
        for found in [
            CSSReferences.file(bytes), CSSReferences.styleSheet(source),
            CSSReferences.declarations(source), CSSReferences.value(source, of: "fill"),
        ] {
            let areInside = found.references.allSatisfy {
                $0.range.upperBound <= bytes.count
                    && $0.tokenRange.lowerBound <= $0.range.lowerBound
                    && $0.range.upperBound <= $0.tokenRange.upperBound
            }
            let areOrdered = zip(found.references, found.references.dropFirst()).allSatisfy {
                $0.range.upperBound <= $1.range.lowerBound
            }
            guard areInside, areOrdered else {
                Issue.record("\(bytes): \(found.references)")
                return
            }
        }
    }

    @Test("every prefix of the samples, each reference in it rewritten")
    func prefixes() {
        for sample in CSSSamples.all {
            let bytes = Array(sample.utf8)
            for count in 0...bytes.count {
                let prefix = Array(bytes[..<count])
                Self.examine(prefix)
                if count % 7 == 0 {
                    _ = CSSRewritingTests.examine(prefix, urls: [Array("é (\n".utf8)])
                }
            }
        }
    }

    @Test("every byte of the samples replaced by every byte that means something")
    func mutations() {
        let replacements: [UInt8] =
            Array("\"'\\(){}[];:@#/*-\n\r a0".utf8) + [0, 0x0C, 0x7F, 0xC3, 0xFF]
        for sample in CSSSamples.all.dropFirst() {
            let bytes = Array(sample.utf8)
            for index in bytes.indices {
                for replacement in replacements {
                    var changed = bytes
                    changed[index] = replacement
                    Self.examine(changed)
                }
            }
        }
    }

    @Test("random bytes, and random pieces of CSS")
    func random() {
        var generator = Noise(seed: 5)
        let pieces = [
            "url(", "URL(\"", "\"", "'", "\\", "\\a ", "\n", "\r\n", "{", "}", "(", ")", "[", "]",
            ";",
            ":", "@import ", "@font-face", "src:", "--x:", "a", "/*", "*/", "<!--", "-->", "-",
            "1e",
            "+.5", "#", "@", "image-set(", "!important", "\u{0}", "é", " ", ",", "%", "\\",
        ].map { Array($0.utf8) }
        for _ in 0..<3000 {
            let count = Int.random(in: 0...24, using: &generator)
            let css = (0..<count).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
            Self.examine(css)
            _ = CSSRewritingTests.examine(css, urls: [Array("y) '\"\\\n".utf8), []])
            Self.examine((0..<count).map { _ in .random(in: 0...255, using: &generator) })
        }
    }

    @Test("long runs of one thing are one pass")
    func long() {
        for piece in [
            "{", "}", "(", "a:b{", "a:b{}", "a:b ", ";", "\\", "'", "/*", "url(", "url(a", "@a ",
            "a,",
            "\u{0}", "é", "!important", "--a:{",
        ] {
            for prefix in ["", "a{", "@media{", "a{b:", "url(", "'"] {
                let css = Array((prefix + String(repeating: piece, count: 4000)).utf8)
                let found = CSSReferences.styleSheet(css.span)
                #expect(found.references.allSatisfy { $0.range.upperBound <= css.count })
            }
        }
    }
}
