import PackGround
package import PackRelease

/// What a current pointer must prove, besides being well formed, before it is used.
///
/// The caller passes it to the reader, because it depends on what the caller trusts.
package protocol PointerPolicy: Sendable {
    /// Called with the envelope of a pointer or log entry before its payload is parsed.
    ///
    /// - Throws: what says that no key that may do so signed it.
    func admit(_ envelope: Envelope, of channel: Channel, place: String) throws

    /// - Throws: ``OriginError`` if the pointer is not the channel's own.
    func check(_ published: OriginReader.Published, _ reader: OriginReader) async throws
}

extension PointerPolicy {
    package func admit(_ envelope: Envelope, of channel: Channel, place: String) throws {}
}

/// A pointer equals the one that its channel's log recorded under its sequence.
///
/// As long as pointers are unsigned, this detects a pointer that was damaged or edited.
package struct RecordedInLog: PointerPolicy {
    package init() {}

    package func check(
        _ published: OriginReader.Published, _ reader: OriginReader
    ) async throws {
        let pointer = published.pointer
        let place = OriginLayout.logEntry(pointer.channel, pointer.sequence)
        let content = FileDigest(
            sha256: StreamHasher.digest(of: published.bytes), size: UInt64(published.bytes.count))
        do {
            _ = try await reader.store.read(ObjectReference(place, content))
        } catch let error as OriginError {
            switch error {
            case .missing: throw OriginError.logMissing(place: published.place)
            case .differs: throw OriginError.logDiffers(place: published.place)
            default: throw error
            }
        }
    }
}

extension PointerPolicy where Self == RecordedInLog {
    /// ``RecordedInLog``.
    package static var recordedInLog: RecordedInLog { RecordedInLog() }
}
