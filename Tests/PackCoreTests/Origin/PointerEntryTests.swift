import PackGround
import PackOrigin
import PackRelease
import TestSupport
import Testing

/// The offers of a new pointer, given its predecessor.
struct PointerEntryTests {
    private static func entry(
        _ number: Int, _ share: Int = 100, _ lowest: String? = nil, _ highest: String? = nil
    ) throws -> Pointer.Entry {
        let hash = StreamHasher.digest(of: Array("release \(number)".utf8))
        var entry = try Sample.pointer().entry
        entry.version = Version(packageHash: hash)
        entry.packageHash = hash
        entry.label = "\(number)"
        entry.rollout = share
        entry.native = NativeRanges(
            NativeRange(
                lowest: try lowest.map { try NativeVersion($0) },
                highest: try highest.map { try NativeVersion($0) }))
        return entry
    }

    /// Parses lists such as `1:50 2:100`, each with its share, and `>3.2`, `<3.4` for native
    /// limits.
    private func list(_ text: String) throws -> [Pointer.Entry] {
        try text.split(separator: " ").map { word in
            let parts = word.split(separator: ":").map(String.init)
            let limits = parts.dropFirst(2)
            return try Self.entry(
                Int(parts[0]) ?? 0, Int(parts[1]) ?? 0,
                limits.first { $0.hasPrefix(">") }.map { String($0.dropFirst()) },
                limits.first { $0.hasPrefix("<") }.map { String($0.dropFirst()) })
        }
    }

    private static let lists: [(String, String)] = [
        ("1:100 2:100", "1:100"), ("1:50 2:100 3:100", "1:50 2:100"),
        ("1:0 2:100", "1:0 2:100"), ("1:50 2:50 3:100", "1:50 2:50 3:100"),
        // A range that includes the other, at 100 % alone.
        ("1:100:>3 2:100:>4 3:100", "1:100:>3 3:100"),
        ("1:50:>3 2:100:>4 3:100", "1:50:>3 2:100:>4 3:100"),
        ("1:100:>4 2:100:>3 3:100", "1:100:>4 2:100:>3 3:100"),
        ("1:100:<3.4 2:100:<3.4.9 3:100", "1:100:<3.4 3:100"),
        ("1:100:<3.4.9 2:100:<3.4 3:100", "1:100:<3.4.9 2:100:<3.4 3:100"),
        ("1:100:<3 2:100:<3.9 3:100", "1:100:<3 3:100"),
        ("1:100:>3:<4 2:50:>3.1:<3.9 3:10", "1:100:>3:<4 3:10"),
        // The same release again, at a lower share.
        ("1:50 1:10 2:100", "1:50 2:100"), ("1:10 1:50 2:100", "1:10 1:50 2:100"),
        // At most eight entries after the first; the release for all devices stays.
        (
            "1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1 10:1 11:100",
            "1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 11:100"
        ),
    ]

    @Test(arguments: lists) func areShortened(_ given: String, _ expected: String) throws {
        #expect(Pointer.shortened(try list(given)) == (try list(expected)))
    }

    private func next(_ current: String, _ change: Pointer.Change) throws -> Pointer {
        let entries = try list(current)
        var pointer = try Sample.pointer()
        pointer.entry = entries[0]
        pointer.fallbacks = Array(entries.dropFirst())
        let stamp = Pointer.Stamp(
            sequence: 500, previous: 418, createdAt: pointer.createdAt, expires: nil, by: "me")
        let next = Pointer.next(after: pointer, stamp, change)
        #expect(next.sequence == 500 && next.previous == 418 && next.by == "me")
        #expect(next.operation == change.operation)
        return next
    }

    private func conditions(_ body: (inout Pointer.Conditions) throws -> Void) rethrows
        -> Pointer.Conditions
    {
        var conditions = Pointer.Conditions()
        try body(&conditions)
        return conditions
    }

    /// The offers of a publish; unspecified options keep their values.
    @Test func publishes() throws {
        let three = try Self.entry(3)
        let expect = { (current: String, conditions: Pointer.Conditions, expected: String) in
            let next = try self.next(current, .publish(three, conditions))
            #expect(next.entries == (try self.list(expected)), "\(current)")
        }
        try expect("2:100", .init(), "3:100")
        try expect("2:100", conditions { $0.rollout = 10 }, "3:10 2:100")
        try expect("2:10 1:100", .init(), "3:10 2:10 1:100")
        try expect("2:10 1:100", conditions { $0.rollout = 100 }, "3:100")
        try expect(
            "2:100:>3 1:100", conditions { $0.rollout = 20 }, "3:20:>3 2:100:>3 1:100")
        try expect("2:100:>3 1:100", conditions { $0.lowest = .all(.unlimited) }, "3:100")
        let four = Pointer.Conditions.Limit.version(try NativeVersion("4"))
        try expect("2:100 1:100", conditions { $0.lowest = .all(four) }, "3:100:>4 2:100")
        try expect("2:100 1:100", conditions { $0.highest = .all(four) }, "3:100:<4 2:100")
        // A release that is already offered keeps its share and is listed once.
        try expect("2:10 3:100", .init(), "3:100")
        try expect("3:10 2:100", .init(), "3:10 2:100")
        try expect("3:10 2:100", conditions { $0.rollout = 60 }, "3:60 2:100")
    }

