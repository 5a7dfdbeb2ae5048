import PackGround
import PackOrigin
import PackRelease

extension OriginVerifier {
    // MARK: info.json and site/

    func checkFollowers(_ run: inout Run) async throws {
        guard let production = run.production, let manifest = run.current else { return }
        // Between the commit point and the end of a publish these still show the release before.
        let isUnderWay = run.underWay.contains(Channel.production.description)
        var late = 0
        run.needs.addFollowers()
        if let problem = await infoProblem(production, run) {
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
            if isUnderWay, try await isOlder(copy.place, run.needs.site[copy.asset.path] ?? []) {
                late += 1
            } else {
                run.fail(copy.place, problem)
            }
        }
        try await checkOlderSiteFiles(except: Set(copies.map(\.asset.path)), &run)
        if isUnderWay {
            run.result.notes.append(
                "a publish is in progress or was interrupted"
                    + (late == 0
                        ? "" : ": \(counted(late, "file")) of info.json and site/ not yet updated")
                    + "; publish again to finish it")
        }
    }

    /// What is wrong with files of `site/`; `nil` for a copy that is current.
    private func problems(of copies: [SiteCopy]) async throws -> [String?] {
        let states = try await store.compare(copies, jobs: jobs)
        let suspects = copies.indices.filter { !states[$0].isCurrent }
        let contents = suspects.map { ObjectReference(copies[$0].place, copies[$0].asset.content) }
        var problems = [String?](repeating: nil, count: copies.count)
        for (index, state) in zip(
            suspects, try await store.check(contents, jobs: jobs, counter: nil))
        {
            // A file seen through a link is not in `site/`.
            problems[index] = state.problem ?? "is missing"
        }
        return problems
    }

    /// Checks files of earlier releases, which are kept in `site/` and served.
    ///
    /// They may be missing; existing ones must match one of those releases.
    private func checkOlderSiteFiles(
        except current: Set<AssetPath>, _ run: inout Run
    ) async throws {
        let older = run.needs.site.filter { !current.contains($0.key) }.sorted { $0.key < $1.key }
        let known = try await matching(older.flatMap { $0.value.map(SiteCopy.init) })
        var suspects: Set<AssetPath> = []
        for (path, _) in older where !known.contains(path) {
            let status = try? await store.status(of: OriginLayout.site(path))
            if let status, status.kind != .directory { suspects.insert(path) }
        }
        if suspects.isEmpty { return }
        let waiting = try await matching(waitingCopies(of: suspects, run))
        for path in suspects.subtracting(waiting).sorted() {
            run.fail(OriginLayout.site(path), "matches no recorded release")
        }
    }

    /// The paths of the copies that `site/` has.
    private func matching(_ copies: [SiteCopy]) async throws -> Set<AssetPath> {
        Set(
            zip(copies, try await store.compare(copies, jobs: jobs)).filter { $1.isCurrent }
                .map(\.0.asset.path))
    }

    /// What releases from before a prune gave those paths, as far as their manifests are still there: a file of
    /// `site/` goes before them.
    private func waitingCopies(
        of paths: Set<AssetPath>, _ run: Run
    ) async throws -> [SiteCopy] {
        var copies: [SiteCopy] = []
        for (place, published) in run.pruned where run.needs.manifests[place] == nil {
            do {
                let release = try await history.reader.manifest(of: published).release
                copies += release.assets.filter { paths.contains($0.path) }.map(SiteCopy.init)
            } catch {
                if error.isLocalOrTransient { throw error }
            }
        }
        return copies
    }

    private func infoProblem(
        _ production: Pointer.Entry, _ run: Run
    ) async -> (text: String, isOlder: Bool)? {
        guard
            let info = try? await store.read(OriginLayout.info, limit: Manifest.sizeLimit)
        else { return ("is missing or cannot be read", true) }
        let digest = StreamHasher.digest(of: info.bytes)
        if digest == production.info.sha256 { return nil }
        let isOlder = run.needs.manifests.values.contains { $0.pointer.info.sha256 == digest }
        return ("is not the manifest of the current release", isOlder)
    }

    private func isOlder(_ place: String, _ known: [Asset]) async throws -> Bool {
        guard let status = try await store.status(of: place), status.kind == .file else {
            return true
        }
        let sized = known.filter { $0.size == status.size }
        guard !sized.isEmpty else { return false }
        let digest = try await store.digest(place, limit: status.size)
        return sized.contains { $0.sha256 == digest?.sha256 }
    }

    // MARK: Orphans

    /// Files to which nothing refers, where everything that could refer to them was read.
    func findOrphans(_ run: inout Run) async throws {
        guard !run.isIncomplete else {
            run.result.notes.append(
                "no orphans are listed: not everything that refers to files can be read")
            return
        }
        var orphans: [ListedObject] = []
        let needs = run.needs
        try await store.visitPublic { if !needs.contains($0.place) { orphans.append($0) } }
        run.result.orphans = orphans.map(\.place)
        run.result.orphanBytes = orphans.clampedSum(of: \.size)
    }
}
