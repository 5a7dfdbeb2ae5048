import PackGround
import PackOrigin
import PackRelease

/// The releases that the deltas of a publish start from.
struct DeltaBases: Sendable {
    let store: any OriginStore
    let history: OriginHistory
    let channel: Channel
    /// The sequence of the channel's pointer; `nil` for a channel without one.
    let live: Int?
    let policy: PublishRequest.DeltaPolicy
    /// The release that the deltas lead to.
    let version: Version

    /// The releases that deltas start from: those requested, otherwise the last ones of the
    /// channel.
    ///
    /// - Parameter notes: gets what is damaged or out of reach.
    /// - Throws: ``Failure/originNoSuchRelease(version:origin:)`` for one that was requested.
    func pointers(
        _ notes: inout [String]
    ) async throws -> [OriginReader.Published] {
        var pointers: [OriginReader.Published] = []
        if let wanted = policy.from {
            for version in wanted where version != self.version {
                guard
                    let pointer = try await history.pointer(
                        to: version, startingWith: channel)
                else {
                    throw Failure.originNoSuchRelease(
                        version: version.description, origin: store.address)
                }
                pointers.append(pointer)
            }
            return pointers
        }
        guard policy.count > 0, let live else {
            return []
        }
        var damaged: [Int] = []
        try await history.forEachLive(channel, upTo: live) { sequence, published in
            guard let published else {
                damaged.append(sequence)
                return false
            }
            for offer in published.offers where pointers.count < policy.count {
                let other = offer.pointer.version
                if other != version, !pointers.contains(where: { $0.pointer.version == other }) {
                    pointers.append(offer)
                }
            }
            return pointers.count >= policy.count
        }
        if let first = damaged.first {
            let path = OriginLayout.logEntry(channel, first)
            let more = damaged.count > 1 ? " (and \(damaged.count - 1) more)" : ""
            notes.append(
                "no delta from the release of '\(store.display(path))'\(more), which is not a valid "
                    + "pointer" + Self.advice(store))
        }
        try await addPinned(to: &pointers, &notes)
        return pointers
    }

    /// Adds the releases that apps contain: a first update starts from them.
    private func addPinned(
        to pointers: inout [OriginReader.Published], _ notes: inout [String]
    ) async throws {
        let (pins, damaged) = try await history.pins(of: channel)
        for path in damaged {
            notes.append(
                "'\(store.display(path))' is not a pin that can be read, and no delta is made for it; write "
                    + "it again with 'packtool embed', or remove it")
        }
        for pin in pins.prefix(Pin.mostBases) where pin.version != version {
            if pointers.contains(where: { $0.pointer.version == pin.version }) { continue }
            if let pointer = try await history.pointer(to: pin.version, startingWith: channel) {
                pointers.append(pointer)
            } else {
                notes.append(
                    "no delta from \(pin.version): '\(store.display(pin.path))' pins it, and no log entry "
                        + "names it")
            }
        }
        if pins.count > Pin.mostBases {
            notes.append(
                "\(counted(pins.count, "release")) are pinned; deltas are made from the newest "
                    + "\(Pin.mostBases): remove pins of apps that no device has any more from "
                    + "'\(store.display(OriginLayout.pins))'")
        }
    }

    /// What to do about a file that is damaged.
    static func advice(_ store: any OriginStore) -> String {
        "; run 'packtool verify \(store.address)', then 'packtool publish' with the build of that release and --repair, "
            + "or restore the file from a mirror or backup"
    }
}
