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
