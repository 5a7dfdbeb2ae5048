import Foundation
import PackDelta
import PackDeltaFile
import PackDeltaMaking
import PackGround
import PackRelease
import TestSupport

/// Makes deltas between trees in a playground and applies them.
struct DeltaWorkshop {
    let playground: Playground

    init() throws { playground = try Playground() }

    /// A tree with these files.
    func tree(_ files: [String: [UInt8]], _ name: String) async throws -> BuildScan {
        let path = playground.path + "/" + name
        try? FileManager.default.removeItem(atPath: path)
        try playground.makeDirectory(name)
        for (file, content) in files { try playground.write("\(name)/\(file)", content) }
        return try await BuildScan.scan(path, jobs: 2)
    }

    static func source(_ scan: BuildScan) -> AssetSource {
        AssetSource(tree: scan.directory, release: scan.release)
    }

    /// Passes on content in pieces of an odd size, as if read from a file.
    static func give(_ content: [UInt8], to receive: (RawSpan) -> Void) {
        for start in stride(from: 0, to: content.count, by: 997) {
            receive(content.span.bytes.extracting(start..<min(start + 997, content.count)))
        }
    }

    /// Makes the delta `delta.zip`.
    @discardableResult
    func make(
        _ old: BuildScan, _ new: BuildScan, codedLimit: Int = DeltaBuilder.usualCodedLimit
    ) async throws -> DeltaBuilder.Result {
        try? playground.remove("making")
        try playground.makeDirectory("making")
        let directory = try Directory.open(playground.path + "/making")
        return try await DeltaBuilder(
            from: Self.source(old), to: Self.source(new), jobs: 2, codedLimit: codedLimit
        ).buildProved("delta.zip", in: directory)
    }

    /// Applies `making/delta.zip`, or other bytes, into a new tree.
    @discardableResult
    func apply(
        _ base: BuildScan, delta: [UInt8]? = nil, limits: DeltaLimits = DeltaLimits(),
        treeLimit: UInt64 = DeltaApplier.usualTreeLimit
    ) async throws -> Release {
        if let delta { try playground.write("making/delta.zip", delta) }
        for path in ["applied", "work"] {
            try? playground.remove(path)
            try playground.makeDirectory(path)
        }
        let target = try Directory.open(playground.path + "/applied")
        _ = try await DeltaApplier.apply(
            "delta.zip", in: try Directory.open(playground.path + "/making"),
            to: Self.source(base), into: target,
            work: try Directory.open(playground.path + "/work"), jobs: 2, limits: limits,
            treeLimit: treeLimit)
        return try await BuildScan.scan(target.path, jobs: 2).release
    }

    var delta: [UInt8] { get throws { try playground.read("making/delta.zip") } }

    /// Makes and applies a delta, and returns its size in bytes.
    @discardableResult
    func roundTrip(_ old: [String: [UInt8]], _ new: [String: [UInt8]]) async throws -> Int {
        let before = try await tree(old, "old")
        let after = try await tree(new, "new")
        let result = try await make(before, after)
        guard try await apply(before) == after.release else { throw NotTheSame() }
        return Int(result.digest.size)
    }

    struct NotTheSame: Error {}
}
