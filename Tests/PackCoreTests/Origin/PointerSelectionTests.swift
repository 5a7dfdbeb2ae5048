import PackGround
import PackOrigin
import PackRelease
import TestSupport
import Testing

struct PointerSelectionTests {
    private static func entry(_ number: Int) throws -> Pointer.Entry {
        let hash = StreamHasher.digest(of: Array("release \(number)".utf8))
        var entry = try Sample.pointer().entry
        entry.version = Version(packageHash: hash)
        entry.packageHash = hash
        return entry
    }

    /// Compares all lists of four entries over three native ranges and four shares, with and
    /// without an installed release, with a Python model written from docs/formats.md.
    @Test func agreesWithPython() async throws {
        let model = try await ForeignTool("python3").run(
            ["\(Checkout.path)/Tests/Support/Python/select_model.py", "select"])
        let low = NativeRange(lowest: try NativeVersion("3.2"))
        let high = NativeRange(highest: try NativeVersion("3.4"))
        let natives = [
            nil, try NativeVersion("3.1"), try NativeVersion("3.4.9"), try NativeVersion("4"),
        ]
        let kinds = [NativeRange(), low, high].flatMap { range in
            [0, 10, 50, 100].map { (NativeRanges(range), $0) }
        }
        let entries = try (0..<4).map(Self.entry)
        var pointer = try Sample.pointer()
        var chosen = ""
        for number in 0..<20_736 {
            var list: [Pointer.Entry] = []
            var rest = number
            for index in (0..<4).reversed() {
                var entry = entries[index]
                (entry.native, entry.rollout) = kinds[rest % 12]
                list.insert(entry, at: 0)
                rest /= 12
            }
            pointer.entry = list[0]
            pointer.fallbacks = Array(list.dropFirst())
            for installed in [nil, entries[number / 4 % 4].packageHash] {
                let device = ClientDevice(
                    nativeVersion: natives[number % 4], id: "device \(number % 97)",
                    installed: installed)
                chosen += pointer.select(for: device).index.map(String.init) ?? "-"
            }
        }
        #expect(chosen.count == 41_472)
        #expect(model.output == chosen + "\n", "\(model.errors)")
    }

    /// Ranges by platform: the model computes what clients without a platform get.
    @Test func agreesWithPythonOnPlatforms() async throws {
        var dice = Dice(11)
        let texts = [nil, "3", "3.2", "3.2.0", "3.4", "3.4.9", "3.10", "104", "105"]
        let versions = try texts.map { try $0.map { try NativeVersion($0) } }
        let pick = { (dice: inout Dice) -> NativeVersion? in
            versions.randomElement(using: &dice) ?? nil
        }
        let range = { (dice: inout Dice) -> NativeRange in
            while true {
                let range = NativeRange(lowest: pick(&dice), highest: pick(&dice))
                if !range.isEmpty { return range }
            }
        }
        var (input, found) = ("", "")
        let text = { (version: NativeVersion?) in version?.description ?? "-" }
        for _ in 0..<1000 {
            var pointer = try Sample.pointer()
            let ranges = (0..<4).map { _ in range(&dice) }
            pointer.native = NativeRanges(ios: ranges[0], android: ranges[1])
            var fallback = try Self.entry(1)
            fallback.native = NativeRanges(ios: ranges[2], android: ranges[3])
            pointer.fallbacks = [fallback]
            let platform = [AppPlatform?.none, .ios, .android].randomElement(using: &dice) ?? nil
            let native = pick(&dice)
            input += ranges.map { "\(text($0.lowest)) \(text($0.highest))" }.joined(separator: " ")
            input += " \(platform?.rawValue ?? "-") \(text(native))\n"
            // What clients before `platforms` select, and what covers what.
            var older = pointer
            older.native = NativeRanges(pointer.native[nil])
            older.fallbacks[0].native = NativeRanges(fallback.native[nil])
            let device = ClientDevice(nativeVersion: native, platform: platform)
            let selected = [
                pointer.select(for: device).index, older.select(for: device).index,
                Pointer.shortened(pointer.entries).count - 1,
            ]
            found += selected.map { $0.map(String.init) ?? "-" }.joined() + "\n"
        }
        let model = try await ForeignTool("python3").run(
            ["\(Checkout.path)/Tests/Support/Python/select_model.py", "platforms"], input: input)
        #expect(model.output == found, "\(model.errors)")
    }

    @Test func aClientWithoutPlatformObeysTheStrictestLimits() throws {
        var pointer = try Sample.pointer()
        pointer.native = NativeRanges(
            ios: NativeRange(lowest: try NativeVersion("3.2")),
            android: NativeRange(lowest: try NativeVersion("3.4")))
        let verdict = { (platform: AppPlatform?) in
            let device = ClientDevice(nativeVersion: try NativeVersion("3.3"), platform: platform)
            let verdict = pointer.select(for: device).verdicts[0]
            return verdict.isTaken ? "taken" : verdict.reason(pointer.entry, device)
        }
        #expect(try verdict(.ios) == "taken")
        #expect(try verdict(.android) == "native version 3.3 is below 3.4")
        #expect(
            try verdict(nil)
                == "native version 3.3 is below 3.4, the strictest limit: the client names no platform"
        )
        pointer.native = NativeRanges(
            ios: NativeRange(highest: try NativeVersion("3")),
            android: NativeRange(lowest: try NativeVersion("104")))
        #expect(try verdict(.ios) == "taken")
        #expect(
            try verdict(nil)
                == "no native version can run it on all platforms, and the client names none")
        #expect(
            pointer.entry.native.limits(of: "app")
                == ["app 3 or earlier on iOS", "app 104 or later on Android"])
    }

    @Test func nothingFromAPausedChannel() throws {
        var pointer = try Sample.pointer()
        #expect(pointer.select(for: ClientDevice()).index == 0)
        pointer.bypasses = true
        #expect(pointer.select(for: ClientDevice()).index == nil)
        pointer.bypasses = false
        pointer.isEnabled = false
        #expect(pointer.select(for: ClientDevice()).index == nil)
    }

    @Test func withoutAnIdOnlyWhatEverybodyGets() throws {
        var pointer = try Sample.pointer()
        pointer.rollout = 99
        pointer.fallbacks = [try Self.entry(1)]
        let selection = pointer.select(for: ClientDevice())
        #expect(selection.verdicts == [.outsideShare(bucket: nil), .taken(bucket: nil)])
        #expect(selection.index == 1)
    }
}
