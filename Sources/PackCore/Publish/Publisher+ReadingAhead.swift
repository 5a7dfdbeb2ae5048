/// What a publish reads while it waits for other answers. All of it is a hint, which the run compares with what it reads
/// once others know of it.
extension Publisher {
    /// The channel's pointer, before anything is decided; `nil` where a look costs no time.
    func glance() async -> OriginReader.Published? {
        guard store.createsEarly, let file = try? await history.reader.pointerFile(request.channel)
        else { return nil }
        return try? history.reader.published(
            file, at: OriginLayout.pointer(request.channel), of: request.channel)
    }

    /// Reads the log entry, which has the pointer's bytes, the manifest, and the package, from which a new one copies
    /// files that have not changed.
    func readAhead(_ current: OriginReader.Published?) async {
        guard let current else { return }
        let pointer = current.pointer
        let log = OriginLayout.logEntry(pointer.channel, pointer.sequence)
        var files = [PlacedContent(log, FileDigest(of: current.bytes))]
        // Nobody has vouched for these sizes yet.
        if pointer.info.size <= Manifest.sizeLimit { files.append(current.manifestFile) }
        let mostOfPackage = release.totalBytes.addingClamped(Self.packageMargin)
        if pointer.packageHash != release.packageHash, pointer.package.size <= mostOfPackage {
            files.append(PlacedContent(OriginLayout.package(pointer.version), pointer.package))
        }
        await store.readAhead(files)
    }

    /// How much larger than this build an earlier package may be to be read before it is known to be needed.
    private static let packageMargin: UInt64 = 64 << 20
}
