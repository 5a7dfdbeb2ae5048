import PackGround
import PackOrigin
import PackRelease
import PackTrust

extension HTTPVerifier {
    // MARK: The pointer

    /// What a question for the pointer brought.
    private enum Look {
        case shown(ShownPointer)
        case missing(ProbeAnswer)
        /// Something else, which was reported.
        case wrong

        var shown: ShownPointer? { if case .shown(let shown) = self { shown } else { nil } }
    }

    /// Reads the pointer through caches, past them and from the source, and compares.
    ///
    /// - Returns: The newest one that the server shows; `nil` if none can be read.
    func checkPointer(_ run: inout Run) async throws -> OriginReader.Published? {
        let place = OriginLayout.pointer(request.channel)
        let plain = try await pointer(place, isPastCaches: false, &run)
        let fresh = try await pointer(place, isPastCaches: true, &run)
        let newest = [fresh.shown, plain.shown].compactMap { $0 }.max {
            $0.published.pointer.sequence < $1.published.pointer.sequence
        }
        guard let current = newest?.published else {
            if case .missing(let answer) = plain, case .missing = fresh {
                try await checkMissing(answer, &run)
            }
            return nil
        }
        if case .missing(let answer) = plain {
            run.findings.addRefusal(place, answer, isThereBehind: true)
        }
        let source = try await sourcePointer(of: current, &run)
        compare(ShownPointer.routes(plain.shown, fresh.shown) + [source].compactMap { $0 }, &run)
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
        if let plain = plain.shown, let answer = plain.answer {
            try await checkPointerFile(plain.published, answer, &run)
        }
        return current
    }

    /// No route shows a pointer: the source tells whether there should be one.
    private func checkMissing(_ answer: ProbeAnswer, _ run: inout Run) async throws {
        let place = OriginLayout.pointer(request.channel)
        let reader = request.source.map { OriginReader($0, policy: .recordedInLog) }
        guard try await reader?.pointer(request.channel) != nil else {
            throw OriginError.nothingPublished(
                channel: request.channel.description, origin: store.address,
                answer: "\(place) is answered with \(answer.head.status)")
        }
        run.findings.add(
            .missing, .error, place, "is answered with \(answer.head.status)", answer,
            advice: "let the CDN read the bucket, or check the path")
    }

    private func pointer(
        _ place: String, isPastCaches: Bool, _ run: inout Run
    ) async throws -> Look {
        var question = HTTPProbe.Question(limit: UInt64(Pointer.sizeLimit))
        question.keepsBytes = true
        question.isPastCaches = isPastCaches
        guard let answer = try await ask(place, question, &run) else { return .wrong }
        if answer.head.meansMissing { return .missing(answer) }
        if let problem = problem(of: answer) {
            run.findings.add(problem.kind, .error, place, problem.text, answer)
            return .wrong
        }
        do {
            let stored = StoredObject(
                bytes: answer.bytes, revision: Revision(.content(answer.digest.sha256)))
            return .shown(
                ShownPointer(
                    published: try reader.published(stored, at: place, of: request.channel),
                    answer: answer, route: isPastCaches ? .pastCaches : .asClients))
        } catch {
            run.findings.add(
                answer.head.isPage ? .pageForFile : .differs, .error, place,
                answer.head.isPage ? "is answered with a web page" : "\(error)", answer)
            return .wrong
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
            let stored = StoredObject(
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
