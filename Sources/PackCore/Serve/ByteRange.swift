/// The range of a `Range` header (RFC 9110, section 14).
enum ByteRange: Equatable {
    /// The whole file: there is no header, or one that is ignored, such as several ranges.
    case whole
    case part(offset: UInt64, count: UInt64)
    /// The range starts beyond the end.
    case unsatisfiable

    init(_ text: String?, size: UInt64) {
        self = .whole
        guard let text = text?.lowercased(), text.hasPrefix("bytes=") else { return }
        let parts = text.dropFirst("bytes=".count)
            .split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        if parts[0].isEmpty {
            guard let count = Self.number(parts[1]) else { return }
            let taken = min(count, size)
            self = taken == 0 ? .unsatisfiable : .part(offset: size - taken, count: taken)
            return
        }
        guard let first = Self.number(parts[0]) else { return }
        var last = UInt64.max
        if !parts[1].isEmpty {
            guard let number = Self.number(parts[1]), number >= first else { return }
            last = number
        }
        guard first < size else {
            self = .unsatisfiable
            return
        }
        self = .part(offset: first, count: min(last, size - 1) - first + 1)
    }

    /// Parses digits; a number that is too large is clamped.
    private static func number(_ text: Substring) -> UInt64? {
        let text = String(text.reversed().drop { $0 == " " }.reversed())
        guard !text.isEmpty,
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return UInt64(text) ?? .max
    }
}
