import PackGround
package import PackRelease

/// The current state of a channel.
package struct ChannelOverview: Sendable {
    package let channel: Channel
    /// `nil` if there is no pointer, or it is invalid.
    package let published: OriginReader.Published?
    /// The reason for a missing ``published``.
    package let problem: String?
    /// Whether a command is changing the channel, or was interrupted.
    package let isUnderWay: Bool
    /// Whether the command is running; `nil` if unknown.
    package let isAtWork: Bool?
}

extension OriginHistory {
    /// All channels, sorted.
    ///
    /// - Throws: ``Failure/originNotAnOrigin(path:)``; an error of the store.
    package func overview() async throws -> [ChannelOverview] {
        var found: [ChannelOverview] = []
        let underWay = try await channelsUnderWay()
        let isAtWork = underWay.isEmpty ? false : store.isLocked()
        for channel in try await channels() {
            var published: OriginReader.Published?
            var problem: String?
            do {
                published = try await reader.pointer(channel)
                if published == nil {
                    let recorded = try await logSequences(channel)
                    problem =
                        Self.missingPointer(recorded).map { "its pointer \($0)" }
                        ?? "nothing was published"
                }
            } catch {
                if error.isLocalOrTransient { throw error }
                problem = "\(error)"
            }
            found.append(
                ChannelOverview(
                    channel: channel, published: published, problem: problem,
                    isUnderWay: underWay.contains(channel.description), isAtWork: isAtWork))
        }
        return found
    }

    /// Describes a channel's missing pointer, as the rest of a sentence; `nil` if its log is also
    /// empty.
    ///
    /// - Parameter recorded: The sequences of the log, ascending.
    package static func missingPointer(_ recorded: [Int]) -> String? {
        guard let last = recorded.last else { return nil }
        return
            "is missing, and its log has \(counted(recorded.count, "entry", plural: "entries")): publish again, or "
            + "copy log/\(last).json over it, which is the same file"
    }

    /// A pointer that was live.
    package struct Past: Sendable {
        package let sequence: Int
        /// `nil` if the entry is unreadable.
        package let published: OriginReader.Published?

        package var pointer: Pointer? { published?.pointer }
    }

    /// The pointers of a channel that were live, newest first.
    ///
    /// - Throws: ``Failure/originNothingPublished(channel:origin:answer:)`` for a channel without a log.
    package func past(_ channel: Channel, limit: Int) async throws -> [Past] {
        let recorded = try await logSequences(channel)
        guard let last = recorded.last else {
            throw Failure.originNothingPublished(
                channel: channel.description, origin: reader.store.address)
        }
        // An invalid pointer does not show which entries went live.
        let highest = try await reader.readablePointer(channel)?.pointer.sequence ?? last
        return try await past(channel, upTo: highest, limit: limit)
    }

    /// The pointers of a channel up to a sequence, newest first.
    package func past(_ channel: Channel, upTo sequence: Int, limit: Int) async throws -> [Past] {
        var found: [Past] = []
        try await forEachLive(channel, upTo: sequence) {
            found.append(Past(sequence: $0, published: $1))
            return found.count >= limit
        }
        return found
    }

    /// Whether the newest pointer offering a release is older than a sequence.
    package func isOlder(_ version: Version, than sequence: Int, _ pointer: Pointer) async throws
        -> Bool
    {
        var last = 0
        try await forEachLive(pointer.channel, upTo: pointer.sequence) { number, published in
            if number < sequence { return true }
            if published?.pointer.entries.contains(where: { $0.version == version }) == true {
                last = number
            }
            return last != 0
        }
        return last < sequence
    }
}
