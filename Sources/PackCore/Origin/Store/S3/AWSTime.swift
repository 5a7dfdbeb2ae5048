import PackGround

/// The time of a signed request, as S3 wants it.
package enum AWSTime {
    /// `20261124T021500Z`.
    package static func stamp(_ seconds: Int) -> String {
        let time = CalendarTime(seconds: seconds)
        let date = [(time.year, 4), (time.month, 2), (time.day, 2)].map(CalendarTime.padded)
        let clock = [(time.hour, 2), (time.minute, 2), (time.second, 2)].map(CalendarTime.padded)
        return "\(date.joined())T\(clock.joined())Z"
    }
}
