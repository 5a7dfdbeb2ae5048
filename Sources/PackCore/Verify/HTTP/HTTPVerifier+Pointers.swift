import PackGround
import PackOrigin
import PackRelease
import PackTrust

extension HTTPVerifier {
    /// Reads the pointer through caches, past them and from the source, then its predecessors.
    func readPointers(_ run: inout AuditRun) async throws {
        guard let current = try await checkPointer(&run) else { return }
        let trust = TrustCheck(store: store.pastCaches() ?? store, pin: request.trust)
        try await checkRoots(current, trust, &run)
        try await readHistory(current, trust, &run)
        run.followed = run.published.lazy.compactMap { $0.unconditional }.first
        var seen: Set<String> = []
        for (index, published) in run.published.enumerated() {
            for offer in published.offers where seen.insert(offer.manifestPath).inserted {
                let known = run.releases.firstIndex {
                    $0.offers[0].pointer.version == offer.pointer.version
                }
                guard let known else {
                    run.releases.append(
                        AuditedRelease(offers: [offer], isWhole: index == 0 || request.readsAll))
                    continue
                }
                run.releases[known].offers.append(offer)
            }
        }
    }

    /// The result of requesting a pointer or log entry.
    private enum Look {
        case shown(ShownPointer)
        case missing(ProbeAnswer)
        /// An invalid answer, already reported.
        case wrong

        var shown: ShownPointer? { if case .shown(let shown) = self { shown } else { nil } }
    }

    /// - Returns: The server's newest pointer, or `nil` if none can be read.
    private func checkPointer(_ run: inout AuditRun) async throws -> OriginReader.Published? {
        let path = OriginLayout.pointer(request.channel)
        let plain = try await look(at: path, &run)
        let fresh = try await look(at: path, pastCaches: true, &run)
        let newest = [fresh.shown, plain.shown].compactMap { $0 }.max {
            $0.published.pointer.sequence < $1.published.pointer.sequence
        }
        guard let current = newest?.published else {
            if case .missing(let answer) = plain, case .missing = fresh {
                try await checkMissingPointer(answer, &run)
            }
            return nil
        }
        if case .missing(let answer) = plain {
            run.findings.addRefusal(path, answer, isThereBehind: true)
        }
        let source = try await sourcePointer(of: current, &run)
        compare(ShownPointer.routes(plain.shown, fresh.shown) + [source].compactMap { $0 }, &run)
        let pointer = current.pointer
        run.isRecent = request.now.seconds - pointer.createdAt.seconds <= request.patience
        run.result.channels = [.init(pointer, recorded: 0)]
        if let expires = pointer.expires, expires <= request.now {
            run.findings.add(
                .expired, .error, path, "expired at \(expires), and clients refuse it")
        }
        if let plain = plain.shown, let answer = plain.answer {
            run.findings.checkRedirects(path, answer, probe.address)
            run.findings.checkLifetime(path, .short, answer.head)
            run.findings.checkType(path, "application/json", answer.head)
            let entry = OriginLayout.logEntry(
                request.channel, plain.published.pointer.sequence)
            try await check(entry, plain.published.bytes, &run)
        }
        return current
    }

    /// Handles a pointer missing on all routes.
    ///
    /// The source decides whether one should exist.
    private func checkMissingPointer(
        _ answer: ProbeAnswer, _ run: inout AuditRun
    ) async throws {
        let path = OriginLayout.pointer(request.channel)
        let reader = request.source.map { OriginReader($0, policy: .recordedInLog) }
        guard try await reader?.pointer(request.channel) != nil else {
            throw Failure.originNothingPublished(
                channel: request.channel.description, origin: store.address,
                answer: "\(path) is answered with \(answer.head.status)")
        }
        run.findings.add(
            .missing, .error, path, "is answered with \(answer.head.status)", answer.head,
            advice: "let the CDN read the bucket, or check the path")
    }

