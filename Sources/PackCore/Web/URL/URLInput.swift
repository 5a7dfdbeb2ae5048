/// The text that the URL parser works on: the input without what parsing starts by removing.
///
/// URL standard, basic URL parser, the steps before the state machine: leading and trailing C0
/// controls and spaces go, and tabs and newlines everywhere.
struct URLInput {
    let bytes: [UInt8]
    /// How many bytes were removed at the start.
    private let leading: Int
    /// The removed tabs and newlines, as offsets after ``leading``, ascending.
    private let removed: [Int]
    private let trailingSpace: Int?

    init(_ original: [UInt8]) {
        let start = original.firstIndex { $0 > 0x20 } ?? original.endIndex
        let end = original.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? original.endIndex
        leading = start
        trailingSpace = end < original.endIndex ? end : nil
        let trimmed = original[start..<max(start, end)]
        guard trimmed.contains(where: Self.isTabOrNewline) else {
            bytes = trimmed.count == original.count ? original : Array(trimmed)
            removed = []
            return
        }
        bytes = trimmed.filter { !Self.isTabOrNewline($0) }
        removed = trimmed.indices.filter { Self.isTabOrNewline(trimmed[$0]) }.map { $0 - start }
    }

    /// What the removal itself reports: the first byte of each run.
    var errors: [URLValidationError] {
        var errors: [URLValidationError] = []
        if leading > 0 { errors.append(.init(.surroundingSpace, at: 0)) }
        if let trailingSpace { errors.append(.init(.surroundingSpace, at: trailingSpace)) }
        var previous = -2
        for place in removed {
            if place != previous + 1 { errors.append(.init(.tabOrNewline, at: place + leading)) }
            previous = place
        }
        return errors
    }

    /// The offset in the original input of a position in ``bytes``.
    func originalOffset(_ position: Int) -> Int {
        // The bytes removed before the position: `removed[k] - k` never falls, so it is searched.
        var low = 0
        var high = removed.count
        while low < high {
            let middle = (low + high) / 2
            if removed[middle] - middle <= position { low = middle + 1 } else { high = middle }
        }
        return position + low + leading
    }

    private static func isTabOrNewline(_ byte: UInt8) -> Bool {
        byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
