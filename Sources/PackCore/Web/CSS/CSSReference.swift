/// One URL in CSS: its position, text and purpose.
package struct CSSReference: Hashable, Sendable {
    /// The syntax of the URL.
    package enum Form: UInt8, Sendable {
        /// `url(x)`, one token.
        case unquotedURL
        /// The string in `url("x")` or `src("x")`.
        case quotedURL
        /// A string that is a URL by context: `@import "x"`, `image-set("x" 1x)`.
        case string
        /// In a comment: `/*# sourceMappingURL=x */`.
        case comment
    }

    /// The purpose of the URL.
    package enum Role: UInt8, CaseIterable, Sendable {
        /// The style sheet of a valid `@import`.
        case importedSheet
        /// An `@import` after a rule or inside one, which browsers ignore.
        case misplacedImport
        /// The name of a namespace: never requested, never changed.
        case namespace
        /// The label of an `@charset`, which is not a URL.
        case charset
        /// `src` in `@font-face`: always fetched with CORS.
        case fontSource
        /// `background`, `content`, `list-style`, `border-image` and the like.
        case image
        case cursor
        /// `mask…` and `shape-outside`: images that are fetched with CORS.
        case mask
        /// An SVG element of this or another document: `filter`, `clip-path`, `fill`, `marker`…
        case svgResource
        /// The value of `--x`, which causes a request if a property uses it.
        case customProperty
        /// `behavior` and `-moz-binding`, which web views ignore.
        case legacyBehavior
        case otherProperty
        /// In the prelude of a rule: conditions of `@supports`, `@document`, `@import`. Not
        /// requested.
        case otherAtRule
        /// In text that browsers discard: a selector, a declaration without a colon.
        case discarded
        /// The source map, requested only by developer tools.
        case sourceMap
    }

    /// The bytes that a rewriter replaces: without quotes, parentheses and white space around them.
    package let range: Range<Int>
    /// The whole token: the string with its quotes, or `url(…)`; of a comment, ``range``.
    package let tokenRange: Range<Int>
    package let form: Form
    /// `"` or `'` if the URL is quoted.
    package let quote: UInt8?
    package internal(set) var role: Role
    /// The kind of rule that contains the URL.
    package let rule: CSSRuleKind
    /// The property in lower case (a custom property as written), or the name of the at-rule; empty
    /// if there is neither.
    package let name: String
    /// The URL as browsers read it: escapes decoded, UTF-8.
    package let value: [UInt8]
    /// Whether it is written with an escape, so that ``value`` differs from the bytes.
    package let hasEscapes: Bool
    /// Whether the end of the input closes it.
    package let isUnterminated: Bool
    /// Whether a web view may request it.
    ///
    /// `false` in a rule for other media or engines, in a property or font format that WebKit does
    /// not know, or in an overridden `src`.
    package internal(set) var isAsked = true
    /// Whether the page is complete without it: for dark mode, or for a large window.
    package internal(set) var isOptional = false
    /// Whether it is one of several alternatives, of which the web view loads one: `image-set()`.
    package let isAlternative: Bool
    /// The number of its declaration in the source; sources of one font share it.
    package let declaration: Int
    /// The selectors of its rule; of nested rules, those of the outermost one.
    package let selectors: Range<Int>?

    /// The bytes to write into ``range`` for another URL.
    ///
    /// Decoding them gives the URL, and nothing else changes. The URL must not contain NUL, and in
    /// a comment no white space and no `*/`.
    package func encoding(_ url: [UInt8]) -> [UInt8] {
        form == .comment ? url : CSSEscape.encode(url, quote: quote)
    }
}

/// The kind of rule whose block contains a URL.
package enum CSSRuleKind: UInt8, Sendable {
    /// In no block: at the top of a style sheet, or in a `style` attribute.
    case none
    /// A rule with a selector.
    case style
    case fontFace
    case counterStyle
    case otherAtRule
}

/// A mistake that changes the meaning of a style sheet.
package struct CSSProblem: Hashable, Sendable {
    /// The kinds of mistakes.
    package enum Kind: UInt8, Sendable {
        /// `url(…)` with a quote, a parenthesis, a space or a control inside; the whole declaration
        /// is dropped.
        case badURL
        /// A string with a newline in it; the whole declaration is dropped.
        case badString
        case unterminatedString, unterminatedURL, unterminatedComment
        /// The input ends inside a block or parenthesis, which closes it.
        case unclosedBlock
        /// A `}` `)` or `]` without its counterpart.
        case unmatchedBracket
    }

    package let kind: Kind
    package let range: Range<Int>
}
