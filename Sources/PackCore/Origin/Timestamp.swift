import PackGround

/// A UTC time in seconds, formatted according to RFC 3339: `2026-11-21T08:00:00Z`.
package struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since 1970-01-01, from the year 0 to the year 9999.
    package let seconds: Int

    private static let range = -62_167_219_200...253_402_300_799

    /// - Parameter seconds: Clamped to years of four digits.
    package init(seconds: Int) {
        self.seconds = min(max(seconds, Self.range.lowerBound), Self.range.upperBound)
    }

    /// Parses the exact format of ``description``; returns `nil` for any other.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 20 else { return nil }
        let numbers = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].compactMap { range in
            Int(String(decoding: bytes[range], as: UTF8.self))
        }
        guard numbers.count == 6,
            let time = CalendarTime(
                year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3],
                minute: numbers[4], second: numbers[5])
        else { return nil }
        self.init(seconds: time.seconds)
        guard description == text else { return nil }
    }

    package func adding(days: Int) -> Timestamp { Timestamp(seconds: seconds + days * 86_400) }

    /// The difference from a clock to this later time, in words.
    package func lead(over clock: Timestamp) -> String {
        "\(readableSpan(seconds - clock.seconds)) ahead of this machine's clock"
    }

    package static func < (one: Timestamp, other: Timestamp) -> Bool { one.seconds < other.seconds }

    package var description: String {
        let time = CalendarTime(seconds: seconds)
        let date = [(time.year, 4), (time.month, 2), (time.day, 2)].map(CalendarTime.padded)
        let clock = [(time.hour, 2), (time.minute, 2), (time.second, 2)].map(CalendarTime.padded)
        return "\(date.joined(separator: "-"))T\(clock.joined(separator: ":"))Z"
    }
}
