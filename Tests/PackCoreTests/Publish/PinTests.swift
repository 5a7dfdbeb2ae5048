import PackOrigin
import PackRelease
import TestSupport
import Testing

@testable import PackPublish

/// A pin lists the apps that contain a release.
@Suite struct PinTests {
    private static func pin(_ reason: String?, at seconds: Int = 0) throws -> Pin {
        Pin(
            channel: .production, version: try #require(Version("0123456789abcdef0123")),
            createdAt: Timestamp(seconds: seconds), reason: reason)
    }

    @Test(
        "the app of the second pin was all that was left, and its end took the first one's release")
    func aSecondPinKeepsTheReason() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first, label: "1.0")
        var made: [String?] = []
        for reason in ["app 3.2", "app 3.3", nil, "app 3.2"] {
            let pin = try await Pin.record(
                "1.0", of: .production, at: playground.writable, now: Playground.now,
                clock: Playground.now, reason: reason)
            made.append(pin.reason)
        }
        let both = "app 3.2; app 3.3"
        #expect(made == ["app 3.2", both, both, "app 3.3; app 3.2"])
        let taken = try await Pin.remove("1.0", of: .production, at: playground.writable)
        #expect(taken.reason == "app 3.3; app 3.2")
    }

    @Test func aDamagedPinIsReplaced() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first, label: "1.0")
        let pin = try await Pin.record(
            "1.0", of: .production, at: playground.writable, now: Playground.now,
            clock: Playground.now, reason: "app 3.2")
        for damage in ["", "{", String(repeating: "x", count: 10_000)] {
            try playground.write("origin/\(pin.path)", damage)
            try await pin.record(at: playground.writable, clock: Playground.now)
            #expect(try playground.read("origin/\(pin.path)") == pin.encode())
        }
    }

    @Test func theOldestReasonsGoFirst() throws {
        let long = (1...30).map { "app \($0).0.0" }
        var pin = try Self.pin(long[0])
        for reason in long.dropFirst() { pin = try Self.pin(reason).keepingReasons(of: pin) }
        let kept = (pin.reason ?? "").split(separator: "; ").map(String.init)
        #expect(kept == Array(long.suffix(kept.count)))
        #expect((pin.reason?.utf8.count ?? 0) <= Pin.reasonLimit && kept.count > 15)
        let full = String(repeating: "é", count: 100)
        #expect(try Self.pin(full).keepingReasons(of: pin).reason == full)
    }
}
