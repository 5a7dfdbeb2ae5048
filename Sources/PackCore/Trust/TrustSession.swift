package import PackGround
package import PackOrigin
package import PackRelease

/// The checks of one client run, in their order (`docs/formats.md`): values in, a verdict out.
///
/// It reads no file and asks no clock. Its owner fetches what ``step(_:place:)`` asks for, and stores ``root`` whenever
/// ``follow(_:place:)`` returned a new one, before the next step.
package struct TrustSession: Sendable {
    /// What an installation has seen of its channel.
    package struct Seen: Equatable, Sendable {
        package let sequence: Int
        package let payloadHash: Digest?
        /// The epoch in which it was seen; `nil` if that was before there was a root.
        package let epoch: Int?

        package init(sequence: Int, payloadHash: Digest?, epoch: Int?) {
            self.sequence = sequence
            self.payloadHash = payloadHash
            self.epoch = epoch
        }
    }

    /// What to do next.
    package enum Step: Equatable, Sendable {
        /// Fetch `root/<version>.json` and call ``follow(_:place:)``.
        case fetchRoot(version: Int)
        /// The pointer is good: store what was seen, then use it.
        case accepted(Pointer, payloadHash: Digest)
    }

    /// The newest root that is trusted.
    package private(set) var root: SignedRoot
    /// Whether a walk to newer roots has ended in this run because there was none; one that ended at the root that
    /// the pointer names is not the walk of the day.
    package private(set) var didRefreshRoots = false
    private var isWalking = false
    private var steps = 0
    private let clock: Timestamp
    private let channel: Channel
    private let seen: Seen?
    private let isRootRefreshDue: Bool

    /// How long clients go without asking for a newer root: a day, in seconds.
    package static let walkInterval = 86_400

    /// - Parameters:
    ///   - pinned: what the app or the command line names.
    ///   - stored: what this installation stored last.
    ///   - checkedAt: the time of the last walk.
    /// - Throws: ``TrustError/rootDiffers(version:problem:)``. `nil` where neither root exists.
    package init?(
        pinned: SignedRoot?, stored: SignedRoot?, clock: Timestamp, channel: Channel, seen: Seen?,
        checkedAt: Timestamp?
    ) throws(TrustError) {
        switch (pinned, stored) {
        case (nil, nil): return nil
        case (let one?, nil), (nil, let one?): root = one
        case (let pinned?, let stored?):
            guard pinned.root.app == stored.root.app else {
                throw .rootDiffers(
                    version: pinned.root.version,
                    problem:
                        "belongs to app '\(pinned.root.app)'; the stored one to '\(stored.root.app)'"
                )
            }
            guard pinned.root.version != stored.root.version || pinned.bytes == stored.bytes else {
                throw .rootDiffers(
                    version: pinned.root.version,
                    problem: "differs from the one that is stored here")
            }
            root = pinned.root.version > stored.root.version ? pinned : stored
        }
        self.clock = clock
        self.channel = channel
        self.seen = seen
        // A clock that was set back must not put the walk off.
        isRootRefreshDue =
            checkedAt.map { clock < $0 || clock.seconds - $0.seconds >= Self.walkInterval } ?? true
    }

    /// The time of the run: a root's time is signed by its threshold, so a clock that was set back is bounded, and no
    /// release key can push the time forward.
    package var now: Timestamp { max(clock, root.root.createdAt) }

    /// Decides by a pointer's envelope what comes next.
    ///
    /// - Parameter place: the pointer's file, for messages.
    /// - Throws: ``TrustError``, ``OriginError``, ``ClientError``-like refusals.
    package mutating func step(_ envelope: Envelope, place: String) throws -> Step {
        let role = root.root.signers(of: channel)
        let isSigned = root.root.accepts(envelope, as: role)
        if isWalking {
            guard isSigned, hasArrived(at: envelope) else {
                return .fetchRoot(version: root.root.version + 1)
            }
            // If it has expired, the walk begins again behind it.
            isWalking = false
        }
        if !didRefreshRoots, !isSigned || isRootRefreshDue { return walk() }
        guard now < root.root.expires else {
            if !didRefreshRoots { return walk() }
            throw TrustError.rootExpired(
                version: root.root.version, at: root.root.expires.description)
        }
        guard let role else {
            throw TrustError.noRole(
                channel: channel.description, version: root.root.version)
        }
        guard isSigned else {
            if envelope.signatures.isEmpty { throw TrustError.unsigned(place: place) }
            throw TrustError.badSignature(
                place: place, role: role.name,
                valid: root.root.signers(of: envelope, as: role).count, threshold: role.threshold)
        }
        return try judge(envelope, place)
    }

    private mutating func walk() -> Step {
        isWalking = true
        return .fetchRoot(version: root.root.version + 1)
    }

    /// Whether the walk has come to the root that the pointer names, so that nobody need ask whether there is another.
    ///
    /// Not where a walk was due: who holds a revoked key may name the root before the one that revokes it.
    private func hasArrived(at envelope: Envelope) -> Bool {
        guard !isRootRefreshDue, steps > 0 else { return false }
        return (try? PointerCoding.decode(envelope.payload))?.root == root.root.version
    }

    /// Takes the next root, or ends the walk.
    ///
    /// - Parameter bytes: the file; `nil` if it cannot be fetched, for any reason.
    /// - Returns: Whether there is a new root, which has to be stored before the next step.
    /// - Throws: ``TrustError`` for a file that cannot follow.
    package mutating func follow(_ bytes: [UInt8]?, place: String) throws(TrustError) -> Bool {
        guard let bytes, steps < TrustRoot.stepLimit else {
            isWalking = false
            didRefreshRoots = true
            return false
        }
        root = try root.next(bytes, place: place)
        steps += 1
        return true
    }

    /// The signatures are good: parses the payload from the bytes that were signed, and compares it.
    private mutating func judge(_ envelope: Envelope, _ place: String) throws -> Step {
        let pointer: Pointer
        do {
            pointer = try PointerCoding.decode(envelope.payload)
        } catch {
            throw OriginError.invalidPointer(place: place, problem: "\(error)")
        }
        guard pointer.channel == channel else {
            throw OriginError.invalidPointer(
                place: place, problem: "it belongs to channel '\(pointer.channel)'")
        }
        guard pointer.app == root.root.app else {
            throw OriginError.invalidPointer(
                place: place, problem: "it belongs to app '\(pointer.app)'")
        }
        if let named = pointer.root, named > root.root.version {
            guard !didRefreshRoots else {
                throw TrustError.rootMissing(version: named, newest: root.root.version)
            }
            return walk()
        }
        let payloadHash = StreamHasher.digest(of: envelope.payload)
        let isSameEpoch = seen?.epoch == root.root.epoch
        let floor = max(root.root.floor(channel), isSameEpoch ? seen?.sequence ?? 0 : 0)
        guard pointer.sequence >= floor else {
            throw PointerRefusal.replayed(offered: pointer.sequence, lowest: floor)
        }
        if isSameEpoch, let seen, seen.sequence == pointer.sequence, let hash = seen.payloadHash,
            hash != payloadHash
        {
            throw PointerRefusal.splitView(sequence: pointer.sequence)
        }
        if let expires = pointer.expires, expires <= now {
            let root = expires > clock ? root.root : nil
            throw PointerRefusal.expired(at: expires, root: root)
        }
        return .accepted(pointer, payloadHash: payloadHash)
    }
}

/// Why a pointer that was properly signed is refused; the client says it as ``ClientError``.
package enum PointerRefusal: Error, Equatable {
    case replayed(offered: Int, lowest: Int)
    case splitView(sequence: Int)
    /// - Parameter root: the root whose time says so, where the device's clock does not.
    case expired(at: Timestamp, root: TrustRoot? = nil)
}
