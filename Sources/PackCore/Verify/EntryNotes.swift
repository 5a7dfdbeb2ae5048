import PackGround
import PackOrigin
import PackRelease

/// The notes of `verify` about log entries, one sentence per kind and channel.
struct EntryNotes {
    enum Kind: CaseIterable {
        /// The floor requires a signature, but the entry has none.
        ///
        /// Clients do not read it.
        case unsigned
        /// The newest root no longer accepts the entry's signatures.
        case revoked
    }

    private var entries: [Kind: [Channel: [OriginReader.Published]]] = [:]

    mutating func add(_ kind: Kind, _ entry: OriginReader.Published) {
        entries[kind, default: [:]][entry.pointer.channel, default: []].append(entry)
    }

    var sentences: [String] {
        Kind.allCases.flatMap { kind in
            (entries[kind] ?? [:]).sorted { $0.key.description < $1.key.description }
                .map { Self.sentence(kind, $0.key, $0.value) }
        }
    }

    private static func sentence(
        _ kind: Kind, _ channel: Channel, _ entries: [OriginReader.Published]
    ) -> String {
        let isOne = entries.count == 1
        let what: String
        if isOne, let path = entries.first?.path {
            what = path
        } else {
            let sequences = Stretches(entries.map(\.pointer.sequence))
            what = "\(grouped(entries.count)) log entries of channel '\(channel)' (\(sequences))"
        }
        return switch kind {
        case .unsigned: "\(what) \(isOne ? "is" : "are") not signed"
        case .revoked:
            "\(what) \(isOne ? "was" : "were") signed by keys that have been revoked since"
        }
    }
}

/// Formats numbers as ranges: "1 to 3, 5".
struct Stretches: CustomStringConvertible {
    private var ranges: [ClosedRange<Int>] = []
    /// The number of ranges to print.
    private static let limit = 8

    init(_ ranges: [ClosedRange<Int>]) { self.ranges = ranges }

    init(_ numbers: [Int]) {
        for number in numbers.sorted() {
            if let last = ranges.last, number <= last.upperBound + 1 {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
    }

    var description: String {
        let shown = ranges.prefix(Self.limit).map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)"
        }
        return shown.joined(separator: ", ") + (ranges.count > shown.count ? " and more" : "")
    }
}
