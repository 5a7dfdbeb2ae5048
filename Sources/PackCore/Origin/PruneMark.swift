import PackGround
package import PackRelease

/// The sequence below which a channel's log is history only: files of those entries may be pruned.
///
/// The mark is public, so `verify` finds it in every copy of the origin. Clients do not read it. It
/// becomes durable before any deletion, and its sequence only increases (`docs/formats.md`).
package struct PruneMark: Equatable, Sendable {
    package let channel: Channel
    /// The lowest sequence with complete releases.
    package let below: Int
    package let prunedAt: Timestamp

    package init(channel: Channel, below: Int, prunedAt: Timestamp) {
        self.channel = channel
        self.below = below
        self.prunedAt = prunedAt
    }

    private static let schema = 1
    package static let sizeLimit = 4 << 10

    package var path: String { OriginLayout.pruneMark(channel) }

    // MARK: Format

    package func encode() -> [UInt8] {
        JSONWriter.write(
            .members([
                "schema": .integer(Self.schema), "channel": .string(channel.description),
                "below": .integer(below), "prunedAt": .string(prunedAt.description),
            ]))
    }

    /// Decodes a mark.
    ///
    /// - Throws: ``JSONError``, ``JSONShapeError``, ``Failure``.
    package static func decode(_ bytes: [UInt8]) throws -> PruneMark {
        let root = try JSONObject(JSONParser.parse(bytes))
        _ = try root.integer("schema", in: schema...schema)
        guard let prunedAt = Timestamp(try root.string("prunedAt")) else {
            throw root.error("prunedAt", "is not a time")
        }
        return PruneMark(
            channel: try Channel(root.string("channel")),
            below: try root.integer("below", in: 1...Pointer.sequenceLimit), prunedAt: prunedAt)
    }
}

extension OriginReader {
    /// The mark of a channel; `nil` if nothing was pruned.
    ///
    /// - Throws: ``Failure/originDiffers(path:problem:)``; an error of the store.
    package func pruneMark(of channel: Channel) async throws -> PruneMark? {
        let path = OriginLayout.pruneMark(channel)
        let problem: String
        do {
            guard let file = try await store.read(path, limit: PruneMark.sizeLimit) else {
                return nil
            }
            let mark = try PruneMark.decode(file.bytes)
            if mark.channel == channel { return mark }
            problem = "it belongs to channel '\(mark.channel)'"
        } catch {
            if error.isLocalOrTransient { throw error }
            problem = "\(error)"
        }
        throw Failure.originDiffers(
            path: store.display(path), problem: "is not a prune mark: \(problem)")
    }
}

extension OriginHistory {
    /// The mark of a channel; `nil` if nothing was pruned.
    ///
    /// - Throws: ``Failure/originDiffers(path:problem:)``; an error of the store.
    package func pruneMark(of channel: Channel) async throws -> PruneMark? {
        try await reader.pruneMark(of: channel)
    }

    /// The newest offer, by one of the given channels, of a release that may have been pruned
    /// since.
    ///
    /// Reads the log of each pruned channel, so pass few channels.
    package func prunedOffer(
        of version: Version, on channels: Set<Channel>
    ) async throws -> OriginReader.Published? {
        for channel in channels.sorted(by: { $0.description < $1.description }) {
            guard try await store.status(of: OriginLayout.pruneMark(channel)) != nil else {
                continue
            }
            if let found = try await offer(on: channel, where: { $0.version == version }) {
                return found
            }
        }
        return nil
    }

    /// The releases offered by earlier pointers of a channel and completely pruned.
    ///
    /// - Throws: an error of the store.
    package func pruned(among past: [Past], of channel: Channel) async throws -> Set<Version> {
        let whole = try await lowestWhole(of: channel)
        let earlier = Set(
            past.compactMap(\.pointer).filter { $0.sequence < whole }.flatMap(\.entries)
                .map(\.version))
        guard !earlier.isEmpty else { return [] }
        let names = Set(try await store.names(in: OriginLayout.releases))
        return earlier.filter { !names.contains($0.description) }
    }

    /// Whether the files of a pointer may have been pruned.
    package func mayBePruned(_ pointer: Pointer) async throws -> Bool {
        try await pointer.sequence < lowestWhole(of: pointer.channel)
    }

    /// The lowest sequence with complete releases; 0 if nothing was pruned.
    ///
    /// Ignores unreadable marks: `verify` reports them, and no other command needs them.
    package func lowestWhole(of channel: Channel) async throws -> Int {
        do {
            return try await pruneMark(of: channel)?.below ?? 0
        } catch {
            if error.isLocalOrTransient { throw error }
            return 0
        }
    }
}
