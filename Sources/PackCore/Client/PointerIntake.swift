import PackGround
import PackOrigin
import PackRelease
import PackTrust

/// Reads and checks a channel's pointer for an installation, by its root if it has one.
struct PointerIntake: Sendable {
    let request: InstallRequest
    let store: any OriginStore
    let installation: Installation
    let channel: Channel
    let state: InstallState?

    /// An accepted pointer.
    struct Offer: Sendable {
        let published: OriginReader.Published
        /// The policy for everything read because of the pointer.
        let policy: any PointerPolicy
        /// `nil` if no root is pinned.
        let trust: InstallState.Trust?
        /// The pointer's file, to be confirmed by the next run.
        let file: StoredObject
        var fetched: FetchedBytes
        var notes: [String]
    }

    func take() async throws -> Offer {
        let stored = try Installation.storedRoot(in: installation.directory)
        let pinned =
            try await request.trust?.resolve(store, stored: stored) ?? request.embedded?.root
        if let lost = state?.trust, stored == nil, pinned == nil {
            throw Failure.trustRootLost(
                path: installation.directory.display(Installation.trust), version: lost.root)
        }
        let seen = state?.seen(of: channel).map {
            TrustSession.Seen(
                sequence: $0.sequence, payloadHash: $0.payloadHash, epoch: $0.epoch)
        }
        guard
            var session = try TrustSession(
                pinned: pinned, stored: stored, clock: request.now, channel: channel,
                seen: seen, checkedAt: state?.trust?.checkedAt)
        else { return try await withoutRoot() }
        let offer = try await byRoot(&session)
        // The root is stored only after it accepted a pointer, because the pin may be a mistake of
        // one run. Newer roots were stored on the way.
        if session.root != stored { try installation.store(session.root) }
        return offer
    }

    private func withoutRoot() async throws -> Offer {
        let reader = OriginReader(store, policy: .recordedInLog)
        let file = try await pointerFile(reader)
        let published = try reader.published(
            file, at: OriginLayout.pointer(channel), of: channel)
        var fetched = FetchedBytes(pointer: file)
        if request.isForApps { try await checkForApps(published, reader, &fetched) }
        var notes: [String] = []
        if published.pointer.root != nil {
            notes.append(
                "the pointer is signed, but this installation has no root to verify it with; see --trust"
            )
        }
        return Offer(
            published: published, policy: .recordedInLog, trust: nil, file: file,
            fetched: fetched, notes: notes)
    }

    /// Checks a pointer whose release is to be bundled in apps: it must be in the channel's log, and
    /// the newest root, if any, must accept it.
    ///
    /// A device omits both, because each is a request for every update. An attacker who can write a
    /// pointer can also write a log entry; only a pinned root protects from that.
    private func checkForApps(
        _ published: OriginReader.Published, _ reader: OriginReader, _ fetched: inout FetchedBytes
    ) async throws {
        try await reader.prove(published)
        fetched.log = fetched.pointer
        let trust = try await OriginTrust.read(store)
        fetched.roots = trust.size
        try await trust.check(published, reader)
    }

    private func byRoot(_ session: inout TrustSession) async throws -> Offer {
        let unchecked = OriginReader(store, policy: .recordedInLog)
        let file = try await pointerFile(unchecked)
        let path = OriginLayout.pointer(channel)
        let shown = store.display(path)
        let envelope = try unchecked.envelope(file, at: path)
        var fetched = FetchedBytes(pointer: file)
        let steps = try await walk(&session, envelope, shown, &fetched)
        let policy = SignedByRoot(session.root.root)
        // Parsed from the verified bytes.
        let published = try OriginReader(store, policy: policy)
            .published(file, at: path, of: channel)
        let checkedAt =
            steps ? session.now : state?.trust?.checkedAt ?? session.now
        return Offer(
            published: published, policy: policy,
            trust: InstallState.Trust(
                root: session.root.root.version, epoch: session.root.root.epoch,
                checkedAt: checkedAt),
            file: file, fetched: fetched, notes: [])
    }

    /// Runs the checks until the pointer is accepted.
    ///
    /// - Returns: Whether newer roots were requested.
    private func walk(
        _ session: inout TrustSession, _ envelope: Envelope, _ path: String,
        _ fetched: inout FetchedBytes
    ) async throws -> Bool {
        while true {
            let step: TrustSession.Step
            do {
                step = try session.step(envelope, path: path)
            } catch let refusal as PointerRefusal {
                throw Failure(refusal)
            }
            guard case .fetchRoot(let version) = step else { return session.didRefreshRoots }
            let bytes = await nextRoot(version)
            fetched.roots = fetched.roots.addingClamped(UInt64(bytes?.count ?? 0))
            if try session.follow(bytes, path: store.display(OriginLayout.root(version))) {
                try installation.store(session.root)
            }
        }
    }

    /// The bytes of a root; `nil` if it cannot be fetched, for any reason.
    ///
    /// If an attacker hides a root used by pointers, the pointer check detects it.
    private func nextRoot(_ version: Int) async -> [UInt8]? {
        try? await store.rootFile(version)
    }

    private func pointerFile(_ reader: OriginReader) async throws -> StoredObject {
        let known = state?.seen(of: channel)?.answer
        let file = try await reader.pointerFile(
            channel,
            confirming: known?.isFresh(at: request.now) == true ? known?.file : nil)
        guard let file else {
            throw Failure.originNothingPublished(
                channel: channel.description, origin: store.address)
        }
        return file
    }
}

extension Failure {
    /// The failure of an installation for a refused pointer.
    init(_ refusal: PointerRefusal) {
        self =
            switch refusal {
            case .replayed(let offered, let lowest):
                .installReplayed(offered: offered, seen: lowest)
            case .splitView(let sequence): .installSplitView(sequence: sequence)
            case .expired(let time, nil): .installExpired(at: time.description)
            case .expired(let time, let root?):
                .installExpiredByRoot(
                    at: time.description, root: root.version, createdAt: root.createdAt.description)
            }
    }
}
