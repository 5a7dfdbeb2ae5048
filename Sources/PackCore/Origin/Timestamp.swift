/// A second of UTC, as RFC 3339 writes it: `2026-11-21T08:00:00Z`.
package struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since 1970-01-01, from the year 0 to the year 9999.
    package let seconds: Int

    private static let range = -62_167_219_200...253_402_300_799

    /// - Parameter seconds: clamped to the years that four digits can write.
    package init(seconds: Int) {
        self.seconds = min(max(seconds, Self.range.lowerBound), Self.range.upperBound)
    }

    /// Parses exactly the form that ``description`` writes; returns `nil` for anything else.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 20 else { return nil }
        let numbers = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].compactMap { range in
            Int(String(decoding: bytes[range], as: UTF8.self))
        }
        guard numbers.count == 6 else { return nil }
        let days = Self.days(year: numbers[0], month: numbers[1], day: numbers[2])
        self.init(seconds: days * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5])
        guard description == text else { return nil }
    }

    package func adding(days: Int) -> Timestamp { Timestamp(seconds: seconds + days * 86_400) }

    package static func < (one: Timestamp, other: Timestamp) -> Bool { one.seconds < other.seconds }

    package var description: String {
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let second = seconds - days * 86_400
        let (year, month, day) = Self.date(days: days)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
            + "T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))Z"
    }

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years start in March, so that the
    // leap day is the last of its year.

    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
