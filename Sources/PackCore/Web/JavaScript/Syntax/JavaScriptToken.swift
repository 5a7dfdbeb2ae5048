/// A token of JavaScript, and its bytes.
package struct JavaScriptToken: Hashable, Sendable {
    /// The kind of a token.
    package enum Kind: UInt8, Sendable {
        /// A name; also a keyword if the grammar allows it as a name: `a.return`, `{if: 1}`.
        case identifier
        case keyword
        /// `#x`.
        case privateName
        case number
        case string
        /// A template without a substitution, or its characters up to the first one.
        case templateStart
        /// The characters of a template after a substitution, up to the next one or the end.
        case templateContinuation
        case regularExpression
        case punctuator
        case lineComment, blockComment
        /// `<!--` or `-->`, to the end of the line (ECMA-262 B.1.1).
        case htmlComment
        /// `#!` in the first line.
        case hashbang
        /// A byte that is not part of any token.
        case unknown
        /// The end, returned again for every further call.
        case end
    }

    /// Properties of a token besides its kind.
    package struct Traits: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A line ends between the previous token and this one.
        static let afterNewline = Traits(rawValue: 1)
        /// It contains an escape: its characters differ from its bytes.
        static let escaped = Traits(rawValue: 2)
        /// The input, or for strings and regular expressions the line, ends before it does.
        package static let unterminated = Traits(rawValue: 4)
        /// The template ends here.
        package static let endsTemplate = Traits(rawValue: 8)
        /// A statement may start here.
        static let startsStatement = Traits(rawValue: 16)
        /// The name of a member in an object literal or class body.
        static let isMemberName = Traits(rawValue: 32)
        /// A template without a tag: without a substitution, it is a string.
        static let isUntagged = Traits(rawValue: 64)
        /// The template has an escape allowed only after a tag.
        static let hasFreeEscape = Traits(rawValue: 128)
    }

    package let kind: Kind
    package let traits: Traits
    package let start: Int
    package let end: Int

    package init(_ kind: Kind, _ start: Int, _ end: Int, _ traits: Traits = []) {
        self.kind = kind
        self.traits = traits
        self.start = start
        self.end = end
    }

    /// The whole token, including quotes, and of a template its backtick, `${` and `}`.
    package var range: Range<Int> { start..<end }

    /// The bytes between the delimiters of a string, template, regular expression or comment.
    ///
    /// The flags of a regular expression are excluded.
    package func content(in source: Span<UInt8>) -> Range<Int> {
        let isOpen = traits.contains(.unterminated)
        func between(_ opening: Int, _ closing: Int) -> Range<Int> {
            let from = min(start &+ opening, end)
            return from..<max(from, isOpen ? end : end &- closing)
        }
        switch kind {
        case .string: return between(1, 1)
        case .templateStart, .templateContinuation:
            return between(1, traits.contains(.endsTemplate) ? 1 : 2)
        case .regularExpression:
            var flags = 0
            while !isOpen, flags < end &- start,
                source[end &- 1 &- flags] != UInt8(ascii: "/")
            { flags &+= 1 }
            return between(1, flags &+ 1)
        case .lineComment, .hashbang: return between(2, 0)
        case .blockComment: return between(2, 2)
        case .htmlComment: return between(source[start] == UInt8(ascii: "<") ? 4 : 3, 0)
        default: return range
        }
    }

    package var isComment: Bool {
        switch kind {
        case .lineComment, .blockComment, .htmlComment, .hashbang: true
        default: false
        }
    }

    /// Whether the token is this punctuator or these characters of a name.
    @inline(__always)
    package func `is`(_ text: StaticString, in source: Span<UInt8>) -> Bool {
        let count = text.utf8CodeUnitCount
        guard end &- start == count, end <= source.count else { return false }
        switch kind {
        case .punctuator, .identifier, .keyword: break
        default: return false
        }
        return text.withUTF8Buffer { expected in
            for index in 0..<count where unsafe expected[index] != source[start &+ index] {
                return false
            }
            return true
        }
    }
}
