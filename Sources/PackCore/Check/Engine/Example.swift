package import PackGround
package import PackProfile

/// A small build that shows what a rule finds or allows.
///
/// Each example is a test, and so are its variants: with a byte order mark, in upper case, in a
/// comment, and so on.
package struct Example: Sendable {
    /// Other ways to write the same example.
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
    /// What it shows; empty if the code is clear.
    package let caption: String
    /// The place of the example in the sources.
    package let source: String
    /// The file that the example is about.
    package var path = ""
    /// Its content.
    ///
    /// In a bad example `↓` marks the start of each finding; without a mark the finding is about
    /// the file as a whole.
    package var markedContent = ""
    /// The other files, by path; their content rarely matters.
    package var others: [String: String] = [:]
    package var profile = Example.profile
    package var options = CheckOptions()
    /// The manifest that is deployed, as `info.json` has it; `nil` for none.
    package var previous: String?
    /// What of the build's directory is not shipped.
    package var leftOut = LeftOut()
    /// Names in the build's directory that cannot be shipped.
    package var refused: [RefusedNames.Name] = []
    /// Variants of a bad example that the rule must not report.
    package var silent: Set<Variant> = [.comment, .string]
    /// Variants that would change the case that it shows.
    package var except: Set<Variant> = []

    /// The default profile of examples.
    package static let profile = Profile.seed003.with(host: "www.example.com")

    init(isBad: Bool, caption: String, source: String) {
        self.isBad = isBad
        self.caption = caption
        self.source = source
    }

    /// The mark of the start of a finding.
    package static let mark: Unicode.Scalar = "\u{2193}"

    /// The content without its marks.
    package var content: String {
        String(String.UnicodeScalarView(markedContent.unicodeScalars.filter { $0 != Self.mark }))
    }
}
