/// The names of all files produced or copied by a delta's streams.
///
/// Each stream's text contains them, its own first. Each name is on its own line; if the file was
/// renamed, the replaced piece of the old name precedes it.
struct DeltaNames: Sendable {
    let listings: [DeltaListing]
    private let old: [DeltaListing.OldFile]
    /// The total number of files.
    let files: Int
    /// The total size of names and replaced pieces in bytes, an upper bound for each stream.
    let bytes: Int
    /// Whether there are so many renames that a stream's text depends on their order.
    private let isCut: Bool

    init(_ listings: [DeltaListing], old: [DeltaListing.OldFile]) {
        self.listings = listings
        self.old = old
        var (files, bytes, seeds) = (0, 0, 0)
        for listing in listings {
            listing.forEachName { name in
                files += 1
                bytes += name.path.count + 1
                if let edit = Self.seed(name) {
                    seeds += 1
                    bytes += edit.oldLength + 1
                }
            }
        }
        self.files = files
        self.bytes = bytes
        isCut = seeds > NameSeeds.mostSeeds
    }

    /// The edit of a file's path, if it shows the change of a content hash.
    private static func seed(_ name: DeltaListing.Name) -> DeltaListing.Edit? {
        guard let edit = name.edit, edit.oldLength >= NameSeeds.fewestBytes, edit.newLength > 0
        else { return nil }
        return edit
    }

    /// The number of bytes of names in a stream's text.
    func count(at index: Int) -> Int {
        guard isCut else { return bytes }
        var count = 0
        var seeds = 0
        forEach(from: index) { name in
            count += name.path.count + 1
            if seeds < NameSeeds.mostSeeds, let edit = Self.seed(name) {
                seeds += 1
                count += edit.oldLength + 1
            }
        }
        return count
    }

    /// Calls `body` with the names of a stream, then with those of the other streams in order.
    private func forEach(from index: Int, _ body: (DeltaListing.Name) -> Void) {
        guard listings.indices.contains(index) else { return }
        listings[index].forEachName(body)
        for (other, listing) in listings.enumerated() where other != index {
            listing.forEachName(body)
        }
    }

    /// Writes the names to a stream's text and returns the renames of content hashes in them.
    func write(at index: Int, into text: borrowing TextBuffer, from start: Int)
        -> [NameSeeds.Seed]
    {
        var seeds: [NameSeeds.Seed] = []
        var position = start
        forEach(from: index) { name in
            if seeds.count < NameSeeds.mostSeeds, let edit = Self.seed(name), let base = name.base {
                let piece = position
                position = text.writeLine(
                    old[base].path[edit.prefix..<(edit.prefix + edit.oldLength)], at: position)
                seeds.append(
                    NameSeeds.Seed(
                        old: piece, oldLength: edit.oldLength, new: position + edit.prefix,
                        newLength: edit.newLength))
            }
            position = text.writeLine(name.path[...], at: position)
        }
        return seeds
    }
}

extension DeltaListing {
    /// The path of a new file, its base and the edit between them.
    fileprivate typealias Name = (path: [UInt8], base: Int?, edit: Edit?)

    /// Calls `body` for each file and then for each copy.
    fileprivate func forEachName(_ body: (Name) -> Void) {
        for file in files { body((file.path, file.base, file.edit)) }
        for copy in copies { body((copy.path, copy.base, copy.edit)) }
    }
}

extension TextBuffer {
    /// Writes bytes and a line feed, and returns the position after it.
    fileprivate func writeLine(_ bytes: ArraySlice<UInt8>, at start: Int) -> Int {
        var position = start
        for byte in bytes {
            self[position] = byte
            position += 1
        }
        self[position] = 0x0A
        return position + 1
    }
}
