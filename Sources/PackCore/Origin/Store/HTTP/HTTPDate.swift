import PackGround

/// The time in a header such as `Date` (RFC 9110, section 5.6.7): `Tue, 24 Nov 2026 02:15:00 GMT`.
package enum HTTPDate {
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// - Parameter seconds: Seconds since 1970-01-01.
    package static func text(_ seconds: Int) -> String {
        let time = CalendarTime(seconds: seconds)
        let clock = [(time.hour, 2), (time.minute, 2), (time.second, 2)].map(CalendarTime.padded)
        return "\(weekdays[time.weekday]), \(CalendarTime.padded(time.day, 2)) "
            + "\(months[time.month - 1]) \(CalendarTime.padded(time.year, 4)) "
            + "\(clock.joined(separator: ":")) GMT"
    }

    /// Seconds since 1970-01-01; `nil` before 1970 and for formats other than that of ``text``.
    package static func seconds(of text: String) -> Int? {
        let words = text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ":") }
            .map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 8, words[7] == "GMT", let month = months.firstIndex(of: words[2])
        else { return nil }
        let numbers = [1, 3, 4, 5, 6].compactMap { Int(words[$0]) }
        guard numbers.count == 5, numbers[1] >= 1970 else { return nil }
        return CalendarTime(
            year: numbers[1], month: month + 1, day: numbers[0], hour: numbers[2],
            minute: numbers[3], second: numbers[4])?.seconds
    }
}
