import PackFeeds
import PackGround
import PackOrigin
import PackRelease

extension OriginVerifier {
    var reader: OriginReader { history.reader }

    /// Turns an error about the file into its `failure`; rethrows all others.
    private func checked(
        _ body: () async throws -> [UInt8]?
    ) async throws -> CheckedFile {
        do {
            return CheckedFile(isWhole: true, bytes: try await body())
        } catch {
            if error.isLocalOrTransient { throw error }
            return CheckedFile(failure: "\(error)")
        }
    }

    func manifest(of offer: OriginReader.Published) async throws -> CheckedFile {
        try await checked { try await reader.bytes(of: offer) }
    }

    func check(
        _ file: ExpectedFile, _ body: @Sendable (Directory, String) async throws -> Void
    ) async throws -> CheckedFile {
        let names = file.path.hasSuffix("/package.zip") ? "manifest" : "pointer"
        switch try await store.check(file.path, file.content) {
        case .whole: break
        case .unreadable(let error): return CheckedFile(failure: "\(error)")
        case .missing, .notAFile: return CheckedFile(failure: "is missing")
        case .otherSize, .otherContent:
            return CheckedFile(failure: "does not match its \(names) (size or SHA-256 differs)")
        }
        return try await checked {
            try await store.withFiles([ObjectReference(file.path, file.content)]) {
                try await body($0, file.path)
            }
            return nil
        }
    }

