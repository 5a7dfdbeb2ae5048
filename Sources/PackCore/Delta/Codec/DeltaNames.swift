/// The names of all files that a delta's streams produce: each stream's text contains them, its own
/// first.
///
/// Each name is on its own line, preceded, if the file was renamed, by the piece of the old name
/// that was replaced.
struct DeltaNames: Sendable {
    let listings: [DeltaListing]
    private let old: [DeltaListing.OldFile]
    /// How many files there are.
    let files: Int
    /// The bytes of all of them, with every piece that was replaced: no stream's text has more.
    let bytes: Int
    /// Whether there are so many renames that a stream's text depends on their order.
    private let isCut: Bool

    init(_ listings: [DeltaListing], old: [DeltaListing.OldFile]) {
        self.listings = listings
        self.old = old
        var (files, bytes, seeds) = (0, 0, 0)
        for listing in listings {
            for file in listing.files {
                files += 1
                bytes += file.path.count + 1
                if let edit = Self.seed(file) {
                    seeds += 1
                    bytes += edit.oldLength + 1
                }
            }
        }
        self.files = files
        self.bytes = bytes
        isCut = seeds > NameSeeds.mostSeeds
    }

    /// The edit of a file's path, if it shows what a content hash became.
    private static func seed(_ file: DeltaListing.NewFile) -> DeltaListing.Edit? {
        guard let edit = file.edit, edit.oldLength >= NameSeeds.fewestBytes, edit.newLength > 0
        else { return nil }
        return edit
    }

    /// How many bytes of names a stream's text has.
    func count(at index: Int) -> Int {
        guard isCut else { return bytes }
        var count = 0
        var seeds = 0
        forEach(from: index) { file in
            count += file.path.count + 1
            if seeds < NameSeeds.mostSeeds, let edit = Self.seed(file) {
                seeds += 1
                count += edit.oldLength + 1
            }
        }
        return count
    }

    /// Calls `body` with the files of a stream, then with those of the others in their order.
    private func forEach(from index: Int, _ body: (DeltaListing.NewFile) -> Void) {
        guard listings.indices.contains(index) else { return }
        for file in listings[index].files { body(file) }
        for (other, listing) in listings.enumerated() where other != index {
            for file in listing.files { body(file) }
        }
    }

    /// Writes the names of a stream's text and returns what follows from them.
    func write(at index: Int, into text: borrowing TextBuffer, from start: Int)
        -> [NameSeeds.Seed]
    {
        var seeds: [NameSeeds.Seed] = []
        var place = start
        forEach(from: index) { file in
            if seeds.count < NameSeeds.mostSeeds, let edit = Self.seed(file), let base = file.base {
                let piece = place
                place = text.writeLine(
                    old[base].path[edit.prefix..<(edit.prefix + edit.oldLength)], at: place)
                seeds.append(
                    NameSeeds.Seed(
                        old: piece, oldLength: edit.oldLength, new: place + edit.prefix,
                        newLength: edit.newLength))
            }
            place = text.writeLine(file.path[...], at: place)
        }
        return seeds
    }
}

extension TextBuffer {
    /// Writes bytes and a line feed, and returns the place after it.
    fileprivate func writeLine(_ bytes: ArraySlice<UInt8>, at start: Int) -> Int {
        var place = start
        for byte in bytes {
            self[place] = byte
            place += 1
        }
        self[place] = 0x0A
        return place + 1
    }
}
