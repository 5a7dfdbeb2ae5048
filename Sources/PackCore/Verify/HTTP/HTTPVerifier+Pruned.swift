import PackGround
import PackOrigin
import PackRelease

/// What a prune deleted is no damage: no client is led there any more.
extension HTTPVerifier {
    /// Notes that a pointer needs a place, if no newer one does.
    func note(_ place: String, _ pointer: Pointer, _ run: inout Run) {
        if run.newest[place] == nil { run.newest[place] = pointer.sequence }
    }

    /// Takes back that files of an earlier release are missing where a prune may have deleted them.
    ///
    /// - Parameter pointer: the newest one that offers the release.
    func excusePruned(_ pointer: Pointer, _ run: inout Run) async throws {
        let missing = run.findings.places(of: .missing)
        guard !missing.isEmpty else { return }
        let whole = try await lowestWhole(&run)
        let pruned = missing.filter { (run.newest[$0] ?? pointer.sequence) < whole }
        guard !pruned.isEmpty else { return }
        run.findings.remove(.missing, at: pruned)
        run.pruned.insert(pointer.version)
    }

    /// The lowest sequence whose releases have to be whole, by what the server and the origin of `--against` say.
    ///
    /// A mark only grows, so the highest one counts.
    private func lowestWhole(_ run: inout Run) async throws -> Int {
        if let known = run.lowestWhole { return known }
        var lowest = 1
        if let source = run.source {
            lowest = (try? await Self.mark(in: source, request.channel)) ?? 1
        }
        lowest = max(lowest, try await servedMark(&run) ?? 1)
        run.lowestWhole = lowest
        return lowest
    }

    private static func mark(in store: any OriginStore, _ channel: Channel) async throws -> Int? {
        try await OriginReader(store, policy: .recordedInLog).pruneMark(of: channel)?.below
    }

    /// The mark that the server shows past the caches.
    private func servedMark(_ run: inout Run) async throws -> Int? {
        let place = OriginLayout.pruneMark(request.channel)
        var question = HTTPProbe.Question(limit: UInt64(PruneMark.sizeLimit))
        question.keepsBytes = true
        question.isPastCaches = true
        guard let answer = try await ask(place, question, &run), !answer.head.meansMissing else {
            return nil
        }
        guard answer.head.status == 200, !answer.isTooLong,
            let mark = try? PruneMark.decode(answer.bytes), mark.channel == request.channel
        else {
            run.findings.add(.differs, .error, place, "is not a mark of a prune", answer)
            return nil
        }
        let control = CacheControl(answer.head["cache-control"] ?? "")
        if !control.isNeverKept, let lifetime = control.longestLifetime, lifetime > Self.longestMark
        {
            run.findings.add(
                .cachedTooLong, .warning, place,
                "may be kept for \(grouped(lifetime)) seconds: what the next prune deletes is then "
                    + "reported as missing", answer)
        }
        return mark.below
    }

    /// Less than the time between two prunes.
    private static let longestMark = 3600

    func notePruned(_ run: inout Run) {
        guard !run.pruned.isEmpty, let whole = run.lowestWhole else { return }
        let count = counted(run.pruned.count, "earlier release")
        run.result.notes.append(
            "\(count) \(run.pruned.count == 1 ? "is" : "are") no longer whole: channel "
                + "'\(request.channel)' was pruned, and what only sequences below \(whole) offered may be "
                + "gone")
    }
}
