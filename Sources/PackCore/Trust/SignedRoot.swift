package import PackGround
package import PackOrigin

/// A root with its envelope, signed by enough of its own keys.
///
/// That alone does not make it trusted. A client trusts the root pinned in its app, and each one
/// that follows.
package struct SignedRoot: Equatable, Sendable {
    package let root: TrustRoot
    package let envelope: Envelope
    /// The unmodified bytes of the file.
    package let bytes: [UInt8]

    package var digest: Digest { StreamHasher.digest(of: bytes) }

    /// Reads a root that its own root role accepts: a pin, or a stored root.
    ///
    /// - Parameter path: The file, for messages.
    /// - Throws: ``Failure/trustInvalidRoot(path:problem:)``,
    ///   ``Failure/trustBadSignature(path:role:valid:threshold:)``.
    package init(_ bytes: [UInt8], path: String) throws(Failure) {
        let envelope = try Self.envelope(bytes, path)
        let root = try Self.parse(envelope, path)
        try self.init(root, envelope, bytes, path)
    }

    private init(
        _ root: TrustRoot, _ envelope: Envelope, _ bytes: [UInt8], _ path: String
    ) throws(Failure) {
        try Self.check(envelope, root, path)
        self.root = root
        self.envelope = envelope
        self.bytes = bytes
    }

    /// Reads the root that follows this one, signed by enough keys of both.
    ///
    /// This root's signatures are checked before anything of the new root is parsed.
    ///
    /// - Throws: ``Failure/trustRootCannotFollow(path:problem:)`` and the errors of a root.
    package func next(_ bytes: [UInt8], path: String) throws(Failure) -> SignedRoot {
        let envelope = try Self.envelope(bytes, path)
        try Self.check(envelope, root, path)
        let next = try Self.parse(envelope, path)
        try next.checkFollows(root, path)
        return try SignedRoot(next, envelope, bytes, path)
    }

    private static func check(
        _ envelope: Envelope, _ root: TrustRoot, _ path: String
    ) throws(Failure) {
        let role = root.role(TrustRoot.rootRole)
        guard root.accepts(envelope, as: role) else {
            throw .trustBadSignature(
                path: path, role: "\(TrustRoot.rootRole) of root \(root.version)",
                valid: root.signers(of: envelope, as: role).count, threshold: role?.threshold ?? 1)
        }
    }

    private static func envelope(_ bytes: [UInt8], _ path: String) throws(Failure) -> Envelope {
        guard bytes.count <= TrustRoot.sizeLimit else {
            throw .trustInvalidRoot(
                path: path,
                problem: "it has \(readableSize(UInt64(bytes.count))); the limit is "
                    + readableSize(UInt64(TrustRoot.sizeLimit)))
        }
        do {
            return try Envelope(decoding: bytes, payloadType: TrustRoot.payloadType)
        } catch {
            throw .trustInvalidRoot(path: path, problem: "\(error)")
        }
    }

    private static func parse(
        _ envelope: Envelope, _ path: String
    ) throws(Failure) -> TrustRoot {
        do {
            return try TrustRootCoding.decode(envelope.payload)
        } catch {
            throw .trustInvalidRoot(path: path, problem: "\(error)")
        }
    }
}

extension TrustRoot {
    /// Whether this root may follow another one, apart from signatures.
    ///
    /// - Throws: ``Failure/trustRootCannotFollow(path:problem:)``.
    package func checkFollows(_ previous: TrustRoot, _ path: String) throws(Failure) {
        guard version == previous.version + 1 else {
            throw .trustRootCannotFollow(
                path: path, problem: "its version is \(version), not \(previous.version + 1)")
        }
        guard app == previous.app else {
            throw .trustRootCannotFollow(path: path, problem: "it belongs to app '\(app)'")
        }
        guard epoch >= previous.epoch else {
            throw .trustRootCannotFollow(
                path: path, problem: "its epoch is \(epoch), below \(previous.epoch)")
        }
    }
}

/// A root file whose signatures may still be missing, for `keys sign` and `keys check`.
package struct RootProposal: Sendable {
    package let root: TrustRoot
    package private(set) var envelope: Envelope

    package init(_ root: TrustRoot) throws(Failure) {
        self.root = root
        envelope = Envelope(
            payloadType: TrustRoot.payloadType, payload: TrustRootCoding.encode(root),
            signatures: [])
        // packtool can read its own output.
        do {
            _ = try TrustRootCoding.decode(envelope.payload)
        } catch {
            throw .trustInvalidRoot(path: "the new root", problem: "\(error)")
        }
    }

    /// Reads a proposal without checking its signatures.
    package init(_ bytes: [UInt8], path: String) throws(Failure) {
        do {
            envelope = try Envelope(decoding: bytes, payloadType: TrustRoot.payloadType)
            root = try TrustRootCoding.decode(envelope.payload)
        } catch {
            throw .trustInvalidRoot(path: path, problem: "\(error)")
        }
    }

    package var bytes: [UInt8] { envelope.encode() }

    /// The keys that must sign: the keys of its own root role and of the previous root's.
    package func wanted(after previous: TrustRoot?) -> [Digest] {
        let ids =
            (root.role(TrustRoot.rootRole)?.keys ?? [])
            + (previous?.role(TrustRoot.rootRole)?.keys ?? [])
        return ids.enumerated().filter { !ids[..<$0].contains($1) }.map(\.1)
    }

    /// Adds signatures, replacing earlier ones of the same keys.
    package mutating func add(_ signatures: [Envelope.Signature]) {
        envelope = envelope.adding(signatures)
    }
}