    /// Checks an immutable file against known bytes.
    private func check(_ path: String, _ bytes: [UInt8], _ run: inout AuditRun) async throws {
        let file = ExpectedFile(path: path, content: FileDigest(of: bytes))
        run.take(try await FileCheck(probe, file).run(), path)
    }

    func published(_ answer: ProbeAnswer, at path: String) throws -> OriginReader.Published {
        try reader.published(
            StoredObject(
                bytes: answer.bytes, revision: Revision(.content(answer.digest.sha256))),
            at: path, of: request.channel)
    }

    /// Reads a pointer, or the log entry of a sequence.
    private func look(
        at path: String, sequence: Int? = nil, pastCaches: Bool = false, _ run: inout AuditRun
    ) async throws -> Look {
        guard let answer = try await ask(path, .pointer(pastCaches: pastCaches), &run.findings)
        else { return .wrong }
        let head = answer.head
        if head.meansMissing { return .missing(answer) }
        let problem: (kind: AuditFinding.Kind, text: String)
        if head.status != 200 {
            problem = (.status, "is answered with status \(head.status)")
        } else if let text = answer.encodingProblem {
            problem = (.transformed, text)
        } else if answer.isTooLong {
            problem = (.differs, "is longer than a pointer may be")
        } else {
            do {
                let published = try published(answer, at: path)
                if let sequence, published.pointer.sequence != sequence {
                    throw Failure.originInvalidPointer(
                        path: path, problem: "its sequence is \(published.pointer.sequence)")
                }
                return .shown(
                    ShownPointer(
                        published: published, answer: answer,
                        route: pastCaches ? .pastCaches : .asClients))
            } catch {
                problem =
                    head.isPage
                    ? (.pageForFile, "is answered with a web page") : (.differs, "\(error)")
            }
        }
        run.findings.add(problem.kind, .error, path, problem.text, head)
        return .wrong
    }

    // MARK: Roots and history

    /// Reads the trust roots past the caches, and each a second time as clients do.
    private func checkRoots(
        _ current: OriginReader.Published, _ trust: TrustCheck, _ run: inout AuditRun
    ) async throws {
        if current.pointer.root != nil || request.trust != nil {
            try await trust.readRoots(&run, now: request.now)
            for root in run.chain?.roots ?? [] {
                try await check(OriginLayout.root(root.root.version), root.bytes, &run)
            }
        }
        trust.checkSigners(current, isCurrent: true, &run)
        trust.noteExpiry(current.pointer, now: request.now, &run)
    }

    /// Reads the predecessors of the current pointer by following `previous`.
    private func readHistory(
        _ current: OriginReader.Published, _ trust: TrustCheck, _ run: inout AuditRun
    ) async throws {
        run.published = [current]
        var next = current.pointer
        while run.published.count <= request.depth {
            guard next.operation != nil else {
                if next.sequence > 1 {
                    run.note(
                        "the pointer of sequence \(next.sequence) has no predecessor: "
                            + "earlier ones were not read")
                }
                break
            }
            guard let sequence = next.previous, sequence < next.sequence else { break }
            let path = OriginLayout.logEntry(request.channel, sequence)
            let look = try await look(at: path, sequence: sequence, &run)
            if case .missing(let answer) = look {
                run.findings.add(
                    .missing, .error, path, "is answered with \(answer.head.status)", answer.head)
            }
            guard let shown = look.shown, let answer = shown.answer else { break }
            run.findings.checkLifetime(path, .long, answer.head)
            trust.checkSigners(shown.published, isCurrent: false, &run)
            run.published.append(shown.published)
            next = shown.published.pointer
        }
        for published in run.published { run.record(published) }
        run.result.channels[0].recorded = run.published.count
    }
}

extension HTTPProbe.Question {
    /// The options for requesting a pointer or log entry.
    static func pointer(pastCaches: Bool = false) -> HTTPProbe.Question {
        var question = HTTPProbe.Question(limit: UInt64(Pointer.sizeLimit))
        question.keepsBytes = true
        question.isPastCaches = pastCaches
        return question
    }
}
