package import PackGround
package import PackOrigin
package import PackRelease

/// Reports how clients with a root see an origin's pointers, for the owner of the origin.
package struct OriginTrust: Sendable {
    private let chain: RootChain?
    /// The reason why the roots are unusable.
    private let failure: String?

    package init(_ chain: RootChain?) { self.init(chain: chain, failure: nil) }

    package init(chain: RootChain?, failure: String?) {
        self.chain = chain
        self.failure = failure
    }

    /// The number of days before a root expires at which its owner is warned.
    package static let rootWarning = 60

    /// Reads the roots of an origin.
    ///
    /// - Throws: An error of the store.
    package static func read(_ store: any OriginStore) async throws -> OriginTrust {
        do {
            return OriginTrust(chain: try await RootChain.read(store), failure: nil)
        } catch let error where error.isFailure(of: "trust") {
            return OriginTrust(chain: nil, failure: "\(error)")
        }
    }

    /// The newest root; `nil` if the origin is unsigned.
    package var root: SignedRoot? { chain?.newest }

    /// The reason why clients with a root refuse everything; `nil` if they do not.
    package func problem(_ now: Timestamp) -> String? {
        if let failure { return failure }
        guard let root = root?.root, root.expires <= now else { return nil }
        return "root \(root.version) expired at \(root.expires)"
    }

    /// A warning for the owner about the root, if any.
    package func note(_ now: Timestamp) -> String? {
        if let problem = problem(now) { return "\(problem): clients refuse every pointer" }
        return root.flatMap { Self.warning(of: $0.root, now) }
    }

    /// A warning that a root expires soon, or was made by a clock that was ahead; `nil` for
    /// neither.
    package static func warning(of root: TrustRoot, _ now: Timestamp) -> String? {
        if let lead = root.lead(over: now) {
            return
                "root \(root.version) was created at \(root.createdAt), \(lead): devices with this root use that as "
                + "the current time, and reject pointers that expire earlier"
        }
        guard root.expires <= now.adding(days: rootWarning) else { return nil }
        return "root \(root.version) expires at \(root.expires); publish the next root before"
    }

    /// The signers of a pointer, among those in the newest root for its channel.
    package func signers(of published: OriginReader.Published) -> String? {
        guard let root = root?.root, let envelope = envelope(published) else { return nil }
        let role = root.signers(of: published.pointer.channel)
        let found = root.signers(of: envelope, as: role)
        let names = (role?.keys ?? []).filter(found.contains).map(root.shownKey)
        return names.isEmpty ? "by no key of this channel" : "by " + names.joined(separator: ", ")
    }

    /// The total size of all roots, in bytes.
    package var size: UInt64 {
        (chain?.roots ?? []).clampedSum { UInt64($0.bytes.count) }
    }

    /// The reason why clients with the origin's newest root refuse a pointer.
    ///
    /// `nil` if they accept it, or if the origin has no root and the pointer was never signed.
    package func problem(of published: OriginReader.Published?) -> String? {
        guard let published else { return nil }
        if let failure { return failure }
        guard let root = root?.root else { return Self.lostRoot(of: published) }
        guard let envelope = envelope(published) else { return nil }
        let pointer = published.pointer
        guard pointer.app == root.app else {
            return "it belongs to app '\(pointer.app)', and the root to '\(root.app)'"
        }
        do {
            try SignedByRoot(root).admit(envelope, of: pointer.channel, path: published.path)
        } catch let failure as Failure where failure.code == .trustUnsigned {
            return "it is not signed"
        } catch {
            return "\(error)"
        }
        if let named = pointer.root, named > root.version {
            return "it names root \(named), which the origin does not have"
        }
        let floor = root.floor(pointer.channel)
        return pointer.sequence < floor
            ? "its sequence is below the floor of root \(root.version), \(floor)" : nil
    }

    /// The reason why a log entry is not the owner's; `nil` if it is.
    ///
    /// Either its root does not accept it, or it is unsigned although the newest root's floor does
    /// not exempt it.
    private func problem(ofEntry entry: OriginReader.Published) -> String? {
        guard let chain else { return problem(of: entry) }
        do {
            guard try chain.standing(of: entry) == .unsigned else { return nil }
        } catch {
            return "\(error)"
        }
        let isExempt = entry.pointer.sequence < chain.newest.root.floor(entry.pointer.channel)
        return isExempt ? nil : "it is not signed"
    }

    /// The problem of a pointer or log entry that refers to a root, at an origin that has none.
    package static func lostRoot(of published: OriginReader.Published) -> String? {
        if let version = published.pointer.root {
            return "it names root \(version), and the origin has none"
        }
        let envelope = try? Envelope(decoding: published.bytes, payloadType: Envelope.pointerType)
        return envelope?.signatures.isEmpty == false
            ? "it is signed, and the origin has no root" : nil
    }

    // MARK: Refusing

    /// The reason why clients refuse a channel; `nil` if they accept it, or if nothing is
    /// published.
    ///
    /// A pointer or root that cannot be read is such a reason.
    package static func refusal(of channel: Channel, _ reader: OriginReader) async -> String? {
        do {
            guard let published = try await reader.pointer(channel) else { return nil }
            try await read(reader.store).check(published, reader)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Refuses the current pointer of a channel if clients with the origin's newest root refuse it.
    ///
    /// At an origin without a root, the previous pointer must not be signed either: an attacker who
    /// deletes the roots replaces the pointer, but may leave the log.
    ///
    /// - Throws: ``Failure/trustRefusedByRoot(path:problem:)``; an error of the store.
    package func check(
        _ published: OriginReader.Published, _ reader: OriginReader
    ) async throws {
        if let problem = try await problem(of: published, reader) {
            throw Failure.trustRefusedByRoot(path: published.path, problem: problem)
        }
    }

    /// Refuses a log entry that the owner's keys did not sign.
    ///
    /// - Throws: ``Failure/trustRefusedByRoot(path:problem:)``.
    package func check(entry: OriginReader.Published) throws(Failure) {
        if let problem = problem(ofEntry: entry) {
            throw .trustRefusedByRoot(path: entry.path, problem: problem)
        }
    }

    /// The same as ``problem(of:)``, but at an origin without a root also checks the previous
    /// pointer.
    package func problem(
        of published: OriginReader.Published, _ reader: OriginReader
    ) async throws -> String? {
        if let problem = problem(of: published) { return problem }
        guard failure == nil, chain == nil, let previous = published.pointer.previous else {
            return nil
        }
        return try await problem(
            of: published, before: reader.recorded(published.pointer.channel, previous))
    }

    /// The same, if the previous pointer has already been read.
    package func problem(
        of published: OriginReader.Published, before: OriginReader.Published?
    ) -> String? {
        if let problem = problem(of: published) { return problem }
        guard failure == nil, chain == nil, let before, let problem = Self.lostRoot(of: before)
        else { return nil }
        return
            "the pointer before it, sequence \(before.pointer.sequence), was signed: \(problem)"
    }

    private func envelope(_ published: OriginReader.Published) -> Envelope? {
        try? Envelope(decoding: published.bytes, payloadType: Envelope.pointerType)
    }
}
