import PackGround
import PackOrigin
import PackRelease

/// The deltas to a release that an earlier publish of it made.
struct PublishedDeltas: Sendable {
    let store: any OriginStore
    let history: OriginHistory
    /// Its log is read first.
    let channel: Channel
    let baseURL: BaseURL
    /// The release that they lead to.
    let version: Version
    /// Whether it was published before: only then does a log entry name a delta to it.
    let isPublished: Bool

    /// What is at the origin under the name of a delta.
    enum Existing {
        case none
        /// An earlier publish of this release made it, and it is unchanged.
        case listed(Pointer.Delta)
        case damaged(String)
    }

    func delta(from base: Version) async throws -> Existing {
        let path = OriginLayout.delta(version, from: base)
        guard let status = try await store.status(of: path) else { return .none }
        guard status.kind == .file else {
            return .damaged("'\(store.display(path))' is \(status.kind.name)")
        }
        // No log entry names what is there: a killed publish left it.
        guard isPublished else { return .none }
        var isUnread = false
        let all = try await history.channels()
        for channel in all.filter({ $0 == self.channel }) + all.filter({ $0 != self.channel }) {
            var entries = history.reading(
                channel, try await history.logSequences(channel).reversed())
            while let (_, outcome) = await entries.next() {
                guard let pointer = try outcome.recorded()?.pointer else {
                    isUnread = true
                    continue
                }
                let entries = pointer.entries.filter { $0.version == version }
                guard
                    let delta = entries.flatMap(\.deltas).first(where: { $0.from == base })
                else { continue }
                guard try await store.holds(delta.content.content, at: path) else {
                    return .damaged("'\(store.display(path))' does not match its pointer")
                }
                return .listed(delta.moved(to: baseURL.url(of: path)))
            }
        }
        // An entry that cannot be read may name it, and a published name never changes.
        return isUnread
            ? .damaged("'\(store.display(path))' exists, and part of the log cannot be read")
            : .none
    }
}

extension Pointer.Delta {
    /// The same delta at another URL, as after the base URL was corrected.
    fileprivate func moved(to url: String) -> Pointer.Delta {
        Pointer.Delta(
            from: from, fromHash: fromHash,
            content: ContentReference(url: url, sha256: content.sha256, size: content.size),
            needs: needs)
    }
}
