package import PackGround
package import PackOrigin
import PackRelease

/// The root pinned by an app or a command line.
package enum TrustPin: Sendable {
    case root(SignedRoot)
    /// The SHA-256 of `root/<version>.json`, to be read from the origin.
    case hash(Digest, version: Int)

    /// The pinned root, read from the origin if only its hash is known.
    ///
    /// - Parameter stored: The installation's stored root; an older pin is ignored.
    /// - Returns: `nil` if the stored root is the pinned one or follows it.
    /// - Throws: ``Failure``; an error of the store.
    package func resolve(
        _ store: any OriginStore, stored: SignedRoot?
    ) async throws -> SignedRoot? {
        switch self {
        case .root(let root): return root
        case .hash(let expected, let version):
            if let stored, stored.root.version > version { return nil }
            if let stored, stored.root.version == version {
                guard stored.digest == expected else {
                    throw Failure.trustRootDiffers(
                        version: version, problem: "differs from the one that is stored here")
                }
                return nil
            }
            let path = store.display(OriginLayout.root(version))
            guard let bytes = try await store.rootFile(version) else {
                throw Failure.trustNoRoot(path: path)
            }
            // The hash is checked first, so that only the pinned file is parsed.
            let found = StreamHasher.digest(of: bytes)
            guard found == expected else {
                throw Failure.trustWrongPin(
                    path: path, expected: expected.description, found: found.description)
            }
            return try SignedRoot(bytes, path: path)
        }
    }
}
