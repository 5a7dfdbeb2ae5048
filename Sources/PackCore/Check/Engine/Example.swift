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
    /// The file that the example is about.
    package let path: String
    /// Its content.
    ///
    /// In a bad example `↓` marks the start of each finding; without a mark the finding is about
    /// the file as a whole.
    package let markedContent: String
    /// The other files, by path; their content rarely matters.
    package let others: [String: String]
    package let profile: Profile
    package let options: CheckOptions
    /// The manifest that is deployed, as `info.json` has it; `nil` for none.
    package let previous: String?
    /// What of the build's directory is not shipped.
    package let leftOut: LeftOut
    /// Names in the build's directory that cannot be shipped.
    package let refused: [RefusedNames.Name]
    /// Variants that the rule must not report, besides ``markedContent`` itself.
    package let silent: Set<Variant>
    /// Variants that would change the case that it shows.
    package let except: Set<Variant>
    /// The place of the example in the sources.
    package let source: String

    /// The default profile of examples.
    package static let profile = Profile.seed003.with(host: "www.example.com")

    /// An example that the rule reports.
    package static func bad(
        _ path: String, _ content: String, _ caption: String = "", others: [String: String] = [:],
        profile: Profile = Example.profile, options: CheckOptions = CheckOptions(),
        previous: String? = nil, leftOut: LeftOut = LeftOut(),
        refused: [RefusedNames.Name] = [],
        silent: Set<Variant> = [.comment, .string], except: Set<Variant> = [],
        file: StaticString = #fileID, line: Int = #line
    ) -> Example {
        Example(
            isBad: true, caption: caption, path: path, markedContent: content, others: others,
            profile: profile, options: options, previous: previous, leftOut: leftOut,
            refused: refused,
            silent: silent,
            except: except, source: "\(file):\(line)")
    }

    /// An example that the rule allows.
    package static func good(
        _ path: String, _ content: String, _ caption: String = "", others: [String: String] = [:],
        profile: Profile = Example.profile, options: CheckOptions = CheckOptions(),
        previous: String? = nil, except: Set<Variant> = [], file: StaticString = #fileID,
        line: Int = #line
    ) -> Example {
        Example(
            isBad: false, caption: caption, path: path, markedContent: content, others: others,
            profile: profile, options: options, previous: previous, leftOut: LeftOut(),
            refused: [],
            silent: [],
            except: except, source: "\(file):\(line)")
    }

    /// The mark of the start of a finding.
    package static let mark: Unicode.Scalar = "\u{2193}"

    /// The content without its marks.
    package var content: String {
        String(String.UnicodeScalarView(markedContent.unicodeScalars.filter { $0 != Self.mark }))
    }
}

extension Profile {
    /// The profile with one host.
    package func with(host: String) -> Profile {
        var profile = self
        profile.hosts = [host]
        return profile
    }

    /// The profile with another page origin.
    package func with(pageOrigin: PageOrigin) -> Profile {
        var profile = self
        profile.pageOrigin = pageOrigin
        return profile
    }

    /// The profile with some values changed.
    package func with(_ change: (inout Profile) -> Void) -> Profile {
        var profile = self
        change(&profile)
        return profile
    }
}
