import PackCheck
import PackGround

/// The line of a finding with carets below, fitted into the terminal's columns.
struct MarkedLine {
    let text: String
    /// Spaces, then carets below the finding.
    let carets: String

    /// - Parameter columns: The available columns; `nil` for the whole excerpt.
    init(_ place: Place, columns: Int?) {
        let characters = Array(place.excerpt)
        let widths = characters.map { displayWidth(String($0)) }
        let start = min(max(0, place.caret), characters.count)
        let end = min(start + max(1, place.caretLength), characters.count)
        var shown = 0..<characters.count
        // A caret may follow the last character.
        if let columns, widths.reduce(0, +) + (start == end ? 1 : 0) > columns {
            shown = Self.window(widths, around: start..<end, columns: columns)
        }
        let before = shown.lowerBound > 0 ? "…" : ""
        let after = shown.upperBound < characters.count ? "…" : ""
        text = before + String(characters[shown]) + after
        let marked = start..<min(end, max(start, shown.upperBound))
        carets =
            String(
                repeating: " ",
                count: before.count + widths[shown.lowerBound..<start].reduce(0, +))
            + String(repeating: "^", count: max(1, widths[marked].reduce(0, +)))
    }

    /// The characters to show: the finding first, then as much before it as after it, if available.
    private static func window(
        _ widths: [Int], around marked: Range<Int>, columns: Int
    ) -> Range<Int> {
        var (low, high) = (marked.lowerBound, marked.lowerBound)
        // Reserves space for an ellipsis at both ends, and a caret at the end.
        var left = max(columns - 3, 8)
        func takeAfter(_ end: Int) {
            while high < end, widths[high] <= left {
                left -= widths[high]
                high += 1
            }
        }
        func takeBefore(_ columns: Int) {
            var columns = columns
            while low > 0, widths[low - 1] <= columns {
                low -= 1
                columns -= widths[low]
                left -= widths[low]
            }
        }
        takeAfter(marked.upperBound)
        takeBefore(left / 2)
        takeAfter(widths.count)
        takeBefore(left)
        return low..<high
    }
}
