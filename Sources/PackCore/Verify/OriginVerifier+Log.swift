import PackGround
import PackOrigin
import PackRelease
import PackTrust

extension OriginVerifier {
    /// Reads the entries of a channel's log.
    ///
    /// - Returns: The number of names that are not entries.
    func readLog(
        of channel: Channel, _ sequences: [Int], _ current: OriginReader.Published?,
        _ run: inout Run
    ) async throws -> Int {
        // Without a pointer it is unknown which entries are above it.
        var ahead: OriginHistory.Ahead?
        if let current {
            ahead = try await history.entries(
                above: current.pointer.sequence, of: channel,
                floor: run.chain?.newest.root.floor(channel) ?? 0)
        }
        note(ahead, &run)
        var foreign = Set(ahead?.foreign.map(\.sequence) ?? [])
        let whole = try await lowestWhole(channel, &run)
        run.lowestWhole[channel] = whole
        var entries = history.reading(channel, sequences.filter { !foreign.contains($0) })
        while let (sequence, outcome) = await entries.next() {
            let place = OriginLayout.logEntry(channel, sequence)
            do {
                let entry = try outcome.get()
                let verdict = try await verdict(of: entry, &run)
                if let note = verdict.note(at: place) {
                    run.result.notes.append(note)
                    foreign.insert(sequence)
                    continue
                }
                run.take(entry, verdict, isWhole: sequence >= whole)
                if sequence != current?.pointer.sequence {
                    trust.checkSigners(entry, isCurrent: false, &run)
                }
                // Used up by a publish that ended before its commit point.
                if let current, sequence > current.pointer.sequence {
                    let why =
                        run.chain == nil
                        ? "" : ": a run was interrupted, or somebody put an earlier pointer back"
                    run.result.notes.append("\(place) was recorded but was never live\(why)")
                }
            } catch {
                if error.isLocalOrTransient { throw error }
                if error.meansNoPointer, try await isForeign(sequence, of: channel, &run) {
                    run.result.notes.append(
                        "\(place) is not a pointer of this channel, and no pointer leads to it; remove the file"
                    )
                    foreign.insert(sequence)
                    continue
                }
                run.failToRead(place, error)
            }
            run.needs.addLogEntry(sequence, of: channel)
        }
        return foreign.count
    }

    /// Notes what has the name of a log entry above the pointer's and is none.
    ///
    /// A note and no failure: no client reads it. A publish that gets there says so and stops.
    func note(_ ahead: OriginHistory.Ahead?, _ run: inout Run) {
        let foreign = ahead?.foreign ?? []
        for entry in foreign.prefix(Self.foreignShown) {
            run.result.notes.append(
                "\(entry.place) is not a pointer of this channel (\(entry.problem)); remove it")
        }
        if foreign.count > Self.foreignShown {
            run.result.notes.append(
                "\(counted(foreign.count - Self.foreignShown, "more file")) of that kind")
        }
    }

    private static let foreignShown = 8

    /// Notes the sequences below a channel's highest that its log has no entry for.
    ///
    /// A note and no failure: gaps are allowed (`docs/formats.md`), and no client reads these entries.
    /// But packtool leaves none, so the entry was there once, and what only it named is an orphan now.
    func noteGaps(
        in sequences: [Int], below highest: Int, _ channel: Channel, _ run: inout Run
    ) {
        let gaps = Self.gaps(in: sequences, below: highest)
        guard !gaps.isEmpty else { return }
        let isOne = gaps.count == 1 && gaps[0].count == 1
        run.result.notes.append(
            "\(OriginLayout.log(channel)) has no entry for \(isOne ? "sequence" : "sequences") "
                + "\(Stretches(gaps)); files that only \(isOne ? "it" : "they") named count as orphans"
        )
    }

    /// The stretches that are missing between 1 and `highest`.
    ///
    /// - Parameter sequences: ascending, each at least 1.
    package static func gaps(in sequences: [Int], below highest: Int) -> [ClosedRange<Int>] {
        var gaps: [ClosedRange<Int>] = []
        var expected = 1
        for sequence in sequences where sequence <= highest {
            if sequence > expected { gaps.append(expected...(sequence - 1)) }
            expected = sequence + 1
        }
        // A missing entry of the pointer itself is reported separately.
        if expected < highest { gaps.append(expected...(highest - 1)) }
        return gaps
    }
}
