package import PackGround
package import PackOrigin
package import PackRelease
package import PackTrust

/// Verifies an origin as clients receive it from a web server or CDN.
///
/// Requests only names derived from pointers, because a cached 404 would hide a file published at
/// that name later. There are three exceptions: one random name, the next root of a signed origin,
/// and the channel's prune mark if a file of an earlier release is missing.
package struct HTTPVerifier: AuditSource {
    /// The scope of a verification.
    package struct Request: Sendable {
        package var channel: Channel
        package var now: Timestamp
        package var jobs: Int
        package var trust: TrustPin?
        /// The number of earlier pointers to read.
        package var depth = 4
        /// Whether to read every file of earlier releases instead of a sample.
        package var readsAll = false
        /// Whether to also read only a sample of the current release's objects and `site/`.
        package var isSample = false
        /// How long caches may serve an outdated file, in seconds.
        package var patience = HTTPVerifier.patience
        /// The same origin without caches: its directory, or the server's own address.
        package var source: (any OriginStore)?
        /// The web origins of pages that load files from this origin.
        package var webOrigins: [String] = []
        /// A local directory for packages and deltas.
        package var scratch: Directory
        package var progress: ProgressSink?

        package init(channel: Channel, now: Timestamp, jobs: Int, scratch: Directory) {
            self.channel = channel
            self.now = now
            self.jobs = jobs
            self.scratch = scratch
        }
    }

    let store: HTTPStore
    let probe: HTTPProbe
    private(set) var request: Request
    let reader: OriginReader
    /// Selects the sampled files; returns 0 to 1.
    let random: @Sendable () -> Double

    /// How long a cache may serve an outdated file, in seconds: twice the lifetime of a pointer.
    package static let patience = 120

    package init(
        _ store: HTTPStore, _ request: Request, random: @escaping @Sendable () -> Double
    ) {
        self.store = store
        self.request = request
        self.random = random
        probe = HTTPProbe(address: store.addresses[0], client: store.client)
        reader = OriginReader(store, policy: .recordedInLog)
    }

    var jobs: Int { request.jobs }
    var progress: ProgressSink? { request.progress }

    /// Verifies the origin and collects all problems as findings.
    ///
    /// - Throws: ``Failure/originNothingPublished(channel:origin:answer:)``, ``Failure`` if the
    ///   server cannot be reached, ``Failure`` for the scratch directory.
    package func verify() async throws -> Verification {
        let run = try await audit()
        var findings = run.findings
        let address = store.display("") + "/"
        for failure in run.failures {
            let path = failure.path
            findings.add(
                .origin, .error,
                path.hasPrefix(address) ? String(path.dropFirst(address.count)) : path,
                failure.problem)
        }
        var result = run.result
        result.isSample = request.isSample
        result.notes += run.entryNotes.sentences
        result.findings = findings.sorted
        return result
    }

    /// Verifies the origin after a publish.
    ///
    /// First waits until clients receive the new pointer, at most `patience` seconds.
    ///
    /// - Throws: The errors of ``verify()``.
    package func verify(after sequence: Int) async throws -> Verification {
        var verifier = self
        if try await !isShown(sequence) {
            // Move the time past `patience`, so that an outdated pointer counts as stale.
            verifier.request.now = Timestamp(seconds: request.now.seconds + request.patience + 1)
        }
        return try await verifier.verify()
    }

    /// The first and the longest interval between two requests for the pointer, in seconds.
    private static let pauses = (first: 0.5, longest: 5.0)

    /// Polls the pointer until it reaches a sequence or `patience` seconds have passed.
    private func isShown(_ sequence: Int) async throws -> Bool {
        var waited = 0.0
        var pause = Self.pauses.first
        while true {
            do {
                let path = OriginLayout.pointer(request.channel)
                let answer = try await probe.ask(path, .pointer())
                if answer.head.status == 200, !answer.isTooLong,
                    let shown = try? published(answer, at: path),
                    shown.pointer.sequence >= sequence
                {
                    return true
                }
            } catch let failure as Failure where failure.code == .httpRedirected {
                // Waiting does not remove a redirect; the verification reports it.
                return true
            }
            let left = Double(request.patience) - waited
            guard left > 0 else { return false }
            try await store.client.wait(seconds: min(pause, left))
            waited += pause
            pause = min(pause * 2, Self.pauses.longest)
        }
    }

    // MARK: Files

    /// Releases are read one at a time, but the files of a release concurrently.

    func manifest(of offer: OriginReader.Published) async throws -> CheckedFile {
        let info = offer.pointer.info
        guard info.size <= UInt64(Manifest.sizeLimit) else {
            return CheckedFile(failure: "is longer than a manifest may be")
        }
        var check = FileCheck(
            probe, ExpectedFile(path: offer.manifestPath, content: info.content))
        check.keepsBytes = true
        return try await check.run()
    }

    /// Downloads a file, and checks that the server supports Range requests.
    func check(
        _ file: ExpectedFile, _ body: @Sendable (Directory, String) async throws -> Void
    ) async throws -> CheckedFile {
        var check = FileCheck(probe, file)
        guard file.isRead else { return try await check.run() }
        let name = uniqueName()
        let copy = try SinkFile(name, in: request.scratch)
        defer { try? request.scratch.removeFile(name) }
        check.copy = copy
        var checked = try await check.run()
        guard checked.isWhole else { return checked }
        try await checkRange(file, copy, &checked.findings)
        do {
            try await body(request.scratch, name)
        } catch {
            if error.isLocalOrTransient { throw error }
            checked.isWhole = false
            let wanted =
                file.path.hasSuffix("/package.zip") ? "the package of its release" : "a delta"
            checked.failure =
                error is DeltaProblem ? "\(error)" : "is not \(wanted): \(error)"
        }
        return checked
    }

    /// The maximum size of a Range request, in bytes.
    private static let partSize: UInt64 = 64 << 10

    /// Requests the end of a file, like a client that resumes a download.
    private func checkRange(
        _ file: ExpectedFile, _ copy: SinkFile, _ findings: inout AuditFindings
    ) async throws {
        let size = file.content.size
        guard size > 1 else { return }
        let first = max(1, size - min(size, Self.partSize))
        // A server without Range support sends the whole file; stop after the size of the range.
        var question = HTTPProbe.Question(limit: size - first)
        question.range = first...(size - 1)
        question.keepsBytes = true
        guard let answer = try await ask(file.path, question, &findings) else { return }
        let head = answer.head
        guard head.status == 206 else {
            return findings.add(
                .noRange, .warning, file.path,
                "is answered with \(head.status) to a Range: interrupted downloads start over", head
            )
        }
        let part = try copy.bytes(at: first, count: Int(clamping: size - first))
        guard head["content-range"] == "bytes \(first)-\(size - 1)/\(size)", answer.bytes == part
        else {
            return findings.add(
                .noRange, .error, file.path,
                "is answered with another part than a Range asks for", head)
        }
    }

    func check(_ files: [ExpectedFile]) async throws -> [CheckedFile] {
        try await check(files.map { FileCheck(probe, $0) })
    }

    func check(_ checks: [FileCheck]) async throws -> [CheckedFile] {
        let counter = ProgressCounter(
            phase: .verifying, total: checks.clampedSum { $0.file.content.size },
            sink: request.progress)
        return try await mapConcurrently(count: checks.count, jobs: HTTPStore.connections) {
            index -> Result<CheckedFile, any Error> in
            defer { counter.add(checks[index].file.content.size) }
            do {
                return .success(try await checks[index].run())
            } catch {
                return .failure(error)
            }
        }.map { try $0.get() }
    }

    /// Requests a file and adds a finding if the request fails.
    ///
    /// - Parameter shown: The name to use in findings, if it differs from `path`.
    /// - Throws: Errors unrelated to the file, such as no connection or out of memory.
    func ask(
        _ path: String, _ question: HTTPProbe.Question, as shown: String? = nil,
        _ findings: inout AuditFindings
    ) async throws -> ProbeAnswer? {
        do {
            return try await probe.ask(path, question)
        } catch let error as Failure where error.code.isOf("http") {
            if error.isLocalOrTransient { throw error }
            findings.addFailure(shown ?? path, error, at: probe.address)
            return nil
        }
    }

    // MARK: Releases

    func deltas(_ run: AuditRun) -> [(path: String, listed: Reachability.ListedDelta)] {
        var seen: Set<String> = []
        return run.releases.filter(\.isWhole).flatMap(\.offers)
            .filter { run.newest[OriginLayout.package($0.pointer.version)] != nil }
            .flatMap { offer in
                offer.pointer.deltas.map { delta in
                    (
                        OriginLayout.delta(offer.pointer.version, from: delta.from),
                        Reachability.ListedDelta(
                            delta: delta, toHash: offer.pointer.packageHash)
                    )
                }
            }.filter { seen.insert($0.0).inserted }
    }

    func addObjects(_ manifest: Manifest, of release: AuditedRelease, _ run: inout AuditRun) {
        let pointer = release.offers[0].pointer
        let version = pointer.version
        let paths =
            manifest.release.assets.map(OriginLayout.objectPath) + [OriginLayout.package(version)]
            + release.offers.flatMap(\.pointer.deltas)
            .map { OriginLayout.delta(version, from: $0.from) }
        for path in paths where run.newest[path] == nil { run.newest[path] = pointer }
        var seen = run.checked
        var entries = manifest.entries.filter {
            seen.insert(OriginLayout.objectPath($0.asset)).inserted
        }
        if !release.isWhole || request.isSample { entries = sample(entries, &run) }
        let files = entries.map {
            ExpectedFile(
                path: OriginLayout.objectPath($0.asset), content: $0.asset.content, type: $0.type)
        }
        run.objects += files
        run.checked.formUnion(files.map(\.path))
    }

    func objects(_ run: AuditRun) -> [ExpectedFile] { run.objects }

    /// The number of files in a sample.
    private static let sampleSize = 16

    /// Selects evenly spaced entries.
    func sample(_ entries: [ManifestEntry], _ run: inout AuditRun) -> [ManifestEntry] {
        guard entries.count > Self.sampleSize else { return entries }
        run.result.skipped += entries.count - Self.sampleSize
        let step = entries.count / Self.sampleSize
        let first = min(step - 1, Int(random() * Double(step)))
        return (0..<Self.sampleSize).map { entries[first + $0 * step] }
    }
}
