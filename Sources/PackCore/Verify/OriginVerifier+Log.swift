extension OriginVerifier {
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
        let shown = gaps.prefix(8).map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)"
        }
        let more = gaps.count > shown.count ? " and more" : ""
        let isOne = gaps.count == 1 && gaps[0].count == 1
        run.result.notes.append(
            "\(OriginLayout.log(channel)) has no entry for \(isOne ? "sequence" : "sequences") "
                + shown.joined(separator: ", ") + more
                + "; files that only \(isOne ? "it" : "they") named count as orphans")
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
