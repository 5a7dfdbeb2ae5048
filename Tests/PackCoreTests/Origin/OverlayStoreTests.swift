import PackGround
import PackOrigin
import PackRelease
import TestSupport
import Testing

/// The store of a dry run answers like the store it stands for.
struct OverlayStoreTests {
    /// Names of new files came after the others, in any order.
    @Test func namesAreSortedByTheirBytes() async throws {
        let base = MemoryStore(address: "memory", scratch: "/tmp")
        base.set("log/2.json", [0])
        base.set("log/5.json", [0])
        let overlay = OverlayStore(over: base, scratch: "/tmp")
        let new = ["9", "7", "1", "8", "3", "6", "4"]
        _ = try await overlay.create(new.map { Upload("log/\($0).json", [1]) })
        try await overlay.remove(["log/5.json"])
        let expected = ["1", "2", "3", "4", "6", "7", "8", "9"].map { "\($0).json" }
        #expect(try await overlay.names(in: "log") == expected)
        #expect(try await base.names(in: "log") == ["2.json", "5.json"])
    }
}
