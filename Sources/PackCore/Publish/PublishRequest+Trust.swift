import PackOrigin
import PackRelease
import PackTrust

extension PublishRequest {
    /// The origin's store, which need not read the files that are known.
    func store(_ opened: any WritableStore) -> any WritableStore {
        (opened as? DirectoryStore)?.trusting(known) ?? opened
    }

    /// The request with the origin's newest root and a signer that this root accepts.
    ///
    /// - Parameter isPlan: signs with the keys in memory alone: a dry run starts no program. A repair signs nothing.
    /// - Throws: what ``PointerSigning/prepare(_:for:_:)`` throws.
    func trusting(
        _ store: (any WritableStore)?, isPlan: Bool = false
    ) async throws -> PublishRequest {
        let inquiry = PointerSigning.Inquiry(
            origin: origin, channel: channel, clock: clock, signers: signers, pin: pin,
            isPlan: isPlan || repairs, isProposal: isProposal)
        guard
            let signing = try await PointerSigning.prepare(inquiry, for: manifest.app, store)
        else { return self }
        var request = self
        request.signing = signing
        request.signer = signing.signer
        return request
    }

    /// The origin's newest root, once it was read.
    var root: TrustRoot? { signing?.root }
}
