import Foundation
import PackOrigin
import PackRelease
import TestSupport
import Testing

struct RolloutBucketTests {
    /// The test vectors of docs/formats.md, computed with Python.
    private static let vectors: [(String, String, String, String, Int)] = [
        ("shop", "production", release, "00000000-0000-4000-8000-000000000000", 9242),
        ("shop", "production", release, "00000000-0000-4000-8000-000000000001", 7668),
        ("shop", "beta", release, "00000000-0000-4000-8000-000000000000", 9982),
        ("shop", "production", "ring-1", "00000000-0000-4000-8000-000000000000", 6327),
        ("shop", "production", release, "device-é", 534),
        ("a", "b", "c", "d", 8983),
    ]
    private static let release =
        "4320573858a8fa3567a1" + String(repeating: "0", count: 44)

    @Test(arguments: vectors)
    func isDocumented(
        _ app: String, _ channel: String, _ salt: String, _ device: String, _ bucket: Int
    )
        throws
    {
        #expect(
            try RolloutBucket.of(
                app: AppName(app), channel: Channel(channel), salt: salt, device: device) == bucket)
    }

    /// With 100,000 devices, each share is within three standard deviations.
    ///
    /// A larger share includes the devices of a smaller one, and two releases choose independently.
    @Test func shares() throws {
        let app = try AppName("shop")
        let channel = Channel.production
        let count = 100_000
        let buckets = (0..<count).map {
            RolloutBucket.of(app: app, channel: channel, salt: Self.release, device: "device \($0)")
        }
        #expect(buckets.allSatisfy { (0..<10_000).contains($0) })
        var before = 0
        for share in 0...100 {
            let chosen = buckets.count { RolloutBucket.contains($0, share: share) }
            #expect(chosen >= before)
            before = chosen
            let part = Double(share) / 100
            let deviation = (Double(count) * part * (1 - part)).squareRoot()
            #expect(abs(Double(chosen) - Double(count) * part) <= 3.5 * deviation, "\(share) %")
        }
        #expect(before == count)
        let ten = (0..<count).filter { RolloutBucket.contains(buckets[$0], share: 10) }
        let again = ten.count {
            RolloutBucket.contains(
                RolloutBucket.of(
                    app: app, channel: channel, salt: "another release", device: "device \($0)"),
                share: 10)
        }
        #expect((0.08...0.12).contains(Double(again) / Double(ten.count)))
    }

    /// 100 releases for 100,000 devices each (two in the short form).
    ///
    /// By chance, 27 of 10,000 shares are beyond three standard deviations, and none beyond five.
    @Test func sharesOfManyReleases() throws {
        let app = try AppName("shop")
        let releases = Soak.isLong ? 100 : 2
        let count = 100_000
        var beyond = 0
        for release in 0..<releases {
            var counts = Array(repeating: 0, count: 101)
            for device in 0..<count {
                let bucket = RolloutBucket.of(
                    app: app, channel: .production, salt: "release \(release)",
                    device: "device \(device)")
                let lowest = (0...100).first { RolloutBucket.contains(bucket, share: $0) }
                counts[try #require(lowest)] += 1
            }
            var chosen = 0
            for share in 1..<100 {
                chosen += counts[share]
                let part = Double(share) / 100
                let deviation = (Double(count) * part * (1 - part)).squareRoot()
                let distance = abs(Double(chosen) - Double(count) * part) / deviation
                #expect(distance <= 5, "release \(release), \(share) %")
                if distance > 3 { beyond += 1 }
            }
        }
        // The shares of one release are dependent: if one deviates, so do its neighbours.
        #expect(Double(beyond) / Double(releases * 99) <= (releases == 100 ? 0.01 : 0.2))
    }

    /// The same buckets, computed by Python's standard library from docs/formats.md.
    @Test func agreesWithPython() async throws {
        let devices = (0..<2000).map { "device \($0) é" }
        let model = try await ForeignTool("python3").run(
            ["\(Checkout.path)/Tests/Support/Python/select_model.py", "buckets"],
            input: devices.joined(separator: "\n"))
        let ours = try devices.map {
            try RolloutBucket.of(
                app: AppName("shop"), channel: Channel("beta"), salt: "ring", device: $0)
        }
        #expect(model.lines.map { Int($0) } == ours, "\(model.all)")
    }
}
