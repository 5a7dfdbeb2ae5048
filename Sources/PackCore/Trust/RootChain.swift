import PackGround
package import PackOrigin
import PackRelease

/// The roots of an origin, read in order.
package struct RootChain: Sendable {
    /// Every root read so far, oldest first.
    package private(set) var roots: [SignedRoot]

    package var newest: SignedRoot { roots[roots.count - 1] }

    /// The longest accepted chain; a longer one would only keep the tool busy.
    package static let longest = 10_000

    /// Reads the chain of an origin from root 1 on; only the origin vouches for root 1.
    ///
    /// - Parameter pin: A root that must be in the chain.
    /// - Returns: `nil` if the origin has no root 1 and no pin was given.
    /// - Throws: ``Failure``; an error of the store.
    package static func read(
        _ store: any OriginStore, with pin: SignedRoot? = nil
    ) async throws -> RootChain? {
        let chain = try await readAll(store)
        guard let pin else { return chain }
        let version = pin.root.version
        guard let own = chain?.root(version) else {
            throw Failure.trustNoRoot(path: store.display(OriginLayout.root(version)))
        }
        guard own.bytes == pin.bytes else {
            throw Failure.trustRootDiffers(
                version: version,
                problem: "differs from '\(store.display(OriginLayout.root(version)))'")
        }
        return chain
    }

    private static func readAll(_ store: any OriginStore) async throws -> RootChain? {
        let path = OriginLayout.root(1)
        guard let bytes = try await store.rootFile(1) else { return nil }
        var chain = RootChain(roots: [try SignedRoot(bytes, path: store.display(path))])
        while chain.roots.count < longest {
            let version = chain.newest.root.version + 1
            guard let bytes = try await store.rootFile(version) else { break }
            chain.roots.append(
                try chain.newest.next(bytes, path: store.display(OriginLayout.root(version))))
        }
        return chain
    }

    private init(roots: [SignedRoot]) { self.roots = roots }

    /// A chain with only one known root.
    init(of root: SignedRoot) { self.init(roots: [root]) }

    /// The root of a version.
    package func root(_ version: Int) -> SignedRoot? {
        roots.first { $0.root.version == version }
    }
}

extension OriginStore {
    /// The bytes of a root; `nil` if it does not exist.
    ///
    /// - Throws: ``Failure/trustInvalidRoot(path:problem:)`` if it is not a file or exceeds the size
    ///   limit.
    package func rootFile(_ version: Int) async throws -> [UInt8]? {
        let path = OriginLayout.root(version)
        do {
            return try await read(path, limit: TrustRoot.sizeLimit)?.bytes
        } catch {
            guard error.meansAnotherContent else { throw error }
            throw Failure.trustInvalidRoot(path: display(path), problem: "\(error)")
        }
    }
}
