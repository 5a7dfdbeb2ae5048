import PackGround

/// A comment in a file that suppresses a finding.
///
/// `packtool-ignore missing-file -- the app injects it` covers its own line and the next one,
/// `packtool-ignore-file` the whole file. Several rules are separated by commas. It is a comment in
/// the language of the file; without a reason it has no effect.
package struct IgnoreComment: Equatable, Sendable {
    /// The range of the comment's text, starting with `packtool-ignore`.
    package let range: Range<Int>
    package let isForFile: Bool
    package let rules: [String]
    /// The text after `--`, if any.
    package let reason: String?

    private static let word = Array("packtool-ignore".utf8)
    private static let dashes = Array("--".utf8)

    /// The ignore comments of a file.
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

    /// The distance from a byte to a possible end of the word (Horspool's search).
    private static let skips: [UInt8] = {
        var skips = [UInt8](repeating: UInt8(word.count), count: 256)
        for (index, byte) in word.dropLast().enumerated() {
            skips[Int(byte)] = UInt8(word.count - 1 - index)
        }
        return skips
    }()

    private static func next(from start: Int, in bytes: [UInt8]) -> Int? {
        let text = bytes.span
        let word = Self.word
        let skips = Self.skips
        let last = word.count - 1
        var position = start
        while position + last < text.count {
            let byte = text[position + last]
            if byte == word[last],
                word.indices.allSatisfy({ text[position + $0] == word[$0] })
            {
                return position
            }
            position += Int(skips[Int(byte)])
        }
        return nil
    }

    /// The end of the comment's text: the end of its line or of the comment.
    private static func end(from start: Int, in bytes: [UInt8]) -> Int {
        let text = bytes.span
        var end = start
        while end < text.count, text[end] != 0x0A, text[end] != 0x0D {
            let next = end + 1 < text.count ? text[end + 1] : 0
            if text[end] == UInt8(ascii: "*"), next == UInt8(ascii: "/") { break }
            if text[end] == UInt8(ascii: "-"), next == UInt8(ascii: "-"), end + 2 < text.count,
                text[end + 2] == UInt8(ascii: ">")
            {
                break
            }
            end += 1
        }
        return end
    }

    private static func read(at start: Int, in bytes: [UInt8]) -> IgnoreComment {
        var end = end(from: start, in: bytes)
        while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
        var text = bytes[(start + word.count)..<end]
        let isForFile = text.starts(with: "-file".utf8)
        if isForFile { text = text.dropFirst(5) }
        var reason: String?
        if let mark = text.firstRange(of: dashes) {
            let words = text[mark.upperBound...].drop { $0 <= 0x20 }
            reason = words.isEmpty ? nil : printable(words)
            text = text[..<mark.lowerBound]
        }
        let rules = text.split { $0 <= 0x20 || $0 == UInt8(ascii: ",") }.map { printable($0) }
        return IgnoreComment(
            range: start..<end, isForFile: isForFile, rules: rules, reason: reason)
    }
}
