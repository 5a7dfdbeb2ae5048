import PackArchive
import PackDeltaFile
import PackGround
import PackOrigin
import PackRelease

extension HTTPVerifier {
    /// How many files are read where not all are.
    private static let sampleSize = 16
    /// The most bytes that a request for a part asks for.
    private static let partSize: UInt64 = 64 << 10

    /// Reads the manifests, packages, deltas and objects of what the pointers offer.
    func checkReleases(_ run: inout Run) async throws {
        var seen: Set<String> = []
        for (index, published) in run.published.enumerated() {
            for offer in published.offers where seen.insert(offer.manifestPlace).inserted {
                var findings = run.findings
                run.findings = HTTPFindings()
                try await checkRelease(offer, isCurrent: index == 0, &run)
                // What the current pointer offers has to be there, unless it offers it to nobody.
                if index > 0 || published.pointer.isClosed {
                    try await excusePruned(offer.pointer, &run)
                }
                findings.add(run.findings)
                run.findings = findings
            }
        }
        notePruned(&run)
    }

    private func checkRelease(
        _ published: OriginReader.Published, isCurrent: Bool, _ run: inout Run
    ) async throws {
        let pointer = published.pointer
        guard pointer.info.size <= UInt64(Manifest.sizeLimit) else {
            run.findings.add(
                .origin, .error, published.manifestPlace, "is longer than a manifest may be")
            return
        }
        let file = ExpectedFile(
            published.manifestPlace, pointer.info.content, .long, type: "application/json")
        guard let bytes = try await check(file, keepsBytes: true, &run).bytes else { return }
        let manifest: Manifest
        do {
            manifest = try reader.manifest(bytes, of: published)
        } catch {
            run.findings.add(.origin, .error, file.place, "\(error)")
            return
        }
        run.result.releases += 1
        for asset in manifest.release.assets {
            run.known[OriginLayout.site(asset.path), default: []].append(asset.content)
            note(OriginLayout.objectPlace(asset), pointer, &run)
        }
        note(OriginLayout.package(pointer.version), pointer, &run)
        for delta in pointer.deltas {
            note(OriginLayout.delta(pointer.version, from: delta.from), pointer, &run)
        }
        let isWhole = isCurrent || request.readsAll
        try await checkPackage(manifest, pointer.version, isWhole: isWhole, &run)
        if isWhole {
            for delta in pointer.deltas { try await checkDelta(delta, pointer, &run) }
        }
        try await checkObjects(manifest, isWhole: isWhole && !request.isSample, &run)
    }

    // MARK: Packages and deltas

    private func checkPackage(
        _ manifest: Manifest, _ version: Version, isWhole: Bool, _ run: inout Run
    ) async throws {
        let place = OriginLayout.package(version)
        guard let package = manifest.package, !run.checked.contains(place) else { return }
        let file = ExpectedFile(place, package.content, .long, type: "application/zip")
        guard isWhole else { return try await checkPresence(file, &run) }
        try await withCopy(of: file, &run) { directory, name, run in
            do {
                try await PackageReader(name, in: directory, expecting: manifest.release)
                    .prove(jobs: request.jobs, progress: request.progress)
                run.result.packages.add(package.size)
            } catch {
                if error.isLocalOrTransient { throw error }
                run.findings.add(
                    .origin, .error, place, "is not the package of its release: \(error)")
            }
        }
    }

    private func checkDelta(
        _ delta: Pointer.Delta, _ pointer: Pointer, _ run: inout Run
    ) async throws {
        let place = OriginLayout.delta(pointer.version, from: delta.from)
        guard !run.checked.contains(place) else { return }
        let listed = Reachability.ListedDelta(delta: delta, toHash: pointer.packageHash)
        let file = ExpectedFile(place, delta.content.content, .long, type: "application/zip")
        try await withCopy(of: file, &run) { directory, name, run in
            do {
                let manifest = try DeltaManifest.read(name, in: directory)
                if let problem = listed.problem(with: manifest) {
                    run.findings.add(.origin, .error, place, problem)
                } else {
                    run.result.deltas.add(delta.content.size)
                    if let note = listed.note(at: place) { run.result.notes.append(note) }
                }
            } catch {
                if error.isLocalOrTransient { throw error }
                run.findings.add(.origin, .error, place, "is not a delta: \(error)")
            }
        }
    }

