extension OriginVerifier {
    /// The lowest sequence of a channel whose releases have to be whole.
    func lowestWhole(_ channel: Channel, _ run: inout Run) async throws -> Int {
        run.needs.addPruneMark(of: channel)
        do {
            guard let mark = try await history.pruneMark(of: channel) else { return 1 }
            run.result.notes.append(
                "channel '\(channel)' was pruned: what only sequences below \(mark.below) offered may be gone"
            )
            return mark.below
        } catch {
            if error.meansShortage { throw error }
            run.fail(OriginLayout.pruneMark(channel), error)
            return 1
        }
    }

    /// Whether an entry is nobody's: it was never live, and was signed in an epoch that a root has ended.
    ///
    /// A prune does not keep what only it names.
    ///
    /// - Parameter live: the sequences that were, once that was asked.
    func isForsaken(
        _ entry: OriginReader.Published, _ current: OriginReader.Published?, _ chain: RootChain?,
        _ live: inout Set<Int>?
    ) async throws -> Bool {
        guard let current, let chain, case .earlierEpoch? = try? chain.standing(of: entry) else {
            return false
        }
        if live == nil {
            var found: Set<Int> = []
            try await history.forEachLive(
                current.pointer.channel, upTo: current.pointer.sequence
            ) { sequence, _ in
                found.insert(sequence)
                return false
            }
            live = found
        }
        return live?.contains(entry.pointer.sequence) == false
    }

    /// Adds the releases that apps contain, which a prune keeps.
    func readPins(_ run: inout Run) async throws {
        let (pins, damaged) = try await history.pins()
        for place in damaged { run.fail(place, "is not a pin that can be read") }
        for pin in pins {
            if let offer = try await history.offer(of: pin) {
                run.record(offer)
            } else {
                run.result.notes.append(
                    "\(pin.place) pins a release that no log entry names; remove it")
            }
        }
    }
}
