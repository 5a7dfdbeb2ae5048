import PackGround
package import PackRelease

/// A release that apps contain, as the origin's workspace records it (`docs/formats.md`).
///
/// Each publish makes a delta from it, however many releases have come since.
package struct Pin: Equatable, Sendable {
    package let channel: Channel
    package let version: Version
    package let createdAt: Timestamp
    /// Why, such as the version of the app.
    package let reason: String?

    /// The longest reason in bytes.
    package static let reasonLimit = 200
    /// The most releases of a channel that deltas are made from because they are pinned: the newest ones.
    package static let mostBases = 5
    private static let schema = 1
    package static let sizeLimit = 4 << 10

    package init(channel: Channel, version: Version, createdAt: Timestamp, reason: String?) {
        self.channel = channel
        self.version = version
        self.createdAt = createdAt
        self.reason = reason
    }

    package var place: String { "\(OriginLayout.pins)/\(channel).\(version).json" }

    /// The pin with the reasons of an earlier one of the same release before its own: `app 3.2; app 3.3`.
    ///
    /// The oldest ones go where all are too long.
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
    /// - Throws: ``JSONError``, ``JSONShapeError``, ``InvalidArgument``.
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
    /// The pins of a channel, the newest first.
    ///
    /// - Returns: also the places of those that cannot be read.
    package func pins(of channel: Channel) async throws -> (pins: [Pin], damaged: [String]) {
        var (pins, damaged) = try await pins()
        pins.removeAll { $0.channel != channel }
        return (pins, damaged)
    }

    /// All pins, the newest first.
    ///
    /// - Returns: also the places of those that cannot be read.
    package func pins() async throws -> (pins: [Pin], damaged: [String]) {
        var pins: [Pin] = []
        var damaged: [String] = []
        for name in try await store.names(in: OriginLayout.pins) {
            let place = "\(OriginLayout.pins)/\(name)"
            do {
                guard let file = try await store.read(place, limit: Pin.sizeLimit) else { continue }
                pins.append(try Pin.decode(file.bytes))
            } catch {
                if error.isLocalOrTransient { throw error }
                damaged.append(place)
            }
        }
        pins.sort { ($0.createdAt.seconds, $0.place) > ($1.createdAt.seconds, $1.place) }
        return (pins, damaged)
    }

    /// The offers of a pinned release, the newest first, without their deltas: it is kept as a start of updates.
    ///
    /// - Parameter isSure: whether an entry is the owner's beyond doubt; the first of these is the last one returned.
    /// - Returns: nothing where no log entry names the release.
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
