import PackGround
import PackOrigin
package import PackRelease

extension Playground {
    /// Replaces the package of a published release and updates all hashes and sizes that refer to
    /// it.
    ///
    /// These are in the manifest, `info.json`, the pointer and the log. With unsigned pointers,
    /// anyone with write access to the origin can do this.
    package func forge(
        _ version: Version, channel: Channel = .production,
        manifest edit: (Manifest, ContentReference) throws -> Manifest = { old, package in
            Manifest(
                app: old.app, entries: old.entries, launch: old.launch, scheme: old.scheme,
                package: package, build: old.build)
        },
        package: ([UInt8]) throws -> [UInt8]
    ) async throws {
        let reader = try reader()
        guard let published = try await reader.pointer(channel) else { return }
        let zipPlace = "origin/" + OriginLayout.package(version)
        let zip = try package(try read(zipPlace))
        try overwrite(zipPlace, zip)
        let reference = ContentReference(
            url: published.pointer.package.url, sha256: StreamHasher.digest(of: zip),
            size: UInt64(zip.count))
        let manifest = try edit(try await reader.manifest(of: published), reference)
        let bytes = try ManifestCoding.encode(manifest)
        try overwrite("origin/" + OriginLayout.manifest(version), bytes)
        if channel == .production { try overwrite("origin/info.json", bytes) }
        var pointer = published.pointer
        pointer.package = reference
        pointer.info = ContentReference(
            url: pointer.info.url, sha256: StreamHasher.digest(of: bytes), size: UInt64(bytes.count)
        )
        let envelope = try Envelope(
            payloadType: Envelope.pointerType, payload: PointerCoding.encode(pointer))
        try overwrite("origin/" + OriginLayout.pointer(channel), envelope.encode())
        try overwrite(
            "origin/" + OriginLayout.logEntry(channel, pointer.sequence), envelope.encode())
    }
}
