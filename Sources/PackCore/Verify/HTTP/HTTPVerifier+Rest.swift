import PackGround
import PackOrigin
import PackRelease

extension HTTPVerifier {
    // MARK: Pruned releases

    /// Removes findings about missing files of earlier releases that a prune may have deleted.
    ///
    /// No pointer sends clients to these files.
    func checkMissing(_ run: inout AuditRun) async throws {
        guard let current = run.published.first?.pointer else { return }
        var newest = run.newest
        for offer in run.releases.flatMap(\.offers) where newest[offer.manifestPath] == nil {
            newest[offer.manifestPath] = offer.pointer
        }
        // The current pointer's files must exist, unless the channel is closed.
        let missing = run.findings.paths(of: .missing).filter { path in
            newest[path].map { $0.sequence < current.sequence || current.isClosed } ?? false
        }
        guard !missing.isEmpty else { return }
        let whole = try await lowestWhole(&run)
        let pruned = missing.filter { (newest[$0]?.sequence ?? whole) < whole }
        let count = Set(pruned.compactMap { newest[$0]?.version }).count
        guard count > 0 else { return }
        run.findings.remove(.missing, at: pruned)
        run.note(
            "\(counted(count, "earlier release")) \(count == 1 ? "is" : "are") no longer complete: channel "
                + "'\(request.channel)' was pruned, and files offered only below sequence \(whole) may be "
                + "deleted")
    }

    /// The lowest sequence whose releases must be complete, according to the server and the origin
    /// of `--against`.
    ///
    /// Prune marks only increase, so the highest one applies.
    private func lowestWhole(_ run: inout AuditRun) async throws -> Int {
        var lowest = 1
        if let source = run.source {
            let reader = OriginReader(source, policy: .recordedInLog)
            lowest = (try? await reader.pruneMark(of: request.channel)?.below) ?? 1
        }
        return max(lowest, try await servedMark(&run) ?? 1)
    }

    /// The server's prune mark, read past the caches.
    private func servedMark(_ run: inout AuditRun) async throws -> Int? {
        let path = OriginLayout.pruneMark(request.channel)
        var question = HTTPProbe.Question(limit: UInt64(PruneMark.sizeLimit))
        question.keepsBytes = true
        question.isPastCaches = true
        guard let answer = try await ask(path, question, &run.findings),
            !answer.head.meansMissing
        else { return nil }
        guard answer.head.status == 200, !answer.isTooLong,
            let mark = try? PruneMark.decode(answer.bytes), mark.channel == request.channel
        else {
            run.findings.add(.differs, .error, path, "is not a mark of a prune", answer.head)
            return nil
        }
        if let lifetime = answer.cachedSeconds, lifetime > Self.longestMark {
            run.findings.add(
                .cachedTooLong, .warning, path,
                "may be kept for \(grouped(lifetime)) seconds: files deleted by the next prune are then "
                    + "reported as missing", answer.head)
        }
        return mark.below
    }

    /// In seconds.
    ///
    /// Must be shorter than the time between two prunes.
    private static let longestMark = 3600

    // MARK: info.json and site/

    func checkFollowers(_ run: inout AuditRun) async throws {
        guard request.channel == .production, !run.published.isEmpty else { return }
        guard let offer = run.followed, run.checked.contains(offer.manifestPath) else {
            return run.note(
                "no pointer that was read offers every device a release: info.json and site/ "
                    + "were not checked")
        }
        var info = ExpectedFile(
            path: OriginLayout.info, content: offer.pointer.info.content, lifetime: .short)
        info.older = run.needs.manifests.values.map(\.pointer.info.content)
        var check = follower(info, run)
        check.keepsBytes = true
        let checked = try await check.run()
        run.take(checked, info.path)
        // `info.json` has the same bytes as the release's manifest.
        guard
            let manifest = try run.current
                ?? checked.bytes.map({ try reader.manifest($0, of: offer) })
        else { return }
        let entries = request.isSample ? sample(manifest.entries, &run) : manifest.entries
        let checks = entries.map { entry in
            var file = ExpectedFile(
                path: OriginLayout.site(entry.asset.path), content: entry.asset.content,
                lifetime: .short, type: entry.type)
            file.older = (run.needs.site[entry.asset.path] ?? []).map(\.content)
            return follower(file, run)
        }
        for (check, checked) in zip(checks, try await self.check(checks))
        where run.take(checked, check.file.path) {
            run.result.siteFiles.add(check.file.content.size)
        }
        let late = entries.count - run.result.siteFiles.count
        if run.isRecent, late > 0 {
            run.note(
                "\(counted(late, "file")) of site/ may be older in caches, which have up to "
                    + "\(request.patience) seconds; verify again later")
        }
    }

