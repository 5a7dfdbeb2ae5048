/// What a client with a root makes of an origin's pointers, for those who look after it.
package struct OriginTrust: Sendable {
    private let chain: RootChain?
    /// Why the roots cannot be used.
    private let failure: String?

    /// Days before the end of a root from which its owner is told.
    package static let rootWarning = 60

    /// - Throws: an error of the store.
    package static func read(_ history: OriginHistory) async throws -> OriginTrust {
        do {
            return OriginTrust(chain: try await RootChain.read(history.store), failure: nil)
        } catch let error as TrustError {
            return OriginTrust(chain: nil, failure: "\(error)")
        }
    }

    /// The newest root; `nil` where the origin is not signed.
    package var root: SignedRoot? { chain?.newest }

    /// Why clients with a root refuse everything; `nil` where they do not.
    package func problem(_ now: Timestamp) -> String? {
        if let failure { return failure }
        guard let root = root?.root, root.expires <= now else { return nil }
        return "root \(root.version) expired at \(root.expires)"
    }

    /// What the owner has to be told about the root; `nil` for nothing.
    package func note(_ now: Timestamp) -> String? {
        if let problem = problem(now) { return "\(problem): clients refuse every pointer" }
        return root.flatMap { Self.warning(of: $0.root, now) }
    }

    /// That a root expires soon, or was made by a clock that was ahead; `nil` for neither.
    package static func warning(of root: TrustRoot, _ now: Timestamp) -> String? {
        if let lead = root.lead(over: now) {
            return
                "root \(root.version) was made at \(root.createdAt), \(lead): devices that know it take that for "
                + "the time, and refuse what expires before"
        }
        guard root.expires <= now.adding(days: rootWarning) else { return nil }
        return "root \(root.version) expires at \(root.expires); publish the next root before"
    }

    /// Who signed a pointer, of those whom the newest root names for its channel.
    package func signers(of published: OriginReader.Published) -> String? {
        guard let root = root?.root, let envelope = envelope(published) else { return nil }
        let role = root.signers(of: published.pointer.channel)
        let found = root.signers(of: envelope, as: role)
        let names = (role?.keys ?? []).filter(found.contains).map(root.shownKey)
        return names.isEmpty ? "by no key of this channel" : "by " + names.joined(separator: ", ")
    }

    /// Why clients that have the newest root refuse a pointer; `nil` where they do not, or there is no root.
    package func problem(of published: OriginReader.Published?) -> String? {
        guard let published else { return nil }
        guard let root = root?.root else {
            return published.pointer.root.map { "it names root \($0), and the origin has none" }
        }
        guard let envelope = envelope(published) else { return nil }
        do {
            try SignedByRoot(root).admit(
                envelope, of: published.pointer.channel, place: published.place)
        } catch {
            return "\(error)"
        }
        let floor = root.floor(published.pointer.channel)
        return published.pointer.sequence < floor
            ? "its sequence is below the root's floor, \(floor)" : nil
    }

    private func envelope(_ published: OriginReader.Published) -> Envelope? {
        try? Envelope(decoding: published.bytes, payloadType: Envelope.pointerType)
    }
}
