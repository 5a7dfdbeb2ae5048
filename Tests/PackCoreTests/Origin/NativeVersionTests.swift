import PackGround
import PackOrigin
import TestSupport
import Testing

struct NativeVersionTests {
    private static let good = ["0", "3", "3.2", "3.2.1", "3.2.1.0", "999999999.0", "003.04"]

    @Test(arguments: good) func isRead(_ text: String) throws {
        #expect(try NativeVersion(text).description == text)
    }

    private static let bad = [
        "", ".", "3.", ".3", "3..2", "1.2.3.4.5", "1000000000", "3.x", "v3", "-1", "+1", "3 ", " 3",
        "3,2", "٣", "3.2-beta", "1.2.3.4.5.6.7.8.9.10.11",
    ]

    @Test(arguments: bad) func isRefused(_ text: String) {
        let error = #expect(throws: Failure.self) { try NativeVersion(text) }
        #expect(error?["example"] == "3.2")
    }

    /// Limits of native versions: lowest, highest, version, and whether it is within.
    private static let limits: [(String?, String?, String, Bool)] = [
        (nil, nil, "0", true), ("3.2", nil, "3.2", true), ("3.2", nil, "3.2.0", true),
        ("3.2", nil, "3.10", true), ("3.2", nil, "3.1.9", false), ("3.2.1", nil, "3.2", false),
        (nil, "3.4", "3.4.9", true), (nil, "3.4", "3.5", false), (nil, "3.4", "3.3.99", true),
        (nil, "3.4.0", "3.4.1", false), (nil, "3.4.0", "3.4", true), (nil, "3", "3.999", true),
        ("3.2", "3.4", "3.4.9.9", true), ("3.2", "3.4", "3.1", false), ("3.2", "3.4", "4", false),
    ]

    @Test(arguments: limits)
    func isWithinLimits(_ lowest: String?, _ highest: String?, _ version: String, _ isWithin: Bool)
        throws
    {
        var pointer = try Sample.pointer()
        pointer.native = NativeRanges(
            NativeRange(
                lowest: try lowest.map { try NativeVersion($0) },
                highest: try highest.map { try NativeVersion($0) }))
        let device = ClientDevice(nativeVersion: try NativeVersion(version))
        #expect((pointer.select(for: device).index == 0) == isWithin)
    }

    private static let empty: [(String, String, Bool)] = [
        ("3.2", "3.2", false), ("3.2.5", "3.2", false), ("3.3", "3.2", true), ("4", "3.9.9", true),
        ("3.2", "3", false),
    ]

    @Test(arguments: empty)
    func rangesMayBeEmpty(_ lowest: String, _ highest: String, _ isEmpty: Bool) throws {
        let range = NativeRange(
            lowest: try NativeVersion(lowest), highest: try NativeVersion(highest))
        #expect(range.isEmpty == isEmpty)
    }
}