    private func follower(_ file: ExpectedFile, _ run: AuditRun) -> FileCheck {
        var check = FileCheck(probe, file)
        check.isRecent = run.isRecent
        check.server = run.source as? HTTPStore
        return check
    }

    // MARK: Pages of other web origins, and a name without a file

    func checkRest(_ run: inout AuditRun) async throws {
        if !run.published.isEmpty { try await checkWebOrigins(&run) }
        try await checkUnknownName(&run)
    }

    /// Requests one file of each kind for which engines require CORS, as a page of another web
    /// origin does.
    private func checkWebOrigins(_ run: inout AuditRun) async throws {
        let endings = [".woff2", ".woff", ".ttf", ".otf", ".mjs", ".js", ".json", ".wasm"]
        let paths = run.needs.site.keys.map { OriginLayout.site($0) }.sorted()
            .filter { run.checked.contains($0) }
        for origin in request.webOrigins where !probe.address.isOrigin(origin) {
            for ending in endings {
                guard let path = paths.first(where: { $0.hasSuffix(ending) }) else { continue }
                var question = HTTPProbe.Question(limit: 0)
                question.method = .head
                question.webOrigin = origin
                guard let answer = try await ask(path, question, &run.findings) else { continue }
                let allowed = answer.head["access-control-allow-origin"]
                guard answer.head.status == 200, allowed != "*", allowed != origin else { continue }
                run.findings.add(
                    .noCORS, .warning, path,
                    "has no Access-Control-Allow-Origin for pages of "
                        + "\(printable(origin.utf8)): fonts, modules and fetch() of such a page fail",
                    answer.head)
            }
        }
    }

    /// Requests a random name.
    ///
    /// Clients would install a page sent as its answer as a file.
    private func checkUnknownName(_ run: inout AuditRun) async throws {
        let path = "\(OriginLayout.objects)/\(uniqueName())\(uniqueName())/packtool-verify.txt"
        let shown = "\(OriginLayout.objects)/<random name>"
        let question = HTTPProbe.Question(limit: 4096)
        guard let answer = try await ask(path, question, as: shown, &run.findings) else { return }
        let head = answer.head
        if head.isSuccess {
            let type = printable((head["content-type"] ?? "no type").utf8.prefix(60))
            run.findings.add(
                .pageForFile, .error, shown,
                "does not exist and is answered with \(head.status) \(type)", head)
        } else if !head.meansMissing {
            run.findings.add(
                .status, .error, shown,
                "does not exist and is answered with \(head.status) instead of 404", head)
        } else if let lifetime = answer.cachedSeconds, lifetime > Self.patience {
            run.findings.add(
                .keptMissing, .warning, shown,
                "does not exist, and caches may keep that for \(grouped(lifetime)) seconds: "
                    + "a file that is published at such a name stays hidden", head)
        }
    }
}

extension ProbeAnswer {
    /// How long caches may keep the answer, in seconds.
    ///
    /// `nil` if caching is forbidden or no time is stated.
    fileprivate var cachedSeconds: Int? {
        let control = CacheControl(head["cache-control"] ?? "")
        return control.isNeverKept ? nil : control.longestLifetime
    }
}
