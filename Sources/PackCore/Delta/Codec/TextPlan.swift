/// The layout of a stream's text.
struct TextPlan: Sendable {
    let layout: TextLayout
    /// The range of each new file's base in the text; empty for none.
    let bases: [Range<Int>]
    private let names: DeltaNames
    private let index: Int

    init(_ listing: DeltaListing, _ names: DeltaNames, at index: Int) {
        var starts: [Int: Range<Int>] = [:]
        var position = TextLayout.padding
        for segment in listing.dictionary {
            starts[segment.file] = position..<(position + segment.length)
            position += segment.length
        }
        bases = listing.files.map { file in file.base.flatMap { starts[$0] } ?? 0..<0 }
        self.names = names
        self.index = index
        layout = TextLayout(
            dictionary: listing.dictionarySize, names: names.count(at: index),
            output: listing.outputSize)
    }

    /// Writes the names to a text and returns the renames of content hashes in them.
    func writeNames(into text: borrowing TextBuffer) -> [NameSeeds.Seed] {
        names.write(at: index, into: text, from: layout.names.lowerBound)
    }

    func load(
        _ listing: DeltaListing, into text: borrowing TextBuffer,
        _ load: (DeltaListing.Segment, inout MutableRawSpan) throws -> Void
    ) throws {
        var position = layout.dictionary.lowerBound
        for segment in listing.dictionary {
            var piece = unsafe MutableRawSpan(
                _unsafeBytes: text.memory(position, segment.length))
            try load(segment, &piece)
            position += segment.length
        }
    }

    func emit(
        _ listing: DeltaListing, _ text: borrowing TextBuffer,
        _ emit: (DeltaListing.NewFile, RawSpan) throws -> Void
    ) throws {
        var position = layout.output.lowerBound
        for file in listing.files {
            let piece = unsafe RawSpan(
                _unsafeBytes: UnsafeRawBufferPointer(text.memory(position, file.size)))
            try emit(file, piece)
            position += file.size
        }
    }
}