    func deltas(_ run: AuditRun) -> [(path: String, listed: Reachability.ListedDelta)] {
        run.needs.deltas.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func addObjects(_ manifest: Manifest, of release: AuditedRelease, _ run: inout AuditRun) {}

    func objects(_ run: AuditRun) -> [ExpectedFile] {
        run.needs.objectContents.map { ExpectedFile(path: $0.path, content: $0.content) }
    }

    func check(_ files: [ExpectedFile]) async throws -> [CheckedFile] {
        let counter = ProgressCounter(
            phase: .verifying, total: files.clampedSum { $0.content.size }, sink: progress)
        return try await store.check(
            files.map { ObjectReference($0.path, $0.content) }, jobs: jobs, counter: counter
        ).map { CheckedFile(failure: $0.problem, isWhole: $0.problem == nil) }
    }

    func checkMissing(_ run: inout AuditRun) async throws {}

    // MARK: info.json and site/

    func checkFollowers(_ run: inout AuditRun) async throws {
        guard let followed = run.followed, let manifest = run.current else { return }
        // Until a publish has finished, these files may still belong to the previous release.
        let isUnderWay = run.underWay.contains(Channel.production.description)
        var late = 0
        run.needs.addFollowers()
        if let problem = await infoProblem(followed.pointer.entry, run) {
            if isUnderWay, problem.isOlder {
                late += 1
            } else {
                run.fail(OriginLayout.info, problem.text)
            }
        }
        let copies = manifest.release.assets.map(SiteCopy.init)
        for (copy, problem) in zip(copies, try await problems(of: copies)) {
            guard let problem else {
                run.result.siteFiles.add(copy.asset.size)
                continue
            }
            if isUnderWay, try await isOlder(copy.path, run.needs.site[copy.asset.path] ?? []) {
                late += 1
            } else {
                run.fail(copy.path, problem)
            }
        }
        try await checkOlderSiteFiles(except: Set(copies.map(\.asset.path)), &run)
        if isUnderWay {
            run.note(
                "a publish is in progress or was interrupted"
                    + (late == 0
                        ? "" : ": \(counted(late, "file")) of info.json and site/ not yet updated")
                    + "; publish again to finish it")
        }
    }

    private func infoProblem(
        _ followed: Pointer.Entry, _ run: AuditRun
    ) async -> (text: String, isOlder: Bool)? {
        guard
            let info = try? await store.read(OriginLayout.info, limit: Manifest.sizeLimit)
        else { return ("is missing or cannot be read", true) }
        let digest = StreamHasher.digest(of: info.bytes)
        if digest == followed.info.sha256 { return nil }
        let isOlder = run.needs.manifests.values.contains { $0.pointer.info.sha256 == digest }
        return ("is not the manifest of the current release", isOlder)
    }

    /// The problem of each file in `site/`, or `nil` if the copy is current.
    private func problems(of copies: [SiteCopy]) async throws -> [String?] {
        let states = try await store.compare(copies, jobs: jobs)
        let suspects = copies.indices.filter { !states[$0].isCurrent }
        let contents = suspects.map { ObjectReference(copies[$0].path, copies[$0].asset.content) }
        var problems = [String?](repeating: nil, count: copies.count)
        for (index, state) in zip(
            suspects, try await store.check(contents, jobs: jobs, counter: nil))
        {
            // The content check follows links, but a file behind a link is not part of `site/`.
            problems[index] = state.problem ?? "is missing"
        }
        return problems
    }

    private func isOlder(_ path: String, _ known: [Asset]) async throws -> Bool {
        guard let status = try await store.status(of: path), status.kind == .file else {
            return true
        }
        let sized = known.filter { $0.size == status.size }
        guard !sized.isEmpty else { return false }
        let digest = try await store.digest(path, limit: status.size)
        return sized.contains { $0.sha256 == digest?.sha256 }
    }

    /// Checks files of earlier releases that `site/` still serves.
    ///
    /// They may be missing, but existing files must match one of those releases.
    private func checkOlderSiteFiles(
        except current: Set<AssetPath>, _ run: inout AuditRun
    ) async throws {
        // A feed may have the place of a file of an earlier release.
        let feeds = try await Feed.present(on: .production, in: store)
            .flatMap { $0.paths(on: .production) }
        let older = run.needs.site.filter {
            !current.contains($0.key) && !feeds.contains(OriginLayout.site($0.key))
        }.sorted { $0.key < $1.key }
        let known = try await matching(older.flatMap { $0.value.map(SiteCopy.init) })
        var suspects: Set<AssetPath> = []
        for (path, _) in older where !known.contains(path) {
            let status = try? await store.status(of: OriginLayout.site(path))
            if let status, status.kind != .directory { suspects.insert(path) }
        }
        if suspects.isEmpty { return }
        // A prune deletes files of `site/` before their manifest, so files of a pruned release may
        // still exist.
        var waiting: [SiteCopy] = []
        for (path, published) in run.pruned where run.needs.manifests[path] == nil {
            do {
                let release = try await reader.manifest(of: published).release
                waiting += release.assets.filter { suspects.contains($0.path) }.map(SiteCopy.init)
            } catch {
                if error.isLocalOrTransient { throw error }
            }
        }
        for path in suspects.subtracting(try await matching(waiting)).sorted() {
            run.fail(OriginLayout.site(path), "matches no recorded release")
        }
    }

    /// The paths of the copies present in `site/`.
    private func matching(_ copies: [SiteCopy]) async throws -> Set<AssetPath> {
        Set(
            zip(copies, try await store.compare(copies, jobs: jobs)).filter { $1.isCurrent }
                .map(\.0.asset.path))
    }

    // MARK: Headers and orphans

    func checkRest(_ run: inout AuditRun) async throws {
        try await checkFeeds(&run)
        checkHeaders(&run)
        guard !run.isIncomplete else {
            return run.note(
                "no orphans are listed: not everything that refers to files can be read")
        }
        let needs = run.needs
        var orphans: [ListedObject] = []
        try await store.visitPublic { if !needs.contains($0.path) { orphans.append($0) } }
        run.result.orphans = orphans.map(\.path)
        run.result.orphanBytes = orphans.clampedSum(of: \.size)
    }

    /// Compares a bucket's file headers with those a publish sets.
    ///
    /// They control caching and the media type.
    private func checkHeaders(_ run: inout AuditRun) {
        guard let store = store.headers else { return }
        let needs = run.needs
        let files = store.headersRead().filter { needs.contains($0.path) }
        guard !files.isEmpty else { return }
        var isGiven: Set<String> = []
        for (name, key) in [("Cache-Control", "cache-control"), ("Content-Type", "content-type")] {
            if files.contains(where: { $0.found[key] != nil }) {
                isGiven.insert(key)
                continue
            }
            // Report one note for all files.
            run.note(
                """
                the store returns no \(name) for any of \(counted(files.count, "file")): 'packtool \
                verify https://…' shows what clients get
                """)
        }
        for file in files {
            let head = HTTPHead(
                status: 200, headers: file.found.map { HTTPHeader($0.key, $0.value) })
            if isGiven.contains("cache-control") {
                run.findings.checkLifetime(file.path, file.isLasting ? .long : .short, head)
            }
            if isGiven.contains("content-type") {
                run.findings.checkType(file.path, file.mediaType, head)
            }
            if let encoding = head.encoding {
                run.findings.add(
                    .transformed, .error, file.path,
                    "has Content-Encoding '\(shownEncoding(encoding))': clients refuse it", head)
            }
        }
        run.findings.advise(
            "run 'packtool publish' with the build of a published release and --repair, which restores the headers of all "
                + "files")
    }
}
