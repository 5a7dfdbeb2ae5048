package import PackGround
package import PackOrigin
package import PackRelease
package import PackTrust

/// Verifies an origin as clients get it from a web server or CDN.
///
/// It asks only for names in pointers, with three exceptions: one random name, at a signed origin the next root, and
/// where a file of an earlier release is missing the channel's mark of a prune. An answer that a cache keeps for a name
/// without a file would hide that file later.
package struct HTTPVerifier: AuditSource {
    /// What to verify, and how much of it.
    package struct Request: Sendable {
        package var channel: Channel
        package var now: Timestamp
        package var jobs: Int
        package var trust: TrustPin?
        /// How many earlier pointers are read.
        package var depth = 4
        /// Whether every file of earlier releases is read, or a sample.
        package var readsAll = false
        /// Whether a sample is also enough of the current release's objects and of `site/`.
        package var isSample = false
        /// How long caches may show an earlier file, in seconds.
        package var patience = HTTPVerifier.patience
        /// The same origin without caches: its directory, or the address of the server itself.
        package var source: (any OriginStore)?
        /// The web origins of pages that load files from this origin.
        package var webOrigins: [String] = []
        /// A directory of this machine for packages and deltas.
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
    /// From 0 to 1: which files of a sample are read.
    let random: @Sendable () -> Double

    /// How long a cache may show an earlier file, in seconds: the lifetime of a pointer, and as much to spare.
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

    /// Verifies the origin.
    ///
    /// Problems are collected, not thrown.
    ///
    /// - Throws: ``OriginError/nothingPublished(channel:origin:answer:)``, ``HTTPError`` where the server is not reached,
    ///   ``FileSystemError`` of the scratch directory.
    package func verify() async throws -> Verification {
        let run = try await audit()
        var findings = run.findings
        let address = store.display("") + "/"
        for failure in run.failures {
            let place = failure.place
            findings.add(
                .origin, .error,
                place.hasPrefix(address) ? String(place.dropFirst(address.count)) : place,
                failure.problem)
        }
        var result = run.result
        result.isSample = request.isSample
        result.notes += run.entryNotes.sentences
        result.findings = findings.sorted
        return result
    }

    /// Verifies the origin right after a publish: waits until clients get the new pointer, for as long as caches may
    /// show the one before it.
    ///
    /// - Throws: as ``verify()``.
    package func verify(after sequence: Int) async throws -> Verification {
        var verifier = self
        if try await !isShown(sequence) {
            // Later than the time of the publish by at least the patience: what is still shown is stale.
            verifier.request.now = Timestamp(seconds: request.now.seconds + request.patience + 1)
        }
        return try await verifier.verify()
    }

    /// The first and the longest pause between two looks at the pointer, in seconds.
    private static let pauses = (first: 0.5, longest: 5.0)

    /// Asks for the pointer as clients do, until it has a sequence or caches have had their time.
    private func isShown(_ sequence: Int) async throws -> Bool {
        var waited = 0.0
        var pause = Self.pauses.first
        while true {
            do {
                let place = OriginLayout.pointer(request.channel)
                let answer = try await probe.ask(place, .pointer())
                if answer.head.status == 200, !answer.isTooLong,
                    let shown = try? published(answer, at: place),
                    shown.pointer.sequence >= sequence
                {
                    return true
                }
            } catch HTTPError.redirected {
                // Waiting changes no redirect; the verification reports it.
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

    /// One release after the other: the files of each are read at once.
    var readAtOnce: Int { 1 }

    func manifest(of offer: OriginReader.Published) async throws -> CheckedFile {
        let info = offer.pointer.info
        guard info.size <= UInt64(Manifest.sizeLimit) else {
            return CheckedFile(failure: "is longer than a manifest may be")
        }
        var check = FileCheck(
            probe, ExpectedFile(place: offer.manifestPlace, content: info.content))
        check.keepsBytes = true
        return try await check.run()
    }

    /// Downloads a file, and checks that a part of it can be had.
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
                file.place.hasSuffix("/package.zip") ? "the package of its release" : "a delta"
            checked.failure =
                error is DeltaProblem ? "\(error)" : "is not \(wanted): \(error)"
        }
        return checked
    }

    /// The most bytes that a request for a part asks for.
    private static let partSize: UInt64 = 64 << 10

    /// Asks for the end of a file, as a client does that continues a download.
    private func checkRange(
        _ file: ExpectedFile, _ copy: SinkFile, _ findings: inout AuditFindings
    ) async throws {
        let size = file.content.size
        guard size > 1 else { return }
        let first = max(1, size - min(size, Self.partSize))
        // One that ignores the range sends all: no more of it is kept.
        var question = HTTPProbe.Question(limit: size - first)
        question.range = first...(size - 1)
        question.keepsBytes = true
        guard let answer = try await ask(file.place, question, &findings) else { return }
        let head = answer.head
        guard head.status == 206 else {
            return findings.add(
                .noRange, .warning, file.place,
                "is answered with \(head.status) to a Range: interrupted downloads start over", head
            )
        }
        let part = try copy.bytes(at: first, count: Int(clamping: size - first))
        guard head["content-range"] == "bytes \(first)-\(size - 1)/\(size)", answer.bytes == part
        else {
            return findings.add(
                .noRange, .error, file.place,
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

    /// Asks for a place; what keeps it from being answered is a finding.
    ///
    /// - Parameter shown: the place as findings name it, if that is another text.
    /// - Throws: errors that are not about the place: no connection, no memory.
    func ask(
        _ place: String, _ question: HTTPProbe.Question, as shown: String? = nil,
        _ findings: inout AuditFindings
    ) async throws -> ProbeAnswer? {
        do {
            return try await probe.ask(place, question)
        } catch let error as HTTPError {
            if error.isLocalOrTransient { throw error }
            findings.addFailure(shown ?? place, error, at: probe.address)
            return nil
        }
    }

    // MARK: Releases

    func deltas(_ run: AuditRun) -> [(place: String, listed: Reachability.ListedDelta)] {
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
        let places =
            manifest.release.assets.map(OriginLayout.objectPlace) + [OriginLayout.package(version)]
            + release.offers.flatMap(\.pointer.deltas)
            .map { OriginLayout.delta(version, from: $0.from) }
        for place in places where run.newest[place] == nil { run.newest[place] = pointer }
        var seen = run.checked
        var entries = manifest.entries.filter {
            seen.insert(OriginLayout.objectPlace($0.asset)).inserted
        }
        if !release.isWhole || request.isSample { entries = sample(entries, &run) }
        let files = entries.map {
            ExpectedFile(
                place: OriginLayout.objectPlace($0.asset), content: $0.asset.content, type: $0.type)
        }
        run.objects += files
        run.checked.formUnion(files.map(\.place))
    }

    func objects(_ run: AuditRun) -> [ExpectedFile] { run.objects }

    /// How many files are read where not all are.
    private static let sampleSize = 16

    /// Some of the files, as far from each other as possible.
    func sample(_ entries: [ManifestEntry], _ run: inout AuditRun) -> [ManifestEntry] {
        guard entries.count > Self.sampleSize else { return entries }
        run.result.skipped += entries.count - Self.sampleSize
        let step = entries.count / Self.sampleSize
        let first = min(step - 1, Int(random() * Double(step)))
        return (0..<Self.sampleSize).map { entries[first + $0 * step] }
    }
}
