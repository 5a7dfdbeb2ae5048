import PackGround
import PackKeys
import PackOrigin
import PackRelease
import PackSigning
import PackTrust

/// Signing a channel's next pointer: decided before anything is uploaded.
package struct PointerSigning: Sendable {
    let chain: RootChain
    /// What vouches for the channel's current pointer; `nil` where there is none that can be read.
    let current: RootChain.Standing?
    let signer: Envelope.Signer
    /// That the root expires soon; `nil` where it does not.
    let warning: String?

    var root: TrustRoot { chain.newest.root }

    /// The default lifetime of a signed pointer in days: a weekly job renews it in time.
    package static let lifetimeDays = 30

    /// Who is asked to sign what.
    struct Inquiry: Sendable {
        /// The origin, as a person would type it.
        let origin: String
        let channel: Channel
        /// The machine's clock, which clients agree with.
        let clock: Timestamp
        let signers: Signers
        /// A root that the origin has to have.
        let pin: SignedRoot?
        /// Sign with the keys in memory alone: a dry run starts no program.
        let isPlan: Bool
        /// Others sign later: fewer signatures than the threshold will do, even none.
        var isProposal = false
    }

    /// Reads the origin's roots, and finds a signer that the newest one accepts.
    ///
    /// - Parameter app: the app of the next pointer; `nil` where that is the current one's.
    /// - Returns: `nil` for an origin without a root.
    /// - Throws: ``Failure``, ``Failure/publishOtherApp(origin:theirs:ours:)``.
    static func prepare(
        _ inquiry: Inquiry, for app: AppName?, _ store: (any WritableStore)?
    ) async throws -> PointerSigning? {
        guard let store, let chain = try await RootChain.read(store, with: inquiry.pin) else {
            guard inquiry.signers.isEmpty, !inquiry.isProposal else {
                if let store {
                    let reader = OriginReader(store, policy: .recordedInLog)
                    try checkIsUnsigned(try? await reader.pointer(inquiry.channel), store)
                }
                throw try await store?.isEmpty() ?? true
                    ? Failure.signingNewOrigin(origin: inquiry.origin)
                    : Failure.signingNoRoot(origin: inquiry.origin)
            }
            return nil
        }
        let root = chain.newest.root
        if let app { try root.checkApp(app, origin: store.address) }
        guard inquiry.clock < root.expires else {
            throw Failure.trustRootExpired(version: root.version, at: root.expires.description)
        }
        guard let role = root.signers(of: inquiry.channel) else {
            throw Failure.trustNoRole(channel: inquiry.channel.description, version: root.version)
        }
        if !inquiry.isProposal { try inquiry.signers.check(for: role, of: root) }
        return PointerSigning(
            chain: chain, current: try await standing(of: inquiry.channel, chain, store),
            signer: signer(inquiry, role, of: root),
            warning: OriginTrust.warning(of: root, inquiry.clock))
    }

    /// An origin that was signed and lost its roots must not go on without: clients with a root would refuse it all.
    ///
    /// - Throws: ``Failure/signingRootsMissing(origin:path:version:)``.
    static func checkIsUnsigned(
        _ current: OriginReader.Published?, _ store: any OriginStore
    ) throws(Failure) {
        guard let current, let root = current.pointer.root else { return }
        throw .signingRootsMissing(origin: store.address, path: current.path, version: root)
    }

    private static func signer(
        _ inquiry: Inquiry, _ role: TrustRoot.Role, of root: TrustRoot
    ) -> Envelope.Signer {
        let accepted = role.keys.compactMap { root.key($0)?.publicKey }
        let all = inquiry.signers
        let signers = inquiry.isPlan ? Signers(keys: all.keys, commands: []) : all
        return { message in
            let request = SignRequest(
                payloadType: Envelope.pointerType, message: message,
                summary: SignRequest.summary(ofPointer: message), accepted: accepted)
            let signatures = try signers.sign(request)
            guard inquiry.isPlan || inquiry.isProposal || signatures.count >= role.threshold else {
                throw Failure.signingNotEnough(
                    role: role.name, have: signatures.count, threshold: role.threshold,
                    missing: role.keys.filter { id in
                        !signatures.contains { $0.keyID == id.description }
                    }.map(root.shownKey))
            }
            return signatures
        }
    }

    /// A new pointer keeps what the current one says of who updates, so that one has to be the owner's, too.
    ///
    /// One from before the first root is below the floor.
    private static func standing(
        of channel: Channel, _ chain: RootChain, _ store: any OriginStore
    ) async throws -> RootChain.Standing? {
        let reader = OriginReader(store, policy: .recordedInLog)
        guard let file = try await reader.pointerFile(channel),
            let current = try? reader.published(
                file, at: OriginLayout.pointer(channel), of: channel)
        else { return nil }
        return try standing(of: current, chain)
    }

    /// What vouches for a channel's current pointer.
    ///
    /// - Throws: ``Failure`` for one that the owner did not make.
    static func standing(
        of current: OriginReader.Published, _ chain: RootChain
    ) throws(Failure) -> RootChain.Standing {
        let channel = current.pointer.channel
        let standing: RootChain.Standing
        do {
            standing = try chain.standing(of: current)
        } catch {
            throw Failure.signingForgedPointer(path: current.path, problem: "\(error)")
        }
        let floor = chain.newest.root.floor(channel)
        if standing == .unsigned, current.pointer.sequence >= floor {
            throw Failure.signingUnsignedPointer(
                path: current.path, sequence: current.pointer.sequence,
                channel: channel.description, floor: floor)
        }
        return standing
    }

    /// Refuses to sign again what the owner's present keys never signed.
    ///
    /// - Parameter keeps: whether the next pointer offers something that the current one offered, or leaves it to some
    ///   devices.
    func check(keeps: Bool, of channel: Channel) throws(Failure) {
        guard keeps, let current, current != .signed else { return }
        throw .signingUnauthorized(
            path: OriginLayout.pointer(channel), reason: current.reason(newest: root))
    }

    /// Why a channel's pointer does not count; `nil` for what keys signed in the present epoch.
    ///
    /// One that nobody signed properly was refused before (``prepare(_:for:_:)``), or is from before the first root.
    func reasonNotToCount(_ entry: OriginReader.Published) -> String? {
        guard case .earlierEpoch? = try? chain.standing(of: entry) else { return nil }
        return RootChain.Standing.earlierEpoch(root: entry.pointer.root ?? 0).reason(newest: root)
    }
}

extension TrustRoot {
    /// An origin has one app, and so has its root.
    func checkApp(_ app: AppName, origin: String) throws(Failure) {
        guard self.app == app else {
            throw .publishOtherApp(
                origin: origin, theirs: self.app.description, ours: app.description)
        }
    }
}

extension RootChain {
    /// Why a log entry must not become the pointer; `nil` for what the channel's keys signed in the present epoch.
    ///
    /// Stricter than ``PointerSigning/reasonNotToCount(_:)``: an entry that nobody signed uses up its number, but
    /// clients refuse it.
    func reasonNotToOffer(_ entry: OriginReader.Published) -> String? {
        do {
            let standing = try standing(of: entry)
            return standing == .signed ? nil : standing.reason(newest: newest.root)
        } catch {
            return "\(error)"
        }
    }
}
