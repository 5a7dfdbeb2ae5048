/// What an origin has beside its current pointers: channels, logs, and the releases they name.
///
/// It lists files, so it needs a store that can.
package struct OriginHistory: Sendable {
    package let reader: OriginReader
    private let store: any ListingStore

    package init(_ store: any ListingStore, policy: any PointerPolicy) {
        self.store = store
        reader = OriginReader(store, policy: policy)
    }

    /// Whether the store looks like an origin, with or without a published release.
    package func isOrigin() async throws -> Bool {
        for name in [OriginLayout.channels, OriginLayout.workspace] {
            if try await store.isFolder(name) { return true }
        }
        return false
    }

    /// The channels that have a directory, sorted.
    ///
    /// - Throws: ``OriginError/notAnOrigin(path:)``.
    package func channels() async throws -> [Channel] {
        guard try await isOrigin() else { throw OriginError.notAnOrigin(path: store.address) }
        return try await store.names(in: OriginLayout.channels).compactMap { try? Channel($0) }
    }

    /// The sequences of a channel's log, ascending.
    package func logSequences(_ channel: Channel) async throws -> [Int] {
        try await store.names(in: OriginLayout.log(channel)).compactMap { name in
            guard name.hasSuffix(".json"), let number = Int(name.dropLast(5)),
                (1...Pointer.sequenceLimit).contains(number),
                "\(number).json" == name
            else { return nil }
            return number
        }.sorted()
    }

    /// The sequences of a channel's log that were live, ascending.
    ///
    /// An entry above the pointer's sequence never was: its publish ended before the commit point.
    /// The publish that skips such an entry records that.
    ///
    /// - Parameter highest: The pointer's sequence.
    package func liveSequences(
        _ channel: Channel, upTo highest: Int
    ) async throws -> [Int] {
        let recorded = try await logSequences(channel).filter { $0 <= highest }
        let notes = try await store.statuses(
            of: recorded.map { OriginLayout.abandoned(channel, $0) })
        // The pointer's own sequence is live, whatever was recorded.
        return zip(recorded, notes).filter { $1 == nil || $0 == highest }.map(\.0)
    }

    // MARK: Entries that never went live

    /// What a channel's log has above the sequence of its pointer.
    struct Ahead: Sendable {
        /// Entries of publishes that ended before their commit point, ascending.
        var dead: [Int] = []
        /// What has the name of an entry and is none, ascending.
        var foreign: [ForeignEntry] = []
    }

    /// Something at the name of a log entry that no publish recorded.
    struct ForeignEntry: Sendable {
        let sequence: Int
        let place: String
        let problem: String
    }

    /// How far above the one before it an entry may be.
    ///
    /// Packtool leaves no gaps. An entry near the highest sequence would use up the channel.
    static let longestGap = 1_000_000

    /// Reads what a channel's log has above a sequence.
    func entries(above live: Int, of channel: Channel) async throws -> Ahead {
        var ahead = Ahead()
        for sequence in try await logSequences(channel) where sequence > live {
            let last = ahead.dead.last ?? live
            if let problem = try await problem(ofEntry: sequence, after: last, channel) {
                ahead.foreign.append(
                    ForeignEntry(
                        sequence: sequence, place: OriginLayout.logEntry(channel, sequence),
                        problem: problem))
            } else {
                ahead.dead.append(sequence)
            }
        }
        return ahead
    }

    private func problem(
        ofEntry sequence: Int, after last: Int, _ channel: Channel
    ) async throws -> String? {
        let place = OriginLayout.logEntry(channel, sequence)
        guard let kind = try await store.status(of: place)?.kind else {
            return """
                it was removed in the meantime
                """
        }
        guard kind == .file else { return "it is \(kind.name)" }
        do {
            _ = try await reader.logEntry(channel, sequence)
        } catch let error as OriginError {
            if case .invalidPointer(_, let problem) = error { return problem }
            return "\(error)"
        } catch {
            if error.meansShortage { throw error }
            return "\(error)"
        }
        guard sequence - last <= Self.longestGap else {
            return "it is more than \(grouped(Self.longestGap)) above the entry before it"
        }
        return nil
    }

    // MARK: Releases

    /// Calls `body` with the pointers that name a release, the newest first and the given channel's before those
    /// of others, until it returns `true`.
    func forEachPointer(
        to version: Version, startingWith first: Channel? = nil,
        _ body: (OriginReader.Published) throws -> Bool
    ) async throws {
        guard try await isOrigin() else { return }
        let all = try await channels()
        let ordered = all.filter { $0 == first } + all.filter { $0 != first }
        for channel in ordered {
            for sequence in try await logSequences(channel).reversed() {
                guard let entry = try await reader.recorded(channel, sequence),
                    entry.pointer.version == version
                else { continue }
                if try body(entry) { return }
            }
        }
    }

    /// The newest pointer or log entry that names a release.
    func pointer(
        to version: Version, startingWith channel: Channel? = nil
    ) async throws -> OriginReader.Published? {
        var found: OriginReader.Published?
        try await forEachPointer(to: version, startingWith: channel) {
            found = $0
            return true
        }
        return found
    }

    /// The release that a version or a label names; of several with one label the last one that went live.
    ///
    /// - Throws: what ``release(ofVersion:)`` throws.
    package func release(named name: String) async throws -> Release {
        if Version(name) != nil { return try await release(ofVersion: name) }
        for channel in try await channels() {
            // A pointer that cannot be read says nothing of what went live.
            var highest = Pointer.sequenceLimit
            if let current = try? await reader.pointer(channel) {
                highest = current.pointer.sequence
            }
            for sequence in try await liveSequences(channel, upTo: highest).reversed() {
                guard let pointer = try? await reader.logEntry(channel, sequence).pointer else {
                    continue
                }
                if pointer.label == name {
                    return try await release(ofVersion: pointer.version.description)
                }
            }
        }
        throw OriginError.noSuchRelease(version: name, origin: store.address)
    }

    /// The release of a version that a pointer or log entry names, with the manifest that it binds.
    ///
    /// - Throws: ``OriginError``, ``ManifestError``, an error of the store.
    package func release(ofVersion text: String) async throws -> Release {
        guard let version = Version(text), let published = try await pointer(to: version) else {
            throw OriginError.noSuchRelease(version: text, origin: store.address)
        }
        return try await reader.manifest(of: published).release
    }
}
