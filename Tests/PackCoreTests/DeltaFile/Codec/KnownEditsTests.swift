import TestSupport
import Testing

@testable import PackDelta

// @testable: the path edits of a listing are internal to the codec.

/// Path edits that repeat earlier ones of a listing.
@Suite struct KnownEditsTests {
    private static func apply(
        _ path: String, after edits: [(old: String, new: String)]
    ) -> String? {
        var known = KnownEdits()
        for (old, new) in edits {
            let (old, new) = (Array(old.utf8), Array(new.utf8))
            known.note(DeltaListing.Edit(from: old, to: new), from: old, to: new)
        }
        return known.apply(to: Array(path.utf8)).map { String(decoding: $0.path, as: UTF8.self) }
    }

    private static let long = String(repeating: "f", count: 65)

    @Test(
        "a piece between a separator and a dot, a slash or the end",
        arguments: [
            ("a/x-0a1b.js", "b/y_0a1b.map", "b/y_2c3d.map"), ("a/x-0a1b.js", "0a1b", "2c3d"),
            ("a/x-0a1b.js", "b/0a1b", "b/2c3d"),
            ("a/x-0a1b.js", "0a1b/z.0a1b.js", "0a1b/z.2c3d.js"),
            ("a/x-0a1b.js", "b/y0a1b.js", nil), ("a/x-0a1b.js", "b/0a1bc.js", nil),
            ("a/x-0a1b.js", "0a1b/z.js", "2c3d/z.js"), ("a/x-0a1b.js", "", nil),
            ("s/0a1b/x.js", "t/0a1b/u/y-z.js", "t/2c3d/u/y-z.js"),
            ("s/0a1b/x.js", "s/x.0a1b/0a1b-y.js", "s/x.2c3d/0a1b-y.js"),
        ])
    func places(edited: String, path: String, wanted: String?) {
        let new = edited.replacing("0a1b", with: "2c3d")
        #expect(Self.apply(path, after: [(edited, new)]) == wanted)
    }

    @Test package func theFirstReplacementCounts() {
        let edits = [("a-0a1b.js", "a-2c3d.js"), ("b-0a1b.js", "b-4e5f.js")]
        #expect(Self.apply("c-0a1b.js", after: edits) == "c-2c3d.js")
    }

    @Test(
        "pieces of other lengths are not remembered",
        arguments: [("abc", "defg"), (long, "defg"), ("abcd", "")])
    func lengths(old: String, new: String) {
        #expect(Self.apply("b-\(old).js", after: [("a-\(old).js", "a-\(new).js")]) == nil)
    }

    @Test func thereAreManyPieces() {
        let edits = (1000..<2025).map { ("a-\($0).js", "a-new\($0).js") }
        #expect(Self.apply("b-2023.js", after: edits) == "b-new2023.js")
        #expect(Self.apply("b-2024.js", after: edits) == nil)
    }

    /// The encoded next listing of a delta, and the decoded one, which must equal the encoder's.
    private static func roundTrip(
        _ listing: DeltaListing, _ old: [DeltaListing.OldFile], _ writing: inout ListingState,
        _ reading: inout ListingState
    ) throws -> (bytes: [UInt8], decoded: DeltaListing) {
        let (bytes, coded) = try listing.encode(
            old: old, limits: DeltaLimits(), state: &writing)
        let decoded = try DeltaListing.decode(
            bytes, 0..<bytes.count, hasCopies: !listing.copies.isEmpty, old: old,
            limits: DeltaLimits(), state: &reading)
        #expect(decoded == coded)
        return (bytes, decoded)
    }

    /// Round trip of a delta with a single listing.
    private static func roundTrip(
        _ listing: DeltaListing, _ old: [DeltaListing.OldFile]
    ) throws -> (bytes: [UInt8], decoded: DeltaListing) {
        var (writing, reading) = (ListingState(DeltaLimits()), ListingState(DeltaLimits()))
        return try roundTrip(listing, old, &writing, &reading)
    }

