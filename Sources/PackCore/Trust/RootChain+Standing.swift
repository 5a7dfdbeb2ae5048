import PackGround
package import PackOrigin

extension RootChain {
    /// The kind of signature on a pointer or log entry of the origin.
    package enum Standing: Equatable, Sendable {
        /// Enough keys of a root of the newest epoch signed it.
        case signed
        /// Enough keys of a root signed it, but its epoch has ended, so some of them may have been
        /// stolen.
        case earlierEpoch(root: Int)
        /// It has no signature: it is older than the first root, or does not refer to one.
        case unsigned
    }

    /// Classifies a pointer or log entry by its root; keys may be replaced without a new epoch.
    ///
    /// - Throws: ``Failure`` if its root is missing, or did not sign it.
    package func standing(of published: OriginReader.Published) throws -> Standing {
        guard let named = published.pointer.root else { return .unsigned }
        guard let root = root(named)?.root else {
            throw Failure.trustRootMissing(version: named, newest: newest.root.version)
        }
        try SignedByRoot(root).admit(
            Envelope(decoding: published.bytes, payloadType: Envelope.pointerType),
            of: published.pointer.channel, path: published.path)
        return root.epoch == newest.root.epoch ? .signed : .earlierEpoch(root: named)
    }

    /// Whether any root of the origin accepts a pointer or log entry for its channel.
    package func isSigned(_ published: OriginReader.Published) -> Bool {
        roots.contains { $0.root.accepts(published) }
    }

    /// Whether a root accepts an entry that may have been live.
    ///
    /// `nil` for an entry that refers to a root but is accepted by none.
    package func mayBeOfLog(_ entry: OriginReader.Published) -> Bool? {
        if isSigned(entry) { return true }
        return entry.pointer.root == nil ? false : nil
    }
}

extension TrustRoot {
    /// Whether the root accepts a pointer or log entry for its channel.
    package func accepts(_ published: OriginReader.Published) -> Bool {
        let envelope = try? Envelope(
            decoding: published.bytes, payloadType: Envelope.pointerType)
        return envelope.map { accepts($0, as: signers(of: published.pointer.channel)) } ?? false
    }
}

extension RootChain.Standing {
    /// The reason why the entry is not accepted as the owner's, to follow a file name.
    package func reason(newest: TrustRoot) -> String {
        switch self {
        case .signed: "is signed"
        case .unsigned: "is not signed"
        case .earlierEpoch(let version):
            "was signed under root \(version), before epoch \(newest.epoch) began"
        }
    }
}
