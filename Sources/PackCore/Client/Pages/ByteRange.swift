/// The range of a `Range` header (RFC 9110, section 14).
package enum ByteRange: Equatable, Sendable {
    /// The whole file: the header is missing, or ignored because it is invalid, has
    /// another unit, or asks for several ranges.
    case whole
    case part(offset: UInt64, count: UInt64)
    /// No range of the header contains a byte of the file.
    case unsatisfiable

    package init(_ header: String?, size: UInt64) {
        guard let header, let ranges = Self.ranges(header) else {
            self = .whole
            return
        }
        let selected = ranges.map { $0.selected(of: size) }
        if selected.allSatisfy({ $0 == .unsatisfiable }) {
            self = .unsatisfiable
        } else {
            self = selected.count == 1 ? selected[0] : .whole
        }
    }

    /// The ranges of a valid header with the unit `bytes`, otherwise `nil`.
    private static func ranges(_ header: String) -> [RangeSpec]? {
        let text = trimmed(Array(header.utf8)[...])
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")),
            String(decoding: text[..<equals], as: UTF8.self).lowercased() == "bytes"
        else { return nil }
        var ranges: [RangeSpec] = []
        for part in text[(equals + 1)...].split(separator: UInt8(ascii: ",")) {
            let part = trimmed(part)
            // A list may have empty elements (section 5.6.1).
            if part.isEmpty { continue }
            guard let range = RangeSpec(part) else { return nil }
            ranges.append(range)
        }
        return ranges.isEmpty ? nil : ranges
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = text.drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return [] }
        return start[...last]
    }
}

/// One element of a `Range` header: `0-9`, `5-` or `-5`.
private enum RangeSpec {
    case from(Decimal, through: Decimal?)
    case last(Decimal)

    init?(_ text: ArraySlice<UInt8>) {
        guard let dash = text.firstIndex(of: UInt8(ascii: "-")) else { return nil }
        let end = text[(dash + 1)...]
        if dash == text.startIndex {
            guard let count = Decimal(end) else { return nil }
            self = .last(count)
            return
        }
        guard let first = Decimal(text[..<dash]) else { return nil }
        if end.isEmpty {
            self = .from(first, through: nil)
            return
        }
        guard let last = Decimal(end), !(last < first) else { return nil }
        self = .from(first, through: last)
    }

    func selected(of size: UInt64) -> ByteRange {
        switch self {
        case .from(let first, let last):
            let offset = first.clamped
            guard offset < size else { return .unsatisfiable }
            let end = min(last?.clamped ?? .max, size - 1)
            return .part(offset: offset, count: end - offset + 1)
        case .last(let count):
            guard count.clamped > 0 else { return .unsatisfiable }
            // An empty file has no range to name in `Content-Range`.
            guard size > 0 else { return .whole }
            let taken = min(count.clamped, size)
            return .part(offset: size - taken, count: taken)
        }
    }
}

/// A number of any length, as its digits without leading zeros.
private struct Decimal {
    private let digits: ArraySlice<UInt8>

    init?(_ text: ArraySlice<UInt8>) {
        guard !text.isEmpty,
            text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        digits = text.drop { $0 == UInt8(ascii: "0") }
    }

    /// The value, or the largest representable one.
    var clamped: UInt64 {
        digits.isEmpty ? 0 : UInt64(String(decoding: digits, as: UTF8.self)) ?? .max
    }

    static func < (one: Decimal, other: Decimal) -> Bool {
        one.digits.count == other.digits.count
            ? one.digits.lexicographicallyPrecedes(other.digits)
            : one.digits.count < other.digits.count
    }
}
