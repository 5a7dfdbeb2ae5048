import PackOrigin
import PackRelease
import PackTrust

/// The commit where a store cannot replace a pointer under a condition.
///
/// The log still decides: a sequence can be recorded once, and the highest entry wins. After each publisher has
/// written its pointer, it makes sure that the pointer is that entry, so that one which was slow cannot undo a faster
/// one and leave it at that. Only if it is killed right after such a write, an older pointer stays until the next
/// publish.
extension PointerCommit {
    /// How often in a row the pointer must be the highest entry.
    private static let looks = 2
    /// Each further one means that yet another publisher wrote the pointer meanwhile.
    private static let mostLooks = 20

    /// Makes the pointer the highest entry of the log.
    ///
    /// - Returns: whether this commit's pointer is in the chain of what went live.
    func decideOutcome(_ store: any WritableStore) async throws -> Bool {
        let history = OriginHistory(store, policy: .recordedInLog)
        let channel = pointer.channel
        var highest = pointer.sequence
        var inARow = 0
        for _ in 0..<Self.mostLooks where inARow < Self.looks {
            store.invalidateCache()
            let live = try await history.reader.pointerFile(channel)
            // Read after the pointer: an entry is recorded before the pointer can be it.
            highest = try await highestEntry(history, store)
            let entry = try await history.reader.logEntry(channel, highest)
            if live?.bytes == entry.bytes {
                inARow += 1
                continue
            }
            inARow = 0
            _ = try await store.replace(
                Upload(OriginLayout.pointer(channel), entry.bytes), if: .always)
        }
        if highest == pointer.sequence { return true }
        var isInChain = false
        try await history.forEachLive(channel, upTo: highest) { sequence, _ in
            isInChain = sequence == pointer.sequence
            return sequence <= pointer.sequence
        }
        return isInChain
    }

    /// The highest entry that may be the pointer: this commit's own if none above it may.
    ///
    /// What a stolen key or nobody signed must not win: clients with a root would refuse it.
    private func highestEntry(
        _ history: OriginHistory, _ store: any WritableStore
    ) async throws -> Int {
        let own = pointer.sequence
        guard let signing else {
            return try await history.entries(above: own, of: pointer.channel).dead.last ?? own
        }
        var chain = signing.chain
        while true {
            let ahead = try await history.entries(above: own, of: pointer.channel) { entry in
                chain.reasonNotToOffer(entry)
            }
            if ahead.unvouched.isEmpty { return ahead.dead.last ?? own }
            // A root that was published meanwhile can vouch for another publisher's entry.
            guard let longer = try await RootChain.read(store, with: chain.newest),
                longer.newest.root.version > chain.newest.root.version
            else { return ahead.dead.last ?? own }
            chain = longer
        }
    }

    /// What to tell the publisher of a store that only creates.
    static func residue(of store: any WritableStore) -> String {
        "'\(store.address)' cannot replace a file only if it is unchanged: if another publisher is killed in the "
            + "moment of its commit, fresh installs may get an older release until the next publish"
    }
}
