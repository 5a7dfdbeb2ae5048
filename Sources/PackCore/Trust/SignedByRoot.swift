import PackGround
package import PackOrigin
package import PackRelease

/// Accepts a pointer or log entry signed by enough of a channel's keys in one root.
package struct SignedByRoot: PointerPolicy {
    package let root: TrustRoot

    package init(_ root: TrustRoot) { self.root = root }

    package func admit(_ envelope: Envelope, of channel: Channel, path: String) throws {
        guard let role = root.signers(of: channel) else {
            throw Failure.trustNoRole(channel: channel.description, version: root.version)
        }
        guard !root.accepts(envelope, as: role) else { return }
        if envelope.signatures.isEmpty { throw Failure.trustUnsigned(path: path) }
        throw Failure.trustBadSignature(
            path: path, role: role.name, valid: root.signers(of: envelope, as: role).count,
            threshold: role.threshold)
    }

    /// Needs no check against the log: the signatures are stronger evidence.
    package func check(
        _ published: OriginReader.Published, _ reader: OriginReader
    ) async throws {}
}
