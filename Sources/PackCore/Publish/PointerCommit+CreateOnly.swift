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
    func settle(_ store: any WritableStore) async throws -> Bool {
        let history = OriginHistory(store, policy: .recordedInLog)
        let channel = pointer.channel
        var highest = pointer.sequence
        var inARow = 0
        for _ in 0..<Self.mostLooks where inARow < Self.looks {
            store.askAnew()
            let live = try await history.reader.pointerFile(channel)
            // Read after the pointer: an entry is recorded before the pointer can be it.
            // What a stolen key signed must not win.
            let ahead = try await history.entries(above: pointer.sequence, of: channel) { entry in
                signing?.reasonNotToCount(entry)
            }
            highest = ahead.dead.last ?? pointer.sequence
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

    /// What to tell the publisher of a store that only creates.
    static func residue(of store: any WritableStore) -> String {
        "'\(store.address)' cannot replace a file only if it is unchanged: if another publisher is killed in the "
            + "moment of its commit, fresh installs may get an older release until the next publish"
    }
}
