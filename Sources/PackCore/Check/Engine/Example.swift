package import PackGround
package import PackProfile

/// A small build on which a rule reports something, or nothing.
///
/// Each example is a test, and so are its variants: with a byte order mark, in upper case, in a
/// comment, and so on.
package struct Example: Sendable {
    /// Other spellings of the same example.
    package enum Variant: String, CaseIterable, Sendable {
        case byteOrderMark = "byte order mark"
        case crlf = "CR LF"
        case upperCaseTags = "upper-case tags"
        case singleQuotes = "single quotes"
        case entities = "entity-encoded values"
        case comment = "inside a comment"
        case template = "inside <template>"
        case noscript = "inside <noscript>"
        case string = "inside a string"
        case backticks = "strings as templates"
    }

    package let isBad: Bool
    /// A description of the example; empty if the code is self-explanatory.
    package let caption: String
    /// The source of the example.
    package let source: String
    /// The path of the main file.
    package var path = ""
    /// The content of the main file.
    ///
    /// In a bad example, `↓` marks the start of each finding; without a mark, the finding is about
    /// the whole file.
    package var markedContent = ""
    /// The other files by path; their content rarely matters.
    package var others: [String: String] = [:]
    package var profile = Example.profile
    package var options = CheckOptions()
    /// The deployed manifest in the format of `info.json`, if any.
    package var previous: String?
    /// Files excluded from the package.
    package var leftOut = LeftOut()
    /// Names in the build directory that cannot be packaged.
    package var refused: [RefusedName] = []
    /// Variants of a bad example in which the rule must stay silent.
    package var silent: Set<Variant> = [.comment, .string]
    /// Variants that would change the meaning of the example.
    package var except: Set<Variant> = []

    /// The default profile of examples.
    package static let profile = Profile.basenameCache.with(host: "www.example.com")

    init(isBad: Bool, caption: String, source: String) {
        self.isBad = isBad
        self.caption = caption
        self.source = source
    }

    /// Marks the start of a finding.
    package static let mark: Unicode.Scalar = "\u{2193}"

    /// The content without marks.
    package var content: String {
        String(String.UnicodeScalarView(markedContent.unicodeScalars.filter { $0 != Self.mark }))
    }
}
