import PackGround
import PackReport
import Testing

/// Third-party text in Markdown.
///
/// Checked with a reader of code spans (CommonMark, 6.1) and GitHub's tables.
@Suite struct MarkdownTests {
    private static let hostile = [
        "@octocat.js", "@github/security", "#12", "GH-12", "owner/repo#1", "owner/repo@0123abc",
        "https://evil.example", "http:evil", "www.evil.example", "ftp://x.y", "user@host.example",
        "deadbeef", "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567", "1234567", "deadbee's",
        "<img src=x onerror=y>", "</table>", "<!--", "&lt;b&gt;", "&#64;octocat",
        "](javascript:x)", "[x](y)", "![x](y)", "[x][y]", "`", "``", "a`b``c```d", "`x", "x`",
        String(repeating: "`", count: 39), String(repeating: "`", count: 200),
        "a|b", "|", "\\", "\\|", "a\\", "\\`", "*a*", "__b__", "~~c~~", "$x$", "$`x`$", ":tada:",
        "~label", "!12", "%12", "&12", "/close", "- a", "+ a", "1. a", "1) a", "# a", "> a", "---",
        "===", "|---|", "''", "'@octocat", "it's '@octocat' is", "('@octocat'), x", "'a'b'", "",
        " ", " a ", "a\nb", "a\r\n# b", "\u{202E}x", "`\u{338}", "|\u{338}", "@\u{338}octocat",
        "\u{200B}@octocat", "##[error]x", "::error::x",
    ]

    private enum Piece: Equatable {
        case text(String)
        case code(String)
    }

    /// The code spans of a line and the text between them.
    private func pieces(_ line: String) -> [Piece] {
        let scalars = Array(line.unicodeScalars)
        let string = { (range: Range<Int>) in
            String(String.UnicodeScalarView(scalars[range]))
        }
        func run(_ start: Int) -> Int {
            var end = start
            while end < scalars.count, scalars[end] == "`" { end += 1 }
            return end
        }
        var (result, start, index): ([Piece], Int, Int) = ([], 0, 0)
        while index < scalars.count {
            guard scalars[index] == "`" else {
                // An escaped backtick starts no span.
                index += scalars[index] == "\\" ? 2 : 1
                continue
            }
            let open = run(index)
            var close = open
            while close < scalars.count, scalars[close] != "`" || run(close) - close != open - index
            {
                close = scalars[close] == "`" ? run(close) : close + 1
            }
            guard close < scalars.count else {
                index = open
                continue
            }
            if start < index { result.append(.text(string(start..<index))) }
            var inner = open..<close
            let isBlank = scalars[inner].allSatisfy { $0 == " " }
            if !isBlank, scalars[open] == " ", scalars[close - 1] == " " {
                inner = (open + 1)..<(close - 1)
            }
            result.append(.code(string(inner)))
            index = run(close)
            start = index
        }
        return start < scalars.count ? result + [.text(string(start..<scalars.count))] : result
    }

    /// The content of a row's only cell, or `nil` if the row has another number of cells.
    private func cell(_ text: String) -> String? {
        var (result, isEscaped) = ("", false)
        for scalar in text.unicodeScalars {
            if scalar == "|" {
                guard isEscaped else { return nil }
                result.unicodeScalars.removeLast()
            }
            result.unicodeScalars.append(scalar)
            isEscaped = scalar == "\\"
        }
        return result
    }

    /// Text without backtick runs that every renderer reads as ordinary text.
    private func expected(_ name: String) -> String {
        let text = printable(name.utf8)
        return text.utf8.count(where: { $0 == UInt8(ascii: "`") }) > 40
            ? text.replacing("`", with: "\\x60") : text
    }

    @Test(arguments: hostile) func regressionANameWasAMentionOrMarkup(name: String) throws {
        for written in [Markdown.code(name), try #require(cell(Markdown.codeCell(name)))] {
            // An empty or blank span is rendered as spaces.
            let pieces = pieces(written)
            if expected(name).allSatisfy({ $0 == " " }) {
                guard case .code(let text) = pieces.first, pieces.count == 1 else {
                    Issue.record("\(written)")
                    continue
                }
                #expect(text.allSatisfy { $0 == " " })
            } else {
                #expect(pieces == [.code(expected(name))], "\(written)")
            }
        }
    }

    @Test(arguments: hostile) func regressionAMessageHadMentionsAndMarkup(name: String) throws {
        for message in [name, "'\(name)' is not in the build", "the file (\(name)), \(name): x"] {
            for written in [Markdown.prose(message), try #require(cell(Markdown.cell(message)))] {
                for case .text(let text) in pieces(written) {
                    let live = text.firstMatch(
                        of:
                            /[@#<>\[\]*_~`$\\&|{}=^+\/]|(?i:www)|[0-9A-Fa-f]{7}|[A-Za-z]-\d|:[\w+\-]|![^ ]|%\d|^(-|\d+[.)])/
                    )
                    #expect(live == nil, "\(written)")
                }
            }
        }
    }

    @Test(arguments: [
        (
            "'/a b.js' is not in the build; the file is 'A.js'",
            "`/a b.js` is not in the build; the file is `A.js`"
        ),
        (
            "see https://x.example/#12 (or @octocat), the app's",
            "see `https://x.example/#12` (or `@octocat`), the app's"
        ),
        ("1,234 files: 57 % less, 1.5 MB", "1,234 files: 57 % less, 1.5 MB"),
        ("a custom-scheme page, Größe, 日本", "a custom-scheme page, Größe, 日本"),
    ])
    func plainWordsStay(text: String, written: String) {
        #expect(Markdown.prose(text) == written)
    }

    /// URLs in messages are unlimited, but comments are not.
    @Test func aLongMessageIsCut() {
        let text = Markdown.cell(String(repeating: "'a|", count: 100_000))
        #expect(text.utf8.count < 10_000 && text.hasSuffix(" …"))
    }
}
