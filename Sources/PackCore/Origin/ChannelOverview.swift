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
        // Nearly every origin has this channel.
        let (underWay, _) = try await store.together(channelsUnderWay) { _ in
            await readAhead(.production)
        }
        let isAtWork = underWay.isEmpty ? false : store.isLocked()
        let channels = try await channels()
        return try await requestInParallel(channels.count, atMost: store.readsAtOnce) {
            let channel = channels[$0]
            let (published, problem) = try await current(channel)
            return ChannelOverview(
                channel: channel, published: published, problem: problem,
                isUnderWay: underWay.contains(channel.description), isAtWork: isAtWork)
        }
    }

    private func readAhead(_ channel: Channel) async {
        await store.readAhead(OriginLayout.pointer(channel), limit: Pointer.sizeLimit)
    }

    private func current(
        _ channel: Channel
    ) async throws -> (published: OriginReader.Published?, problem: String?) {
        do {
            guard let file = try await reader.pointerFile(channel) else {
                let missing = Self.missingPointer(try await logSequences(channel))
                return (nil, missing.map { "its pointer \($0)" } ?? "nothing was published")
            }
            let published = try reader.published(
                file, at: OriginLayout.pointer(channel), of: channel)
            _ = try await store.together {
                try await reader.prove(published)
            } _: { isAfter in
                // The pointer before it is asked for next.
                guard !isAfter, let previous = published.pointer.previous else { return }
                await store.readAhead(
                    OriginLayout.logEntry(channel, previous), limit: Pointer.sizeLimit)
            }
            return (published, nil)
        } catch {
            if error.isLocalOrTransient { throw error }
            return (nil, "\(error)")
        }
    }

    /// Describes a channel's missing pointer, as the rest of a sentence; `nil` if its log is also
    /// empty.
    ///
    /// - Parameter recorded: The sequences of the log, ascending.
    package static func missingPointer(_ recorded: [Int]) -> String? {
        guard let last = recorded.last else { return nil }
        return
            "is missing, and its log has \(counted(recorded.count, "entry", plural: "entries")): "
            + "copy log/\(last).json over it, which is the same file, or publish again"
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
