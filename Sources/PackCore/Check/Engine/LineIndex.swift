import PackGround
import PackWeb

/// Computes lines and columns of offsets in a file.
struct LineIndex {
    private let text: DocumentText
    private let bytes: [UInt8]
    /// The offset of each line.
    private let starts: [Int]
    /// The number of code points before each multiple of ``step``: a line can have megabytes.
    private let codePoints: [Int]
    private static let step = 256

    /// The maximum number of bytes in an excerpt before the finding, and from its start.
    static let shownBefore = 48
    static let shownAfter = 80

    init(_ text: DocumentText) {
        let bytes = text.bytes
        self.text = text
        self.bytes = bytes
        var starts = [0]
        var codePoints = [0]
        var count = 0
        let span = bytes.span
        var position = 0
        while position < span.count {
            let byte = span[position]
            position += 1
            if byte & 0xC0 != 0x80 { count += 1 }
            if position % Self.step == 0 { codePoints.append(count) }
            // A lone CR also ends a line, as in HTML.
            guard byte == 0x0A || byte == 0x0D else { continue }
            if byte == 0x0D, position < span.count, span[position] == 0x0A {
                position += 1
                count += 1
                if position % Self.step == 0 { codePoints.append(count) }
            }
            starts.append(position)
        }
        self.starts = starts
        self.codePoints = codePoints
    }

    /// The 1-based line and column of an offset.
    func position(of offset: Int) -> (line: Int, column: Int) {
        let start = min(max(offset, 0), bytes.count)
        let line = line(of: start)
        return (line + 1, column(start, starts[line]))
    }

    func place(of range: Range<Int>) -> Place {
        let start = min(max(range.lowerBound, 0), bytes.count)
        let line = line(of: start)
        let lineStart = starts[line]
        var lineEnd = line + 1 < starts.count ? starts[line + 1] : bytes.count
        while lineEnd > lineStart, bytes[lineEnd - 1] == 0x0A || bytes[lineEnd - 1] == 0x0D {
            lineEnd -= 1
        }
        let shown = min(max(start, lineStart), lineEnd)
        let from = boundary(max(lineStart, shown - Self.shownBefore), in: lineStart..<lineEnd)
        let to = boundary(min(lineEnd, shown + Self.shownAfter), in: lineStart..<lineEnd)
        let before = (from > lineStart ? "…" : "") + visible(from..<shown)
        let end = min(max(range.upperBound, shown), to)
        let marked = visible(shown..<end)
        let after = visible(end..<to) + (to < lineEnd ? "…" : "")
        return Place(
            line: line + 1, column: column(start, lineStart),
            codePointColumn: codePoints(before: start) - codePoints(before: lineStart) + 1,
            excerpt: before + marked + after,
            caret: before.count, caretLength: max(1, marked.count))
    }

    /// The number of code points that start before an offset.
    private func codePoints(before offset: Int) -> Int {
        let index = offset / Self.step
        let rest = bytes[within: (index * Self.step)..<offset]
        return codePoints[index] + rest.count { $0 & 0xC0 != 0x80 }
    }

    /// 1-based, in bytes of the file.
    private func column(_ start: Int, _ lineStart: Int) -> Int {
        guard text.transcoded != nil else { return start - lineStart + 1 }
        return text.sourceRange(of: start..<start).lowerBound
            - text.sourceRange(of: lineStart..<lineStart).lowerBound + 1
    }

    /// The offsets of a line and the next one; unbounded if there is no further line.
    func twoLines(from offset: Int) -> Range<Int> {
        let line = line(of: offset)
        return starts[line]..<(line + 2 < starts.count ? starts[line + 2] : Int.max)
    }

    /// The 0-based line of an offset: the last one starting at or before it.
    private func line(of offset: Int) -> Int {
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    /// The next offset outside a UTF-8 sequence.
    private func boundary(_ offset: Int, in line: Range<Int>) -> Int {
        var offset = offset
        while offset < line.upperBound, offset > line.lowerBound, bytes[offset] & 0xC0 == 0x80 {
            offset += 1
        }
        return offset
    }

    private func visible(_ range: Range<Int>) -> String {
        printable(bytes[within: range].map { $0 == 0x09 ? 0x20 : $0 })
    }
}
