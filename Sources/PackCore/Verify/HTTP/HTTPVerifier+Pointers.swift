extension HTTPVerifier {
    // MARK: The pointer

    /// A pointer as one route showed it.
    private struct Shown {
        let published: OriginReader.Published
        /// `nil` for the source.
        let answer: ProbeAnswer?
        let isPastCaches: Bool
        /// Where it was seen.
        let route: String
    }

    /// Reads the pointer through caches, past them and from the source, and compares.
    ///
    /// - Returns: The newest one that the server shows; `nil` if none can be read.
    func checkPointer(_ run: inout Run) async throws -> OriginReader.Published? {
        let place = OriginLayout.pointer(request.channel)
        let plain = try await pointer(place, isPastCaches: false, &run)
        let fresh = try await pointer(place, isPastCaches: true, &run)
        guard plain != nil || fresh != nil else {
            guard run.findings.all.isEmpty else { return nil }
            throw OriginError.nothingPublished(
                channel: request.channel.description, origin: store.address)
        }
        if plain == nil, let fresh, run.findings.all.isEmpty {
            run.findings.add(
                .keptMissing, .error, place, "is missing in a cache, and is there behind it",
                fresh.answer)
        }
        var all = [plain, fresh].compactMap { $0 }
        if let source = request.source {
            let reader = OriginReader(source, policy: .recordedInLog)
            guard let published = try await reader.pointer(request.channel) else {
                throw OriginError.nothingPublished(
                    channel: request.channel.description, origin: source.address)
            }
            if let app = all.first?.published.pointer.app, app != published.pointer.app {
                throw OriginError.invalidPointer(
                    place: published.place,
                    problem: "it is of the app '\(published.pointer.app)', and clients get '\(app)'"
                )
            }
            all.append(
                Shown(
                    published: published, answer: nil, isPastCaches: true,
                    route: "in '\(source.address)'"))
        }
        compare(all, &run)
        let newest = [fresh, plain].compactMap { $0 }.max {
            $0.published.pointer.sequence < $1.published.pointer.sequence
        }
        guard let current = newest?.published else { return nil }
        let pointer = current.pointer
        run.isRecent = request.now.seconds - pointer.createdAt.seconds <= request.patience
        run.result.channel = .init(
            channel: pointer.channel, version: pointer.version, sequence: pointer.sequence,
            label: pointer.label, expires: pointer.expires, recorded: 0)
        if let expires = pointer.expires, expires <= request.now {
            run.findings.add(
                .expired, .error, OriginLayout.pointer(pointer.channel),
                "expired at \(expires), and clients refuse it")
        }
        if let plain, let answer = plain.answer {
            try await checkPointerFile(plain.published, answer, &run)
        }
        return current
    }

    private func pointer(
        _ place: String, isPastCaches: Bool, _ run: inout Run
    ) async throws -> Shown? {
        var question = HTTPProbe.Question(limit: UInt64(Pointer.sizeLimit))
        question.keepsBytes = true
        question.isPastCaches = isPastCaches
        let route = isPastCaches ? "past the caches" : "as clients get it"
        guard let answer = try await ask(place, question, &run) else { return nil }
        if answer.head.meansMissing { return nil }
        if let problem = problem(of: answer) {
            run.findings.add(problem.kind, .error, place, problem.text, answer)
            return nil
        }
        do {
            let stored = Stored(
                bytes: answer.bytes, revision: Revision(.content(answer.digest.sha256)))
            return Shown(
                published: try reader.published(stored, at: place, of: request.channel),
                answer: answer, isPastCaches: isPastCaches, route: route)
        } catch {
            run.findings.add(
                answer.head.isPage ? .pageForFile : .differs, .error, place,
                answer.head.isPage ? "is answered with a web page" : "\(error)", answer)
            return nil
        }
    }

    private func problem(of answer: ProbeAnswer) -> (kind: HTTPFinding.Kind, text: String)? {
        if answer.head.status != 200 {
            return (.status, "is answered with status \(answer.head.status)")
        }
        if let encoding = answer.head.encoding {
            return (
                .transformed,
                "arrives with Content-Encoding \(shownEncoding(encoding)), which nobody asked for"
            )
        }
        return answer.isTooLong ? (.differs, "is longer than a pointer may be") : nil
    }

    /// Compares what the roads show: none may be behind for longer than caches may keep a pointer.
    private func compare(_ all: [Shown], _ run: inout Run) {
        guard
            let newest = all.max(by: {
                $0.published.pointer.sequence < $1.published.pointer.sequence
            })
        else { return }
        var seen: Set<Int> = []
        // What the server itself has explains what its caches have.
        for shown in all.reversed() {
            let sequence = shown.published.pointer.sequence
            if sequence != newest.published.pointer.sequence {
                if seen.insert(sequence).inserted { add(shown, behind: newest, &run) }
            } else if shown.published.bytes != newest.published.bytes {
                run.findings.add(
                    .differs, .error, OriginLayout.pointer(request.channel),
                    "is another pointer of sequence \(sequence) \(shown.route) than \(newest.route)",
                    shown.answer ?? newest.answer)
            }
        }
    }

    private func add(_ shown: Shown, behind newest: Shown, _ run: inout Run) {
        let place = OriginLayout.pointer(request.channel)
        let now = newest.published.pointer
        let age = max(0, request.now.seconds - now.createdAt.seconds)
        let cached = shown.answer?.age.map { " (age \(grouped($0)) s)" } ?? ""
        let text =
            "has sequence \(shown.published.pointer.sequence)\(cached) \(shown.route), and \(now.sequence) "
            + "\(newest.route), published \(grouped(age)) second\(age == 1 ? "" : "s") ago"
        guard shown.answer != nil else { return run.result.notes.append("\(place) \(text)") }
        guard age > request.patience else {
            run.result.notes.append(
                "\(place) \(text): caches have up to \(request.patience) seconds")
            return
        }
        // A cache whose key is the path alone answers past itself.
        let isBehind = shown.isPastCaches && !(shown.answer?.isFromCache ?? false)
        run.findings.add(isBehind ? .behind : .stale, .error, place, text, shown.answer)
    }

    /// Checks the pointer's own headers, and compares it with its log entry.
    private func checkPointerFile(
        _ published: OriginReader.Published, _ answer: ProbeAnswer, _ run: inout Run
    ) async throws {
        let content = FileDigest(
            sha256: answer.digest.sha256, size: UInt64(published.bytes.count))
        let file = ExpectedFile(
            OriginLayout.pointer(request.channel), content, .short, type: "application/json")
        run.findings.checkRedirects(file.place, answer, probe.address)
        run.findings.checkLifetime(file, answer)
        run.findings.checkType(file, answer)
        let entry = ExpectedFile(
            OriginLayout.logEntry(request.channel, published.pointer.sequence), content, .long,
            type: "application/json")
        _ = try await check(entry, &run)
    }

    // MARK: Roots and history

    /// Reads the trust roots past the caches, and each once more as clients do.
    func checkRoots(_ current: OriginReader.Published, _ run: inout Run) async throws {
        let trust = trustCheck
        if current.pointer.root != nil || request.trust != nil {
            try await trust.readRoots(&run.origin, now: request.now)
            for root in run.origin.chain?.roots ?? [] {
                let content = FileDigest(
                    sha256: StreamHasher.digest(of: root.bytes), size: UInt64(root.bytes.count))
                _ = try await check(
                    ExpectedFile(
                        OriginLayout.root(root.root.version), content, .long,
                        type: "application/json"), &run)
            }
        }
        trust.checkSigners(current, isCurrent: true, &run.origin)
        trust.noteExpiry(current.pointer, now: request.now, &run.origin)
    }

    private var trustCheck: TrustCheck {
        TrustCheck(store: store.pastCaches() ?? store, pin: request.trust)
    }

    /// Reads the pointers before the current one, along `previous`.
    func checkHistory(_ current: OriginReader.Published, _ run: inout Run) async throws {
        run.published = [current]
        var next = current.pointer
        while run.published.count <= request.depth {
            guard next.operation != nil else {
                if next.sequence > 1 {
                    run.result.notes.append(
                        "the pointer of sequence \(next.sequence) does not name the one before it: "
                            + "earlier ones were not read")
                }
                break
            }
            guard let sequence = next.previous, sequence < next.sequence else { break }
            guard let entry = try await logEntry(sequence, &run) else { break }
            trustCheck.checkSigners(entry, isCurrent: false, &run.origin)
            run.published.append(entry)
            next = entry.pointer
        }
        for published in run.published { run.origin.record(published) }
        run.result.channel?.recorded = run.published.count
    }

    private func logEntry(
        _ sequence: Int, _ run: inout Run
    ) async throws -> OriginReader.Published? {
        let place = OriginLayout.logEntry(request.channel, sequence)
        var question = HTTPProbe.Question(limit: UInt64(Pointer.sizeLimit))
        question.keepsBytes = true
        guard let answer = try await ask(place, question, &run) else { return nil }
        if answer.head.meansMissing {
            run.findings.add(
                .missing, .error, place, "is answered with \(answer.head.status)", answer)
            return nil
        }
        if let problem = problem(of: answer) {
            run.findings.add(problem.kind, .error, place, problem.text, answer)
            return nil
        }
        do {
            let stored = Stored(
                bytes: answer.bytes, revision: Revision(.content(answer.digest.sha256)))
            let published = try reader.published(stored, at: place, of: request.channel)
            guard published.pointer.sequence == sequence else {
                throw OriginError.invalidPointer(
                    place: place, problem: "its sequence is \(published.pointer.sequence)")
            }
            let file = ExpectedFile(place, answer.digest, .long, type: "application/json")
            run.findings.checkLifetime(file, answer)
            return published
        } catch {
            run.findings.add(
                answer.head.isPage ? .pageForFile : .differs, .error, place,
                answer.head.isPage ? "is answered with a web page" : "\(error)", answer)
            return nil
        }
    }
}
