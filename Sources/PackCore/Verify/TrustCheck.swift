import PackGround
import PackOrigin
import PackRelease
import PackTrust

/// Checks an origin's trust roots and the signatures of pointers and log entries.
struct TrustCheck {
    let store: any OriginStore
    let pin: TrustPin?

    typealias Run = AuditRun

    /// The number of days before a pointer expires in which `verify` adds a note.
    private static let pointerWarning = 14

    /// Reads the roots.
    ///
    /// An origin without roots is unsigned.
    func readRoots(_ run: inout Run, now: Timestamp) async throws {
        do {
            run.chain = try await RootChain.read(store)
        } catch {
            if error.isLocalOrTransient { throw error }
            run.failToRead(OriginLayout.roots, error, .trust)
            run.hasDamagedRoots = true
            return
        }
        guard let chain = run.chain else {
            if pin != nil {
                run.fail(OriginLayout.root(1), "is missing: the origin is not signed", .trust)
            }
            return
        }
        for root in chain.roots { run.needs.addRoot(root.root.version) }
        try await checkPin(chain, &run)
        let root = chain.newest.root
        let path = OriginLayout.root(root.version)
        if root.expires <= now {
            run.fail(path, "expired at \(root.expires): clients refuse every pointer", .trust)
        } else if let warning = OriginTrust.warning(of: root, now) {
            run.note(warning)
        }
    }

    private func checkPin(_ chain: RootChain, _ run: inout Run) async throws {
        let pinned: SignedRoot?
        do {
            pinned = try await pin?.resolve(store, stored: nil)
        } catch {
            if error.isLocalOrTransient { throw error }
            run.fail(OriginLayout.roots, error, .trust)
            return
        }
        guard let pinned else {
            run.note(
                "\(OriginLayout.root(1)) was not checked against a root that you trust; name one with --trust"
            )
            return
        }
        let path = OriginLayout.root(pinned.root.version)
        guard let own = chain.root(pinned.root.version) else {
            return run.fail(path, "is missing: it is the root of --trust", .trust)
        }
        if own.bytes != pinned.bytes { run.fail(path, "differs from the root of --trust", .trust) }
    }

    /// Checks signatures: a log entry's against the root it names, the current pointer's against
    /// the newest root.
    func checkSigners(
        _ published: OriginReader.Published, isCurrent: Bool, _ run: inout Run
    ) {
        guard let chain = run.chain else {
            // Report only one log entry; the others have the same cause.
            if !run.hasDamagedRoots, isCurrent || !run.hasLostRoots,
                let problem = OriginTrust.lostRoot(of: published)
            {
                run.hasLostRoots = true
                run.fail(published.path, problem, .trust)
            }
            return
        }
        if isCurrent {
            if let problem = OriginTrust(chain).problem(of: published) {
                run.fail(published.path, problem, .trust)
            }
            return
        }
        let pointer = published.pointer
        guard pointer.app == chain.newest.root.app else {
            return run.fail(
                published.path, "belongs to app '\(pointer.app)', and the root to another",
                .trust)
        }
        guard let named = pointer.root else {
            // The entry predates the first root. Clients with a root refuse it because of the
            // floor.
            if pointer.sequence >= max(1, chain.newest.root.floor(pointer.channel)) {
                run.entryNotes.add(.unsigned, published)
            }
            return
        }
        guard let root = chain.root(named) else {
            return run.fail(
                published.path,
                "names root \(named), which the origin does not have: put that root back, or, if there never was one, "
                    + "remove the log entry", .trust)
        }
        guard
            let envelope = try? Envelope(
                decoding: published.bytes, payloadType: Envelope.pointerType)
        else { return }
        do {
            try SignedByRoot(root.root).admit(
                envelope, of: pointer.channel, path: published.path)
        } catch {
            return run.fail(published.path, error, .trust)
        }
        let newest = chain.newest.root
        if !newest.accepts(envelope, as: newest.signers(of: pointer.channel)) {
            run.entryNotes.add(.revoked, published)
        }
    }

    /// Adds a note if a pointer expires soon.
    func noteExpiry(_ pointer: Pointer, now: Timestamp, _ run: inout Run) {
        guard let expires = pointer.expires, expires > now,
            expires <= now.adding(days: Self.pointerWarning)
        else { return }
        run.note(
            "the pointer of channel '\(pointer.channel)' expires at \(expires); "
                + "run 'packtool renew' before")
    }
}
