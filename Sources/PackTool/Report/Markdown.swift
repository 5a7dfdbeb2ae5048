import PackGround

/// Foreign text in Markdown, safe for comments on GitHub and GitLab.
///
/// Both turn names, numbers, hashes and URLs into mentions and links after rendering a comment, so
/// escapes do not help; only code is left alone. Therefore only words of letters or digits stay
/// text; everything else becomes code.
package enum Markdown {
    /// A sentence or a name in a paragraph.
    package static func prose(_ text: String) -> String { prose(text, code) }

    /// A sentence or a name in a table.
    package static func cell(_ text: String) -> String { prose(text, codeCell) }

    /// Code in a paragraph.
    package static func code(_ text: String) -> String {
        var text = printable(text.utf8)
        var fence = longestRun(in: text)
        // GitHub's cmark does not recognize fences longer than 80.
        if fence > 40 {
            text = replacing("`", in: text, with: "\\x60")
            fence = 0
        }
        let ticks = String(repeating: "`", count: fence + 1)
        let scalars = text.unicodeScalars
        // Markdown strips one space if both ends have one, and a backtick at an end would belong to
        // the fence.
        let isPadded =
            [scalars.first, scalars.last].contains("`")
            || scalars.first == " " && scalars.last == " "
        let blank = isPadded || text.isEmpty ? " " : ""
        return ticks + blank + text + (text.isEmpty ? "" : blank) + ticks
    }

    /// Code in a table; every bar needs a backslash even inside code.
    package static func codeCell(_ text: String) -> String {
        replacing("|", in: code(text), with: "\\|")
    }

    /// Replaces scalars, not characters: a scalar with a combining mark is another character but
    /// the same to a parser.
    private static func replacing(
        _ scalar: Unicode.Scalar, in text: String, with other: String
    ) -> String {
        String(text.unicodeScalars.replacing([scalar], with: other.unicodeScalars))
    }

    private static func longestRun(in text: String) -> Int {
        var (longest, run) = (0, 0)
        for scalar in text.unicodeScalars {
            run = scalar == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }

    // MARK: Sentences

    private typealias Scalars = ArraySlice<Unicode.Scalar>

    private static let opening: Set<Unicode.Scalar> = ["(", "\"", "'"]
    private static let closing: Set<Unicode.Scalar> = [
        ")", "\"", "'", ".", ",", ";", ":", "!", "?",
    ]

    /// The maximum length of a sentence: it may contain a URL of any length.
    private static let longest = 2000

    private static func prose(_ text: String, _ code: (String) -> String) -> String {
        let all = Array(printable(text.utf8).unicodeScalars)
        var left = all.prefix(longest)
        var result = ""
        while let first = left.first {
            if first == " " || first == "(" && quoted(left.dropFirst()) != nil {
                result.unicodeScalars.append(left.removeFirst())
            } else if let quoted = quoted(left) {
                // Code needs no quotation marks, and only punctuation follows up to the next space.
                let end = left[(quoted.endIndex + 1)...].prefix { $0 != " " }
                result += code(string(quoted)) + string(end)
                left = left[end.endIndex...]
            } else {
                let word = left.prefix { $0 != " " }
                result += shown(word, isFirst: result.isEmpty, code)
                left = left[word.endIndex...]
            }
        }
        return all.count > longest ? result + " …" : result
    }

    /// The quoted text at the start, if any.
    private static func quoted(_ text: Scalars) -> Scalars? {
        guard text.first == "'" else { return nil }
        for end in text.indices.dropFirst(2) where text[end] == "'" {
            let next = text[(end + 1)...].first { !closing.contains($0) || $0 == "'" }
            if next == nil || next == " " { return text[(text.startIndex + 1)..<end] }
        }
        return nil
    }

    /// A word without spaces: as text with its punctuation, or as code.
    private static func shown(
        _ word: Scalars, isFirst: Bool, _ code: (String) -> String
    ) -> String {
        let before = word.prefix { opening.contains($0) }
        var core = word[before.endIndex...]
        while let last = core.last, closing.contains(last) { core.removeLast() }
        // '1.' at the start would be a list.
        let isList = isFirst && core.allSatisfy(isDigit)
        if isPlain(core), !isList || core.endIndex == word.endIndex { return string(word) }
        if core.isEmpty { return before.count == word.count ? string(word) : code(string(word)) }
        return string(before) + code(string(core)) + string(word[core.endIndex...])
    }

    /// Whether a word has no special meaning: letters with hyphens or apostrophes between them,
    /// letters and digits, or a number.
    private static func isPlain(_ word: Scalars) -> Bool {
        guard let first = word.first else { return false }
        if word.count == 1, ["%", "…", "–", "—", "→"].contains(first) { return true }
        let isLetter = { (scalar: Unicode.Scalar) in Character(scalar).isLetter }
        let runs = word.split { !isLetter($0) && !isDigit($0) }
        guard !runs.contains(where: mayBeHash), string(word).lowercased() != "www" else {
            return false
        }
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        if parts.count == 1 {
            if word.allSatisfy({ isLetter($0) || isDigit($0) }) { return true }
            let digits = word.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
            if digits.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) }) { return true }
        }
        return parts.allSatisfy { part in
            part.split(separator: "'", omittingEmptySubsequences: false)
                .allSatisfy { !$0.isEmpty && $0.allSatisfy(isLetter) }
        }
    }

    /// Whether a word could be the abbreviated hash of a commit.
    private static func mayBeHash(_ word: Scalars) -> Bool {
        word.count >= 7
            && word.allSatisfy {
                isDigit($0) || ("a"..."f").contains($0) || ("A"..."F").contains($0)
            }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar)
    }

    private static func string(_ scalars: Scalars) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }
}
