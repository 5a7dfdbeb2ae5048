/// Signing a publish: decided before anything is uploaded.
extension PublishRequest {
    /// Days that a signed pointer is valid if nothing else was asked for: a weekly job renews it in time.
    private static let signedLifetime = 30

    /// The request with the origin's newest root and a signer that this root accepts.
    ///
    /// - Parameter isPlan: signs with the keys in memory alone: a dry run starts no program.
    /// - Throws: ``SigningError``, ``TrustError``.
    func trusting(
        _ store: (any OriginStore)?, isPlan: Bool = false
    ) async throws -> PublishRequest {
        var request = self
        guard let store, let chain = try await RootChain.read(store, with: pin) else {
            guard signers.isEmpty else { throw SigningError.noRoot(origin: origin) }
            return self
        }
        let root = chain.newest.root
        guard root.app == manifest.app else {
            throw PublishError.otherApp(
                origin: store.address, theirs: root.app.description,
                ours: manifest.app.description)
        }
        guard clock < root.expires else {
            throw TrustError.rootExpired(
                version: root.version, at: root.expires.description)
        }
        guard let role = root.signers(of: channel) else {
            throw TrustError.noRole(channel: channel.description, version: root.version)
        }
        try signers.check(for: role, of: root)
        try await checkCurrent(chain, store)
        let accepted = role.keys.compactMap { root.key($0)?.publicKey }
        let signers = isPlan ? Signers(keys: signers.keys, commands: []) : signers
        request.root = root
        request.lifetimeDays = lifetimeDays ?? Self.signedLifetime
        request.signer = { message in
            let request = SignRequest(
                payloadType: Envelope.pointerType, message: message,
                summary: SignRequest.summary(ofPointer: message), accepted: accepted)
            let signatures = try signers.sign(request)
            guard isPlan || signatures.count >= role.threshold else {
                throw SigningError.notEnough(
                    role: role.name, have: signatures.count, threshold: role.threshold,
                    missing: role.keys.filter { id in
                        !signatures.contains { $0.keyID == id.description }
                    }.map(root.shownKey))
            }
            return signatures
        }
        return request
    }

    /// A new pointer keeps what the current one says of who updates, so that one has to be the owner's, too.
    ///
    /// It is judged by the root that it names: its keys may have been replaced since. One from before the first root
    /// is below the floor.
    private func checkCurrent(_ chain: RootChain, _ store: any OriginStore) async throws {
        let reader = OriginReader(store, policy: .recordedInLog)
        guard let file = try await reader.pointerFile(channel),
            let current = try? reader.published(
                file, at: OriginLayout.pointer(channel), of: channel)
        else { return }
        let floor = chain.newest.root.floor(channel)
        guard let named = current.pointer.root else {
            guard current.pointer.sequence < floor else {
                throw SigningError.unsignedPointer(
                    place: current.place, sequence: current.pointer.sequence,
                    channel: channel.description, floor: floor)
            }
            return
        }
        guard let root = chain.root(named) else {
            throw TrustError.rootMissing(version: named, newest: chain.newest.root.version)
        }
        try SignedByRoot(root.root).admit(
            Envelope(decoding: file.bytes, payloadType: Envelope.pointerType), of: channel,
            place: current.place)
    }
}
