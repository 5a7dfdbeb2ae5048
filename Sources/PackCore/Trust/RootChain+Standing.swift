package import PackOrigin

extension RootChain {
    /// What vouches for a pointer or log entry of the origin.
    package enum Standing: Equatable, Sendable {
        /// Enough keys of a root of the newest epoch.
        case signed
        /// Enough keys of a root whose epoch has ended: some of them were stolen, or may have been.
        case earlierEpoch(root: Int)
        /// Nothing: it is from before the first root, or says so.
        case unsigned
    }

    /// Judges a pointer or log entry by the root that it names: keys are replaced without a new epoch, too.
    ///
    /// - Throws: ``TrustError`` if the root that it names is not there, or did not sign it.
    package func standing(of published: OriginReader.Published) throws -> Standing {
        guard let named = published.pointer.root else { return .unsigned }
        guard let root = root(named)?.root else {
            throw TrustError.rootMissing(version: named, newest: newest.root.version)
        }
        try SignedByRoot(root).admit(
            Envelope(decoding: published.bytes, payloadType: Envelope.pointerType),
            of: published.pointer.channel, place: published.place)
        return root.epoch == newest.root.epoch ? .signed : .earlierEpoch(root: named)
    }

    /// Whether any root of the origin accepts a pointer or log entry for its channel.
    package func isSigned(_ published: OriginReader.Published) -> Bool {
        roots.contains { $0.root.accepts(published) }
    }

    /// Whether a root accepts an entry that may have been live; `nil` for an entry that names a root and that no root
    /// accepts.
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
    /// Why it does not count as the owner's, to follow the name of a file.
    package func reason(newest: TrustRoot) -> String {
        switch self {
        case .signed: "is signed"
        case .unsigned: "is not signed"
        case .earlierEpoch(let version):
            "was signed under root \(version), before epoch \(newest.epoch) began"
        }
    }
}
