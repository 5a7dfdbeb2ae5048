import PackGround
import PackKeys
package import PackOrigin
package import PackTrust

extension PointerProposal {
    /// Signs with a channel's keys.
    ///
    /// - Returns: The new signatures.
    /// - Throws: ``Failure``.
    package mutating func sign(
        _ signers: Signers, as role: TrustRoot.Role, of root: TrustRoot
    ) throws -> [Envelope.Signature] {
        let signatures = try signers.sign(
            payloadType: envelope.payloadType, payload: envelope.payload,
            summary: SignRequest.summary(of: pointer),
            accepted: role.keys.compactMap { root.key($0)?.publicKey })
        add(signatures)
        return signatures
    }
}
