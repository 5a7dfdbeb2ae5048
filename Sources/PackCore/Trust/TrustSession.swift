package import PackGround
package import PackOrigin
package import PackRelease

/// The checks of one client run, in order (`docs/formats.md`); does no I/O and reads no clock.
///
/// The caller fetches the files that ``step(_:path:)`` requests. Whenever ``follow(_:path:)``
/// returns a new root, the caller must store ``root`` before the next step.
package struct TrustSession: Sendable {
    /// The newest state of a channel that an installation has seen.
    package struct Seen: Equatable, Sendable {
        package let sequence: Int
        package let payloadHash: Digest?
        /// The epoch at that time; `nil` if there was no root yet.
        package let epoch: Int?

        package init(sequence: Int, payloadHash: Digest?, epoch: Int?) {
            self.sequence = sequence
            self.payloadHash = payloadHash
            self.epoch = epoch
        }
    }

    /// The next action of the caller.
    package enum Step: Equatable, Sendable {
        /// Fetch `root/<version>.json` and call ``follow(_:path:)``.
        case fetchRoot(version: Int)
        /// The pointer is valid: store the seen state, then use the pointer.
        case accepted(Pointer, payloadHash: Digest)
    }

    /// The newest trusted root.
    package private(set) var root: SignedRoot
    /// Whether this run has looked for newer roots until there was none.
    ///
    /// A walk that ended at the pointer's root is not the daily refresh.
    package private(set) var didRefreshRoots = false
    private var isWalking = false
    private var steps = 0
    private let clock: Timestamp
    private let channel: Channel
    private let seen: Seen?
    private let isRootRefreshDue: Bool

    /// The time, in seconds, that clients may skip looking for a newer root: a day.
    package static let walkInterval = 86_400

    /// Starts a session; `nil` if there is neither a pinned nor a stored root.
    ///
    /// - Parameters:
    ///   - pinned: The root from the app or command line.
    ///   - stored: The root that this installation stored last.
    ///   - checkedAt: The time of the last refresh.
    /// - Throws: ``Failure/trustRootDiffers(version:problem:)``.
    package init?(
        pinned: SignedRoot?, stored: SignedRoot?, clock: Timestamp, channel: Channel, seen: Seen?,
        checkedAt: Timestamp?
    ) throws(Failure) {
        switch (pinned, stored) {
        case (nil, nil): return nil
        case (let one?, nil), (nil, let one?): root = one
        case (let pinned?, let stored?):
            guard pinned.root.app == stored.root.app else {
                throw .trustRootDiffers(
                    version: pinned.root.version,
                    problem:
                        "belongs to app '\(pinned.root.app)'; the stored one to '\(stored.root.app)'"
                )
            }
            guard pinned.root.version != stored.root.version || pinned.bytes == stored.bytes else {
                throw .trustRootDiffers(
                    version: pinned.root.version,
                    problem: "differs from the one that is stored here")
            }
            root = pinned.root.version > stored.root.version ? pinned : stored
        }
        self.clock = clock
        self.channel = channel
        self.seen = seen
        // A clock that was set back must not delay the refresh.
        isRootRefreshDue =
            checkedAt.map { clock < $0 || clock.seconds - $0.seconds >= Self.walkInterval } ?? true
    }

    /// The time of the run.
    ///
    /// A root's time is signed by its threshold of keys, so setting the clock back has a limit, and
    /// no release key can move the time forward.
    package var now: Timestamp { max(clock, root.root.createdAt) }

    /// Decides the next step from a pointer's envelope.
    ///
    /// - Parameter path: The pointer's file, for messages.
    /// - Throws: ``Failure``, ``PointerRefusal``.
    package mutating func step(_ envelope: Envelope, path: String) throws -> Step {
        let role = root.root.signers(of: channel)
        let isSigned = root.root.accepts(envelope, as: role)
        if isWalking {
            guard isSigned, hasArrived(at: envelope) else {
                return .fetchRoot(version: root.root.version + 1)
            }
            // If the root has expired, the walk to newer roots starts again.
            isWalking = false
        }
        if !didRefreshRoots, !isSigned || isRootRefreshDue { return walk() }
        guard now < root.root.expires else {
            if !didRefreshRoots { return walk() }
            throw Failure.trustRootExpired(
                version: root.root.version, at: root.root.expires.description)
        }
        guard let role else {
            throw Failure.trustNoRole(
                channel: channel.description, version: root.root.version)
        }
        guard isSigned else {
            if envelope.signatures.isEmpty { throw Failure.trustUnsigned(path: path) }
            throw Failure.trustBadSignature(
                path: path, role: role.name,
                valid: root.root.signers(of: envelope, as: role).count, threshold: role.threshold)
        }
        return try judge(envelope, path)
    }

    private mutating func walk() -> Step {
        isWalking = true
        return .fetchRoot(version: root.root.version + 1)
    }

    /// Whether the walk has reached the pointer's root, so that newer roots need not be requested.
    ///
    /// Never if a refresh is due: the owner of a revoked key may refer to the root before its
    /// revocation.
    private func hasArrived(at envelope: Envelope) -> Bool {
        guard !isRootRefreshDue, steps > 0 else { return false }
        return (try? PointerCoding.decode(envelope.payload))?.root == root.root.version
    }

    /// Accepts the next root, or ends the walk.
    ///
    /// - Parameter bytes: The file; `nil` if it cannot be fetched, for any reason.
    /// - Returns: Whether there is a new root, which must be stored before the next step.
    /// - Throws: ``Failure`` for a file that cannot follow.
    package mutating func follow(_ bytes: [UInt8]?, path: String) throws(Failure) -> Bool {
        guard let bytes, steps < TrustRoot.stepLimit else {
            isWalking = false
            didRefreshRoots = true
            return false
        }
        root = try root.next(bytes, path: path)
        steps += 1
        return true
    }

    /// Parses the payload from the signed bytes and checks it, after the signatures were verified.
    private mutating func judge(_ envelope: Envelope, _ path: String) throws -> Step {
        let pointer: Pointer
        do {
            pointer = try PointerCoding.decode(envelope.payload)
        } catch {
            throw Failure.originInvalidPointer(path: path, problem: "\(error)")
        }
        guard pointer.channel == channel else {
            throw Failure.originInvalidPointer(
                path: path, problem: "it belongs to channel '\(pointer.channel)'")
        }
        guard pointer.app == root.root.app else {
            throw Failure.originInvalidPointer(
                path: path, problem: "it belongs to app '\(pointer.app)'")
        }
        if let named = pointer.root, named > root.root.version {
            guard !didRefreshRoots else {
                throw Failure.trustRootMissing(version: named, newest: root.root.version)
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

/// The reason why a validly signed pointer is refused; the client reports it as ``Failure``.
package enum PointerRefusal: Error, Equatable {
    case replayed(offered: Int, lowest: Int)
    case splitView(sequence: Int)
    /// - Parameter root: The root whose time shows the expiry, if the device's clock does not.
    case expired(at: Timestamp, root: TrustRoot? = nil)
}
