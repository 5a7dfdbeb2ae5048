/// What a current pointer has to show beside its form before anything is done by it.
///
/// Passed in to the reader by whoever reads: it depends on who trusts whom, not on the file.
package protocol PointerPolicy: Sendable {
    /// - Throws: ``OriginError`` where the pointer is not its channel's own.
    func check(_ published: OriginReader.Published, _ reader: OriginReader) async throws
}

/// A pointer is the one that its channel's log recorded under its sequence.
///
/// As long as pointers are unsigned, that is what tells a pointer that was damaged or edited.
package struct RecordedInLog: PointerPolicy {
    package init() {}

    package func check(
        _ published: OriginReader.Published, _ reader: OriginReader
    ) async throws {
        let pointer = published.pointer
        let place = OriginLayout.logEntry(pointer.channel, pointer.sequence)
        guard let entry = try await reader.envelope(place) else {
            throw OriginError.logMissing(place: published.place)
        }
        guard entry.bytes == published.bytes else {
            throw OriginError.logDiffers(place: published.place)
        }
    }
}

extension PointerPolicy where Self == RecordedInLog {
    /// ``RecordedInLog``.
    package static var recordedInLog: RecordedInLog { RecordedInLog() }
}
