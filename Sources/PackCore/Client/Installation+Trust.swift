import PackGround
import PackTrust

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The trusted root of an installation: once it has one, every run enforces it.
extension Installation {
    static let trust = "trust"
    private static let rootName = "root.json"

    /// The stored root; `nil` if the installation never had one.
    ///
    /// - Throws: ``Failure`` for a damaged root, because treating it as missing would accept
    ///   unsigned pointers.
    static func storedRoot(in directory: Directory) throws -> SignedRoot? {
        guard let status = try directory.status(trust) else { return nil }
        guard status.kind == .directory else {
            throw Failure.fileSystem("read", directory.display(trust), number: ENOTDIR)
        }
        let folder = try directory.directory(trust)
        guard try folder.status(rootName) != nil else { return nil }
        let bytes = try folder.readFile(rootName, limit: TrustRoot.sizeLimit)
        return try SignedRoot(bytes, path: folder.display(rootName))
    }

    /// Replaces the stored root durably.
    func store(_ root: SignedRoot) throws {
        if try directory.makeDirectory(Self.trust) { try directory.sync() }
        let trust = try directory.directory(Self.trust)
        let name = uniqueName()
        let file = try staging.createFile(name)
        try file.write(root.bytes)
        try file.sync()
        try file.close()
        try staging.rename(name, to: trust, as: Self.rootName)
        try trust.sync()
    }
}