    /// Downloads a file, checks that a part of it can be had as well, and passes the copy to `body`.
    private func withCopy(
        of file: ExpectedFile, _ run: inout Run,
        _ body: (Directory, String, inout Run) async throws -> Void
    ) async throws {
        let name = uniqueName()
        let copy = try SinkFile(name, in: request.scratch)
        defer { try? request.scratch.removeFile(name) }
        guard try await check(file, copy: copy, &run).isWhole else { return }
        try await checkRange(file, copy, &run)
        try await body(request.scratch, name, &run)
    }

    /// Asks for the end of a file, as a client does that continues a download.
    private func checkRange(
        _ file: ExpectedFile, _ copy: SinkFile, _ run: inout Run
    ) async throws {
        let size = file.content.size
        guard size > 1 else { return }
        let first = max(1, size - min(size, Self.partSize))
        // One that ignores the range sends all: no more of it is kept.
        var question = HTTPProbe.Question(limit: size - first)
        question.range = first...(size - 1)
        question.keepsBytes = true
        guard let answer = try await ask(file.place, question, &run) else { return }
        let head = answer.head
        guard head.status == 206 else {
            run.findings.add(
                .noRange, .warning, file.place,
                "is answered with \(head.status) to a Range: interrupted downloads start over",
                answer)
            return
        }
        let range = "bytes \(first)-\(size - 1)/\(size)"
        let part = try copy.bytes(at: first, count: Int(clamping: size - first))
        guard head["content-range"] == range, answer.bytes == part else {
            run.findings.add(
                .noRange, .error, file.place,
                "is answered with another part than a Range asks for", answer)
            return
        }
    }

    /// Asks for a file of an earlier release without its content.
    private func checkPresence(_ file: ExpectedFile, _ run: inout Run) async throws {
        var question = HTTPProbe.Question(limit: 0)
        question.method = .head
        run.checked.insert(file.place)
        guard let answer = try await ask(file.place, question, &run) else { return }
        run.findings.checkRedirects(file.place, answer, probe.address)
        let head = answer.head
        if head.meansMissing {
            question.isPastCaches = true
            let fresh = try await ask(file.place, question, &run)
            run.findings.addRefusal(
                file.place, answer, isThereBehind: fresh?.head.status == 200)
            return
        }
        guard head.status == 200, !head.isPage else {
            run.findings.add(
                head.isPage ? .pageForFile : .status, .error, file.place,
                head.isPage
                    ? "is answered with a web page" : "is answered with status \(head.status)",
                answer)
            return
        }
        if let length = answer.head.length, length != file.content.size {
            run.findings.add(
                .differs, .error, file.place, "has another length than was published", answer)
        }
        run.findings.checkLifetime(file, answer)
    }

    // MARK: Objects

    private func checkObjects(
        _ manifest: Manifest, isWhole: Bool, _ run: inout Run
    ) async throws {
        var entries: [ManifestEntry] = []
        var places = run.checked
        for entry in manifest.entries
        where places.insert(OriginLayout.objectPlace(entry.asset)).inserted {
            entries.append(entry)
        }
        if !isWhole { entries = sample(entries, &run) }
        let checks = entries.map { entry in
            FileCheck(
                probe: probe,
                file: ExpectedFile(
                    OriginLayout.objectPlace(entry.asset), entry.asset.content, .long,
                    type: entry.type))
        }
        for (entry, isWhole) in zip(entries, try await check(checks, &run)) where isWhole {
            run.result.objects.add(entry.asset.size)
        }
    }

    /// Some of the files, as far from each other as possible.
    func sample(_ entries: [ManifestEntry], _ run: inout Run) -> [ManifestEntry] {
        guard entries.count > Self.sampleSize else { return entries }
        run.result.skipped += entries.count - Self.sampleSize
        let step = entries.count / Self.sampleSize
        let first = min(step - 1, Int(random() * Double(step)))
        return (0..<Self.sampleSize).map { entries[first + $0 * step] }
    }
}