    /// A limit of one platform leaves that of the other as it is.
    @Test func publishesForPlatforms() throws {
        let version = { Pointer.Conditions.Limit.version(try NativeVersion($0)) }
        let three = try Self.entry(3)
        var first = try next(
            "2:100:>3 1:100",
            .publish(three, conditions { $0.lowest[.android] = try version("3.4") }))
        #expect(first.entries.map(\.label) == ["3", "2", "1"])
        let native = first.entry.native
        #expect(native[.ios].lowest?.description == "3")
        #expect(native[.android].lowest?.description == "3.4" && native[nil] == native[.android])
        // The next release keeps them.
        let stamp = Pointer.Stamp(
            sequence: 501, previous: 500, createdAt: first.createdAt, expires: nil)
        let four = try Self.entry(4)
        #expect(Pointer.next(after: first, stamp, .publish(four, .init())).entry.native == native)
        let freed = Pointer.next(
            after: first, stamp, .publish(four, conditions { $0.lowest[.android] = .unlimited }))
        #expect(freed.entry.native[.android].isUnlimited && !freed.entry.isUnconditional)
        #expect(freed.entry.native[.ios] == native[.ios] && freed.entry.native[nil] == native[.ios])
        let all = Pointer.next(
            after: first, stamp, .publish(four, conditions { $0.lowest = .all(.unlimited) }))
        #expect(all.entry.isUnconditional && all.fallbacks.isEmpty)
        first.entry.rollout = 10
        let rolled = Pointer.next(after: first, stamp, .rollout(50))
        #expect(rolled.entry.native == native)
    }

    @Test func mandatory() throws {
        let entry = try Self.entry(3)
        var next = try next("2:100", .publish(entry, .init()))
        #expect(!next.isMandatory && next.mandatorySequence == nil)
        next = try self.next("2:100", .publish(entry, conditions { $0.isMandatory = true }))
        #expect(next.isMandatory && next.mandatorySequence == 500)
        // A later release: devices that skipped this one must still update.
        let stamp = Pointer.Stamp(
            sequence: 501, previous: 500, createdAt: next.createdAt, expires: nil)
        let later = Pointer.next(
            after: next, stamp, .publish(try Self.entry(4), conditions { $0.isMandatory = false }))
        #expect(!later.isMandatory && later.mandatorySequence == 500)
        // Publishing the same release changes nothing.
        let again = Pointer.next(after: next, stamp, .publish(entry, .init()))
        #expect(again.saysTheSame(as: next))
        // A rollback is mandatory, but the next release is not.
        let source = Pointer.Source(channel: .production, sequence: 400)
        let back = Pointer.next(
            after: later, stamp, .rollback([entry], to: source, isMandatory: true))
        #expect(back.isMandatory && back.mandatorySequence == 501 && back.source == source)
        let fixed = Pointer.next(after: back, stamp, .publish(try Self.entry(5), .init()))
        #expect(!fixed.isMandatory && fixed.mandatorySequence == 501)
    }

    @Test func theOtherOperations() throws {
        #expect(try next("2:10 1:100", .rollout(50)).entries == (try list("2:50 1:100")))
        #expect(try next("2:10 1:100", .rollout(100)).entries == (try list("2:100")))
        #expect(try next("2:10 1:100", .rollout(0)).entries == (try list("2:0 1:100")))
        let paused = try next("2:10 1:100", .pause(bypass: false))
        #expect(!paused.isEnabled && !paused.bypasses)
        #expect(paused.entries == (try list("2:10 1:100")))
        let bypassed = try next("2:10 1:100", .pause(bypass: true))
        #expect(!bypassed.isEnabled && bypassed.bypasses)
        let stamp = Pointer.Stamp(
            sequence: 501, previous: 500, createdAt: paused.createdAt, expires: nil)
        let resumed = Pointer.next(after: bypassed, stamp, .resume)
        #expect(resumed.isEnabled && !resumed.bypasses)
        #expect(Pointer.next(after: paused, stamp, .renew).saysTheSame(as: paused))
        // A publish leaves a paused channel paused unless requested otherwise.
        let entry = try Self.entry(3)
        #expect(!Pointer.next(after: bypassed, stamp, .publish(entry, .init())).isEnabled)
        let published = Pointer.next(
            after: bypassed, stamp, .publish(entry, conditions { $0.resumes = true }))
        #expect(published.isEnabled && !published.bypasses)
    }
}
