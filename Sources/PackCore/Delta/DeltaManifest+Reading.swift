import PackDelta
package import PackGround
import PackZip

extension DeltaManifest {
    /// Reads only the manifest of a delta, its first member.
    package static func read(_ name: String, in directory: Directory) throws -> DeltaManifest {
        try readWithSize(name, in: directory, memory: DeltaLimits().totalMemory).manifest
    }

    /// Reads the manifest of a delta.
    ///
    /// - Parameter memory: The largest memory use, in bytes.
    /// - Returns: The manifest and its size in bytes.
    static func readWithSize(
        _ name: String, in directory: Directory, memory: Int
    ) throws -> (manifest: DeltaManifest, size: Int) {
        let bytes: [UInt8]
        do {
            bytes = try PackageReader.member(
                of: name, in: directory, named: fileName,
                limit: DeltaFootprint.mostOfManifest(memory: memory, atMost: sizeLimit),
                isFirst: true)
        } catch let failure as Failure where failure.code == .archiveMissingEntry {
            throw Failure.deltaNotADelta(path: directory.display(name))
        }
        return (try decode(bytes, path: directory.display(name)), bytes.count)
    }
}
