import PackDeltaFile
import PackGround
import PackOrigin
import PackRelease
import PackVerify
import TestSupport
import Testing

/// The tree size in a pointer.
///
/// A delta or package with another size is rejected before it is written.
@Suite(.eachStore) struct StatedTreeTests {
    private static func files(_ number: Int) -> [String: String] {
        [
            "index.html": "<h1>\(number)</h1>",
            "a.js": "// \(number)\n" + (1...3000).map { "f(\($0 * 7919 % 99_991));" }.joined(),
        ]
    }

    @Test func aPublishStatesIt() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let bytes = Playground.first.values.reduce(0) { $0 + $1.utf8.count }
        #expect(try await playground.pointer().tree == TreeSize(assets: 6, size: UInt64(bytes)))
    }

    private static let changes: [(assets: Int, size: Int)] = [(0, 1), (0, -1), (1, 0), (-1, 0)]

    @Test(arguments: changes) func anotherSizeIsRefused(_ change: (assets: Int, size: Int))
        async throws
    {
        let playground = try Playground()
        try await playground.publish(Self.files(1))
        try await playground.install()
        try await playground.publish(Self.files(2), deltas: 1)
        let pointer = try await playground.pointer()
        #expect(pointer.deltas.count == 1)
        let wrong = TreeSize(
            assets: pointer.tree.assets + change.assets,
            size: UInt64(Int(pointer.tree.size) + change.size))
        try await playground.editPointer { $0.tree = wrong }
        let trees = try playground.installedTrees()
        let expected = Failure.originDiffers(
            path: "\(playground.origin)/releases/\(pointer.version)/package.zip",
            problem: "has \(pointer.tree), but \(wrong) in its pointer")
        await #expect(throws: expected) { try await playground.install() }
        #expect(try playground.installedTrees() == trees)
        let failures = try await playground.verify().failures
        #expect(failures.contains { $0.problem.contains("in its pointer") }, "\(failures)")
    }

    @Test(.directoryOnly) func aDeltaOfAnotherSizeWritesNothing() async throws {
        let playground = try Playground()
        try await playground.publish(Self.files(1))
        let old = try await playground.pointer()
        try await playground.publish(Self.files(2), deltas: 1)
        let pointer = try await playground.pointer()
        try playground.makeDirectory("work")
        try playground.makeDirectory("tree")
        let scan = try await playground.scan(Self.files(1), in: "one")
        let path = OriginLayout.delta(pointer.version, from: old.version)
        let less = TreeSize(assets: pointer.tree.assets, size: pointer.tree.size - 1)
        let more = TreeSize(assets: pointer.tree.assets + 1, size: pointer.tree.size)
        for expected in [less, more] {
            let error = await #expect(throws: Failure.self) {
                try await DeltaApplier.apply(
                    path, in: Directory.open(playground.origin),
                    to: AssetSource(tree: scan.directory, release: scan.release),
                    into: Directory.open(playground.path + "/tree"),
                    work: Directory.open(playground.path + "/work"), jobs: 1, expecting: expected)
            }
            #expect(
                error?.code.name
                    == (expected == less ? "delta.too-much-output" : "delta.other-tree"))
            #expect(try playground.tree("tree").isEmpty)
            try playground.remove("work")
            try playground.makeDirectory("work")
        }
    }
}
