import PackOrigin
import PackRelease
import PackTrust

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
            if error.isLocalOrTransient { throw error }
            run.fail(OriginLayout.pruneMark(channel), error)
            return 1
        }
    }

    /// Whether an entry is the owner's; every one is at an origin without a root.
    func verdict(
        of entry: OriginReader.Published, _ run: inout Run
    ) async throws -> LogEntryClassifier.Verdict {
        guard let chain = run.chain else { return .counts }
        // Most are, and then nothing else has to be read.
        if (try? chain.standing(of: entry)) == .signed { return .counts }
        return try await judge(entry.pointer.channel, chain, &run).verdict(of: entry)
    }

    /// Whether a file that is no pointer is none of the log; that is unknown at an origin without a root.
    func isForeign(_ sequence: Int, of channel: Channel, _ run: inout Run) async throws -> Bool {
        guard let chain = run.chain else { return false }
        return try await judge(channel, chain, &run).isForeign(sequence)
    }

    private func judge(
        _ channel: Channel, _ chain: RootChain, _ run: inout Run
    ) async throws -> LogEntryClassifier {
        if let known = run.judges[channel] { return known }
        let judge = try await LogEntryClassifier.read(
            chain, channel, current: run.currents[channel], history)
        run.judges[channel] = judge
        return judge
    }

    /// Adds the releases that apps contain, which a prune keeps.
    func readPins(_ run: inout Run) async throws {
        let (pins, damaged) = try await history.pins()
        for place in damaged { run.fail(place, "is not a pin that can be read") }
        for pin in pins {
            if let offer = try await offer(of: pin, &run) {
                run.record(offer)
            } else {
                run.result.notes.append(
                    "\(pin.place) pins a release that no log entry names; remove it")
            }
        }
    }

    /// The newest offer of a pinned release that counts; where none does, the newest.
    private func offer(of pin: Pin, _ run: inout Run) async throws -> OriginReader.Published? {
        let chain = run.chain
        let offers = try await history.offers(of: pin) { entry in
            chain.map { (try? $0.standing(of: entry)) == .signed } ?? true
        }
        for offer in offers where try await verdict(of: offer, &run) == .counts { return offer }
        return offers.first
    }
}

extension OriginVerifier.Run {
    /// Takes a log entry for what it is.
    ///
    /// - Parameter isWhole: whether no prune may have deleted what it names.
    mutating func take(
        _ entry: OriginReader.Published, _ verdict: LogEntryClassifier.Verdict, isWhole: Bool
    ) {
        if isWhole, !verdict.isForsaken {
            return verdict == .counts ? record(entry) : unverifiable.append(entry)
        }
        for offer in entry.offers
        where verdict == .counts || pruned[offer.manifestPlace] == nil {
            pruned[offer.manifestPlace] = offer
        }
    }
}
