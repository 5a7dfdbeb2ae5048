/// A comment in a file that keeps a rule from reporting what is meant to be so.
///
/// `packtool-ignore missing-file -- the app injects it` holds for its own line and the next one,
/// `packtool-ignore-file` for the file. Several rules are separated by commas. It stands in a comment
/// of whatever language the file is in; without a reason it does not count.
package struct IgnoreComment: Equatable, Sendable {
    /// The bytes of the comment's text, from the word `packtool-ignore` on.
    package let range: Range<Int>
    package let isForFile: Bool
    package let rules: [String]
    /// `nil` where none is given.
    package let reason: String?

    private static let word = Array("packtool-ignore".utf8)

    /// The comments of a file.
    package static func find(in bytes: [UInt8]) -> [IgnoreComment] {
        var found: [IgnoreComment] = []
        var position = 0
        while let start = next(from: position, in: bytes) {
            let comment = read(at: start, in: bytes)
            found.append(comment)
            position = max(comment.range.upperBound, start + word.count)
        }
        return found
    }

    private static func next(from start: Int, in bytes: [UInt8]) -> Int? {
        let span = bytes.span
        var position = start
        let last = bytes.count - word.count
        while position <= last {
            if span[position] == word[0], span[position + 1] == word[1],
                span[position + 2] == word[2],
                bytes[position...].starts(with: word)
            {
                return position
            }
            position += 1
        }
        return nil
    }

    private static func read(at start: Int, in bytes: [UInt8]) -> IgnoreComment {
        var end = start
        while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D,
            !bytes[end...].starts(with: "-->".utf8), !bytes[end...].starts(with: "*/".utf8)
        {
            end += 1
        }
        while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
        var text = bytes[(start + word.count)..<end]
        let isForFile = text.starts(with: "-file".utf8)
        if isForFile { text = text.dropFirst(5) }
        var reason: String?
        if let mark = text.firstRange(of: Array("--".utf8)) {
            let words = text[mark.upperBound...].drop { $0 <= 0x20 }
            reason = words.isEmpty ? nil : printable(words)
            text = text[..<mark.lowerBound]
        }
        let rules = text.split { $0 <= 0x20 || $0 == UInt8(ascii: ",") }.map { printable($0) }
        return IgnoreComment(
            range: start..<end, isForFile: isForFile, rules: rules, reason: reason)
    }
}

/// The comments of one file, and which of them were needed.
struct IgnoreComments: Sendable {
    struct Entry: Sendable {
        let comment: IgnoreComment
        let line: Int
        let place: Place
    }

    let path: String
    let entries: [Entry]

    init?(path: String, bytes: [UInt8]) {
        let comments = IgnoreComment.find(in: bytes)
        guard !comments.isEmpty else { return nil }
        let lines = LineIndex(bytes)
        self.path = path
        entries = comments.map {
            let place = lines.place(of: $0.range)
            return Entry(comment: $0, line: place.line, place: place)
        }
    }

    /// The findings that no comment covers, and a finding for each comment that covers none.
    ///
    /// - Parameters:
    ///   - findings: those of this file.
    ///   - rules: the ids of the rules that ran; a comment about another one is not judged.
    ///   - unused: what an unused comment counts; `nil` leaves them out.
    func apply(
        to findings: [Finding], rules: Set<String>, unused: Severity?
    ) -> (kept: [Finding], ignored: Int) {
        var used: Set<[Int]> = []
        let kept = findings.filter { finding in
            var isIgnored = false
            for (number, entry) in entries.enumerated() where entry.comment.reason != nil {
                guard let which = entry.comment.rules.firstIndex(of: finding.rule) else { continue }
                let line = finding.place?.line
                guard entry.comment.isForFile || line == entry.line || line == entry.line + 1
                else { continue }
                used.insert([number, which])
                isIgnored = true
            }
            return !isIgnored
        }
        var idle: [Finding] = []
        if let unused {
            for (number, entry) in entries.enumerated() where entry.comment.reason != nil {
                for (which, rule) in entry.comment.rules.enumerated()
                where rules.contains(rule) && !used.contains([number, which]) {
                    idle.append(
                        Finding(
                            rule: UnusedIgnore.id, severity: unused, path: path,
                            place: entry.place, range: entry.comment.range,
                            message: "'\(rule)' finds nothing here any more: remove the comment"))
                }
            }
        }
        return (kept + idle, findings.count - kept.count)
    }
}

/// The id that the check itself and the rule share.
enum UnusedIgnore {
    static let id = "unused-ignore"
}
