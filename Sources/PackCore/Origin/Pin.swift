import PackGround
package import PackRelease

/// A release bundled with apps, recorded in the origin's workspace (`docs/formats.md`).
///
/// Each publish makes a delta from it, whatever its age.
package struct Pin: Equatable, Sendable {
    package let channel: Channel
    package let version: Version
    package let createdAt: Timestamp
    /// The reason, such as the version of the app.
    package let reason: String?

    /// The maximum length of a reason in bytes.
    package static let reasonLimit = 200
    /// The maximum number of pinned releases of a channel with deltas; the newest ones are used.
    package static let mostBases = 5
    private static let schema = 1
    package static let sizeLimit = 4 << 10

    package init(channel: Channel, version: Version, createdAt: Timestamp, reason: String?) {
        self.channel = channel
        self.version = version
        self.createdAt = createdAt
        self.reason = reason
    }

    package var path: String { "\(OriginLayout.pins)/\(channel).\(version).json" }

    /// The pin with its reason appended to those of an earlier pin of the same release: `app 3.2;
    /// app 3.3`.
    ///
    /// Drops the oldest reasons if the result is too long.
    package func keepingReasons(of earlier: Pin) -> Pin {
        let known = earlier.reason.map { $0.split(separator: "; ").map(String.init) } ?? []
        let own = reason.map { [$0] } ?? []
        var all = known.filter { !own.contains($0) } + own
        while all.count > 1, all.joined(separator: "; ").utf8.count > Self.reasonLimit {
            all.removeFirst()
        }
        return Pin(
            channel: channel, version: version, createdAt: createdAt,
            reason: all.isEmpty ? nil : all.joined(separator: "; "))
    }

    // MARK: Format

    package func encode() -> [UInt8] {
        JSONWriter.write(
            .members([
                "schema": .integer(Self.schema), "channel": .string(channel.description),
                "version": .string(version.description),
                "createdAt": .string(createdAt.description), "reason": reason.json,
            ]))
    }

    /// Decodes a pin.
    ///
    /// - Throws: ``JSONError``, ``JSONShapeError``, ``Failure``.
    package static func decode(_ bytes: [UInt8]) throws -> Pin {
        let root = try JSONObject(JSONParser.parse(bytes))
        _ = try root.integer("schema", in: schema...schema)
        guard let createdAt = Timestamp(try root.string("createdAt")) else {
            throw root.error("createdAt", "is not a time")
        }
        return Pin(
            channel: try Channel(root.string("channel")), version: try root.version("version"),
            createdAt: createdAt, reason: try root.optionalString("reason"))
    }
}

extension OriginHistory {
    /// The pins of a channel, newest first.
    ///
    /// - Returns: Also the keys of unreadable pins.
    package func pins(of channel: Channel) async throws -> (pins: [Pin], damaged: [String]) {
        var (pins, damaged) = try await pins()
        pins.removeAll { $0.channel != channel }
        return (pins, damaged)
    }

    /// All pins, newest first.
    ///
    /// - Returns: Also the keys of unreadable pins.
    package func pins() async throws -> (pins: [Pin], damaged: [String]) {
        var pins: [Pin] = []
        var damaged: [String] = []
        for name in try await store.names(in: OriginLayout.pins) {
            let path = "\(OriginLayout.pins)/\(name)"
            do {
                guard let file = try await store.read(path, limit: Pin.sizeLimit) else { continue }
                pins.append(try Pin.decode(file.bytes))
            } catch {
                if error.isLocalOrTransient { throw error }
                damaged.append(path)
            }
        }
        pins.sort { ($0.createdAt.seconds, $0.path) > ($1.createdAt.seconds, $1.path) }
        return (pins, damaged)
    }

    /// The offers of a pinned release, newest first, without deltas to it: updates start from it.
    ///
    /// - Parameter isSure: Whether an entry certainly is the owner's; the first such entry is the
    ///   last one returned.
    /// - Returns: An empty array if no log entry references the release.
    package func offers(
        of pin: Pin, isSure: (OriginReader.Published) -> Bool
    ) async throws -> [OriginReader.Published] {
        var offers: [OriginReader.Published] = []
        try await forEachPointer(to: pin.version, startingWith: pin.channel) { offer in
            var pointer = offer.pointer
            pointer.deltas = []
            offers.append(offer.saying(pointer))
            return isSure(offer)
        }
        return offers
    }
}
