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
    func storedRoot() throws -> SignedRoot? {
        guard let status = try directory.status(Self.trust) else { return nil }
        guard status.kind == .directory else {
            throw Failure.fileSystem("read", directory.display(Self.trust), number: ENOTDIR)
        }
        let trust = try directory.directory(Self.trust)
        guard try trust.status(Self.rootName) != nil else { return nil }
        let bytes = try trust.readFile(Self.rootName, limit: TrustRoot.sizeLimit)
        return try SignedRoot(bytes, path: trust.display(Self.rootName))
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
