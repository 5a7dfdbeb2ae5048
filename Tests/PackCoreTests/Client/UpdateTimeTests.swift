import PackClient
import PackGround
import PackOrigin
import PackRelease
import TestSupport
import Testing

/// The choice between a fetched delta and the package, by time.
@Suite struct UpdateTimeTests {
    /// A delta and a package of given sizes, in bytes.
    private func prefersPackage(
        _ time: UpdateTime, delta: UInt64 = 400_000, coded: UInt64 = 1_500_000,
        copied: UInt64 = 3_000_000, package: UInt64 = 8_000_000
    ) throws -> Bool {
        var entry = try Sample.pointer().entry
        entry.package = ContentReference(
            url: entry.package.url, sha256: entry.package.sha256, size: package)
        entry.tree = TreeSize(assets: 300, size: 23_000_000)
        let step = Pointer.Delta(
            from: entry.version, fromHash: entry.packageHash,
            content: ContentReference(
                url: entry.package.url, sha256: entry.package.sha256, size: delta),
            needs: .init(memory: 1, coded: coded, copied: copied))
        return time.prefersPackage(of: entry, to: [step])
    }

    // 50 Mbit/s: 1.28 s for the package, and 2.34 s to unpack it; 4.2 s for applying the delta.
    private let phone = UpdateTime(speed: 0.3, link: 50e6 / 8)

    @Test func aFastLinkAndASlowProcessorPreferThePackage() throws {
        #expect(!(try prefersPackage(phone)))
        #expect(try prefersPackage(UpdateTime(speed: 0.3, link: 500e6 / 8), coded: 2_500_000))
        #expect(try prefersPackage(phone, coded: 3_000_000))
        #expect(!(try prefersPackage(UpdateTime(speed: 3, link: 50e6 / 8), coded: 3_000_000)))
        #expect(!(try prefersPackage(UpdateTime(speed: 0.3, link: 5e6 / 8), coded: 3_000_000)))
    }

    @Test func anUnknownLinkNeverPrefersIt() throws {
        #expect(!(try prefersPackage(UpdateTime(speed: 0.01), coded: 100_000_000)))
        let small = UpdateTime.measuring - 1
        #expect(!(try prefersPackage(phone, delta: small, coded: 100_000_000)))
    }

    @Test func copiesCostLittle() throws {
        #expect(!(try prefersPackage(phone, coded: 0, copied: 23_000_000)))
    }

    @Test func extremesAreNoTrap() throws {
        let most = UInt64(1 << 53 - 1)
        let time = UpdateTime(speed: 0.01, link: 0)
        #expect(!(try prefersPackage(time, delta: most, coded: 0, copied: 0, package: most)))
        #expect(try prefersPackage(UpdateTime(speed: 0.01, link: 1e12), coded: most, copied: most))
    }

    @Test func theSpeedIsMeasured() {
        let speed = UpdateTime.speed(after:_:reference:)
        #expect(speed(nil, 1, 1) == 100)
        #expect(speed(40, 4, 1) == 25)
        #expect(speed(40, 0.001, 1) == 10_000)
        // Regression: a device that was suspended once never applied a delta again.
        #expect(speed(240, 1e9, 1) == 120)
        #expect(speed(nil, 1e9, 1) == 15)
        #expect(speed(1, 1e9, 1) == 1)
        // Too short to measure.
        #expect(speed(40, 1, 0.019) == 40)
        #expect(speed(nil, 0, 1) == nil)
    }
}
