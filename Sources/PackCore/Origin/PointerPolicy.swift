import PackGround
package import PackRelease

/// Checks a current pointer before use, besides its format.
///
/// The caller passes the policy to the reader, because it depends on the caller's trust.
package protocol PointerPolicy: Sendable {
    /// Checks the envelope of a pointer or log entry before its payload is parsed.
    ///
    /// - Throws: An error if no authorized key signed it.
    func admit(_ envelope: Envelope, of channel: Channel, path: String) throws

    /// - Throws: ``Failure`` if the pointer does not belong to the channel.
    func check(_ published: OriginReader.Published, _ reader: OriginReader) async throws
}

extension PointerPolicy {
    package func admit(_ envelope: Envelope, of channel: Channel, path: String) throws {}
}

/// Requires that a pointer equals the log entry with its sequence.
///
/// For unsigned pointers, this detects damage and edits.
package struct RecordedInLog: PointerPolicy {
    package init() {}

    package func check(
        _ published: OriginReader.Published, _ reader: OriginReader
    ) async throws {
        let pointer = published.pointer
        let path = OriginLayout.logEntry(pointer.channel, pointer.sequence)
        let content = FileDigest(
            sha256: StreamHasher.digest(of: published.bytes), size: UInt64(published.bytes.count))
        do {
            _ = try await reader.store.read(ObjectReference(path, content))
        } catch let failure as Failure where failure.code == .originMissing {
            throw Failure.originLogMissing(path: published.path)
        } catch let failure as Failure where failure.code == .originDiffers {
            throw Failure.originLogDiffers(path: published.path)
        }
    }
}

extension PointerPolicy where Self == RecordedInLog {
    /// ``RecordedInLog``.
    package static var recordedInLog: RecordedInLog { RecordedInLog() }
}
