package import PackGround
package import PackOrigin
package import PackRelease
package import PackTrust

/// Verifies an origin as clients get it from a web server or CDN.
///
/// It asks for nothing that no pointer names, except one random name, at a signed origin the next root, and where a
/// file of an earlier release is missing the channel's mark of a prune: an answer that a cache keeps for a name without
/// a file would hide that file later.
package struct HTTPVerifier: Sendable {
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
        /// Whether a sample is enough of the current release's objects and of `site/`, too.
        package var isSample = false
        /// How long caches may show what was before, in seconds.
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

    /// How long a cache may show what was before, in seconds: the lifetime of a pointer, and as much to spare.
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

    /// What one verification has learned so far.
    struct Run {
        var result = HTTPVerification()
        var findings = HTTPFindings()
        /// Pointers, roots and who signed them, by the checks of a directory.
        var origin = OriginVerifier.Run()
        /// The current pointer, then those before it.
        var published: [OriginReader.Published] = []
        /// The current pointer is so new that caches may have the one before it.
        var isRecent = false
        /// What each path of `site/` was in releases that were read.
        var known: [String: [FileDigest]] = [:]
        /// Places that were checked.
        var checked: Set<String> = []
        /// The highest sequence that needs a place, of the pointers that were read.
        var newest: [String: Int] = [:]
        /// Earlier releases of which a prune deleted something.
        var pruned: Set<Version> = []
        /// The lowest sequence whose releases are whole; `nil` until that was asked, 1 where nothing was pruned.
        var lowestWhole: Int?
        /// The same origin without caches, unless it has another history.
        var source: (any OriginStore)?
    }

    /// Verifies the origin.
    ///
    /// What is wrong is collected, not thrown.
    ///
    /// - Throws: ``OriginError/nothingPublished(channel:origin:answer:)``, ``HTTPError`` where the server is not reached,
    ///   ``FileSystemError`` of the scratch directory.
    package func verify() async throws -> HTTPVerification {
        var run = Run()
        if let current = try await checkPointer(&run) {
            try await checkRoots(current, &run)
            try await checkHistory(current, &run)
            try await checkReleases(&run)
            try await checkFollowers(current, &run)
            try await checkWebOrigins(&run)
        }
        try await checkUnknownName(&run)
        return finish(run)
    }

    /// Verifies the origin right after a publish: waits until clients get the new pointer, for as long as caches may
    /// show the one before it.
    ///
    /// - Throws: as ``verify()``.
    package func verify(after sequence: Int) async throws -> HTTPVerification {
        var verifier = self
        if try await !isShown(sequence) {
            // Later than the time of the publish by at least the patience: what is still shown is stale.
            verifier.request.now = Timestamp(seconds: request.now.seconds + request.patience + 1)
        }
        return try await verifier.verify()
    }

    private func finish(_ run: Run) -> HTTPVerification {
        var findings = run.findings
        for failure in run.origin.result.failures {
            findings.add(.origin, .error, relative(failure.place), failure.problem)
        }
        var result = run.result
        result.isSample = request.isSample
        result.notes += run.origin.result.notes + run.origin.entryNotes.sentences
        for severity in HTTPFinding.Severity.allCases {
            result.findings += findings.all.filter { $0.severity == severity }
        }
        return result
    }

    /// A place without the origin's address.
    func relative(_ shown: String) -> String {
        let address = store.display("") + "/"
        return shown.hasPrefix(address) ? String(shown.dropFirst(address.count)) : shown
    }

    /// Checks some files at once and adds what is found.
    ///
    /// - Returns: Which of them are right, in order.
    func check(_ checks: [FileCheck], _ run: inout Run) async throws -> [Bool] {
        let counter = ProgressCounter(
            phase: .verifying, total: checks.clampedSum { $0.file.content.size },
            sink: request.progress)
        let results = await mapConcurrently(count: checks.count, jobs: HTTPStore.connections) {
            index -> Result<CheckedFile, any Error> in
            defer { counter.add(checks[index].file.content.size) }
            do {
                return .success(try await checks[index].run())
            } catch {
                return .failure(error)
            }
        }
        var isWhole: [Bool] = []
        for (check, result) in zip(checks, results) {
            let checked = try result.get()
            run.findings.add(checked.findings)
            run.checked.insert(check.file.place)
            isWhole.append(checked.isWhole)
        }
        return isWhole
    }

    /// Checks one file, whose content is needed afterwards.
    func check(
        _ file: ExpectedFile, keepsBytes: Bool = false, copy: SinkFile? = nil, _ run: inout Run
    ) async throws -> CheckedFile {
        var check = FileCheck(probe: probe, file: file)
        check.keepsBytes = keepsBytes
        check.copy = copy
        let result = try await check.run()
        run.findings.add(result.findings)
        run.checked.insert(file.place)
        return result
    }

    /// Asks for a place; what keeps it from being answered is a finding.
    ///
    /// - Parameter shown: the place as findings name it, if that is another text.
    /// - Throws: what says nothing about the place: no connection, no memory.
    func ask(
        _ place: String, _ question: HTTPProbe.Question, as shown: String? = nil, _ run: inout Run
    ) async throws -> ProbeAnswer? {
        do {
            return try await probe.ask(place, question)
        } catch let error as HTTPError {
            if error.isLocalOrTransient { throw error }
            run.findings.addFailure(shown ?? place, error, at: probe.address)
            return nil
        }
    }
}
