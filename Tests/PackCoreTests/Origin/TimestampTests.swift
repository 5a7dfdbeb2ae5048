import PackOrigin
import TestSupport
import Testing

struct TimestampTests {
    @Test func agreesWithPython() async throws {
        var random = Noise(seed: 11)
        // 0001-01-01 to 9999-12-31, the range of datetime.
        var seconds = (0..<400).map { _ in
            Int.random(in: -62_135_596_800...253_402_300_799, using: &random)
        }
        for year in [1600, 1700, 1900, 1970, 2000, 2024, 2100, 2400] {
            // Around the end of February and of the year.
            let start = (year - 1970) * 31_556_952
            seconds +=
                (-3...3).map { start + $0 * 86_400 } + (55...63).map { start + $0 * 86_400 - 1 }
        }
        let program = """
            import sys, datetime, email.utils
            zero = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
            for line in sys.stdin:
                time = zero + datetime.timedelta(seconds=int(line))
                print(time.strftime('%Y').zfill(4) + time.isoformat()[4:19] + 'Z')
                print(email.utils.format_datetime(time, usegmt=True))
            """
        let input = seconds.map { "\($0)\n" }.joined()
        let python = try await ForeignTool.python(program, input: input)
        try #require(
            python.status == 0 && python.lines.count == 2 * seconds.count, "\(python.all)")
        for (index, number) in seconds.enumerated() {
            let (line, date) = (python.lines[2 * index], python.lines[2 * index + 1])
            #expect(Timestamp(seconds: number).description == line)
            #expect(Timestamp(line)?.seconds == number)
            #expect(HTTPDate.text(number) == date)
            #expect(HTTPDate.seconds(of: date) == (number >= 0 ? number : nil))
        }
    }

    private static let knownTimesTable: [(String, Int)] = [
        ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1),
        ("2026-11-21T08:00:00Z", 1_795_248_000),
        ("2000-02-29T12:00:00Z", 951_825_600), ("0000-01-01T00:00:00Z", -62_167_219_200),
        ("0000-02-29T00:00:00Z", -62_162_121_600), ("0000-12-31T23:59:59Z", -62_135_596_801),
        ("9999-12-31T23:59:59Z", 253_402_300_799), ("2038-01-19T03:14:08Z", 2_147_483_648),
    ]

    @Test(arguments: knownTimesTable) func knownTimes(_ text: String, _ seconds: Int) {
        #expect(Timestamp(text)?.seconds == seconds)
        #expect(Timestamp(seconds: seconds).description == text)
    }

    private static let refusedTable: [String] = [
        "", "2026-11-21", "2026-11-21T08:00:00", "2026-11-21t08:00:00z", "2026-11-21 08:00:00Z",
        "2026-11-21T08:00:00+00:00", "2026-11-21T08:00:00.0Z", "2026-11-21T24:00:00Z",
        "2026-11-21T08:60:00Z", "2026-11-21T08:00:60Z", "2026-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
        "2026-04-31T00:00:00Z",
        "-001-01-01T00:00:00Z", "+026-01-01T00:00:00Z", "2026-+1-01T00:00:00Z",
        "2026-11-21T-1:00:00Z",
        "0000-00-00T00:00:00Z", "9999-12-31T23:59:60Z", "10000-01-01T00:00:00Z",
        "2026/11/21T08:00:00Z",
        "２026-11-21T08:00Z", " 2026-11-21T08:00:0Z", "2026-11-21T08:00:00Y", "20é6-11-21T08:00:00Z",
    ]

    @Test(arguments: refusedTable) func refused(_ text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test func clampedToFourDigits() {
        #expect(Timestamp(seconds: .max).description == "9999-12-31T23:59:59Z")
        #expect(Timestamp(seconds: .min).description == "0000-01-01T00:00:00Z")
        #expect(Timestamp(seconds: 0).adding(days: 4_000_000).description == "9999-12-31T23:59:59Z")
    }

    @Test func ordersAndAdds() throws {
        let now = Playground.now
        #expect(now.description == "2026-11-21T08:00:00Z")
        #expect(now.adding(days: 90).description == "2027-02-19T08:00:00Z")
        #expect(now < now.adding(days: 1))
        #expect(!(now < now))
    }
}
