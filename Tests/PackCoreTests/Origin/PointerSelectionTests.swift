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
            [0, 10, 50, 100].map { (range, $0) }
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
