import PackGround
import PackOrigin
import PackRelease

/// What a publish to a distant store reads while it waits for other answers: the channel's pointer and what that names.
///
/// All of it is a hint. The run reads the pointer again once others know of it, and compares every file with a hash.
struct PublishPrefetch: Sendable {
    private let channel: Channel
    private let release: Release
    private let store: any WritableStore
    private let reader: OriginReader
    private let offered = Promise<OriginReader.Published?>()

    /// How much larger than this build an earlier package may be to be read before it is known to be needed.
    private static let packageMargin: UInt64 = 64 << 20

    init(_ request: PublishRequest, _ store: any WritableStore) {
        channel = request.channel
        release = request.scan.release
        self.store = store
        reader = OriginReader(store, policy: .recordedInLog)
    }

    /// Reads the pointer, its log entry, which has the same bytes, and the manifest.
    func readPointer() async {
        let current = try? await glance()
        // A run that will have nothing to write reads little, and not twice.
        if let current, current.pointer.packageHash != release.packageHash {
            let pointer = current.pointer
            let log = OriginLayout.logEntry(channel, pointer.sequence)
            var files = [ObjectReference(log, FileDigest(of: current.bytes))]
            // Nobody has vouched for this size yet.
            if pointer.info.size <= Manifest.sizeLimit { files.append(current.manifestFile) }
            await store.readAhead(files)
        }
        offered.set(current)
    }

    private func glance() async throws -> OriginReader.Published? {
        guard let file = try await reader.pointerFile(channel) else { return nil }
        return try reader.published(file, at: OriginLayout.pointer(channel), of: channel)
    }

    /// The channel's pointer, once it was read; `nil` where there is none, or it is damaged.
    var pointer: Pointer? {
        get async { try? await offered.value?.pointer }
    }

    /// Ends the wait for a pointer that was not read yet.
    func stop() { offered.abandon() }

    /// Reads the package that a new one copies unchanged files from, after ``readPointer()``.
    func readPackage() async {
        guard let pointer = await pointer, pointer.packageHash != release.packageHash,
            pointer.package.size <= release.totalBytes.addingClamped(Self.packageMargin)
        else { return }
        await store.readAhead([
            ObjectReference(OriginLayout.package(pointer.version), pointer.package)
        ])
    }
}