    /// The sizes of two listings of a delta, with the second one encoded with and without the state
    /// of the first.
    @Test("a script's source map, in another stream, repeated its hash")
    func regressionHashesOfTwoStreams() throws {
        let (old, files) = try Self.listing(folders: 2, names: 50)
        let first = DeltaListing(dictionary: [], files: Array(files.files.prefix(50)))
        let second = DeltaListing(dictionary: [], files: Array(files.files.suffix(50)))
        let alone = try second.encode(old: old, limits: DeltaLimits()).bytes
        var (writing, reading) = (ListingState(DeltaLimits()), ListingState(DeltaLimits()))
        for listing in [first, second] {
            let (bytes, decoded) = try Self.roundTrip(listing, old, &writing, &reading)
            #expect(decoded.files.map(\.path) == listing.files.map(\.path))
            if listing == second { #expect(bytes.count < alone.count / 8) }
        }
    }

    @Test("copies take what files of the listing say, and one another's folders")
    func copies() throws {
        let old = ["m-0a1b2c.js", "m-0a1b2c.js.map", "s/v1aaaa/a.js", "s/v1aaaa/b/c.js", "t.js"].map
        {
            DeltaListing.OldFile(path: Array($0.utf8), size: 9)
        }
        let new = ["m-9f8e7d.js.map", "s/v2bbbb/a.js", "s/v2bbbb/b/c.js", "u.js"]
        let listing = DeltaListing(
            dictionary: [],
            files: [.init(path: Array("m-9f8e7d.js".utf8), size: 3, base: 0)],
            copies: zip(new, 1...).map {
                .init(path: Array($0.utf8), base: $1, keepsBase: $1 == 4)
            })
        let decoded = try Self.roundTrip(listing, old).decoded
        #expect(decoded.copies.map(\.path) == listing.copies.map(\.path))
        #expect(decoded.copies.map(\.keepsBase) == [false, false, false, true])
        #expect(decoded.copies.map(\.base) == [1, 2, 3, 4])
        #expect(
            decoded.copies.map(\.edit) == [
                .init(prefix: 2, oldLength: 6, newLength: 6),
                .init(prefix: 2, oldLength: 6, newLength: 6),
                .init(prefix: 2, oldLength: 6, newLength: 6),
                .init(prefix: 0, oldLength: 1, newLength: 1),
            ])
    }

    /// A listing that renames all files, with the hashes of `names` new ones.
    private static func listing(
        folders: Int, names: Int
    ) throws -> (old: [DeltaListing.OldFile], listing: DeltaListing) {
        var noise = Noise(seed: 7)
        let hash = { (noise: inout Noise) in String(noise.next(), radix: 16) }
        let hashes = (0..<names).map { _ in (hash(&noise), hash(&noise)) }
        var old: [DeltaListing.OldFile] = []
        var files: [DeltaListing.NewFile] = []
        for folder in 0..<folders {
            for (name, hashes) in hashes.enumerated() {
                let stem = "folder\(folder)/name\(name)"
                files.append(
                    .init(path: Array("\(stem)-\(hashes.1).js".utf8), size: 1, base: old.count))
                old.append(.init(path: Array("\(stem)-\(hashes.0).js".utf8), size: 1))
            }
        }
        return (old, DeltaListing(dictionary: [], files: files))
    }

    @Test("a hash in five folders cost nearly five times as much as in one")
    func regressionHashesOfManyFolders() throws {
        let sizes = try [1, 5].map { folders in
            let (old, listing) = try Self.listing(folders: folders, names: 50)
            let (bytes, decoded) = try Self.roundTrip(listing, old)
            #expect(decoded.files.map(\.path) == listing.files.map(\.path))
            return bytes.count
        }
        #expect(sizes[1] < sizes[0] + sizes[0] / 8)
    }
}
