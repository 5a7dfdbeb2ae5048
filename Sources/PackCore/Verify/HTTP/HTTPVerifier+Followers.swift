import PackGround
import PackOrigin
import PackRelease

extension HTTPVerifier {
    // MARK: info.json and site/

    /// Checks what follows the default channel: the manifest for old clients, and the live pages.
    func checkFollowers(
        _ current: OriginReader.Published, _ run: inout Run
    ) async throws {
        guard request.channel == .production else { return }
        let offers = run.published.lazy.compactMap { $0.unconditional }
        guard let offer = offers.first, run.checked.contains(offer.manifestPlace) else {
            run.result.notes.append(
                "no pointer that was read offers every device a release: info.json and site/ "
                    + "were not checked")
            return
        }
        let manifests = run.published.flatMap(\.offers).map(\.pointer.info.content)
        let info = ExpectedFile(
            OriginLayout.info, offer.pointer.info.content, .short, type: "application/json")
        var check = follower(info, manifests, run)
        check.keepsBytes = true
        let checked = try await check.run()
        run.findings.add(checked.findings)
        // It has the bytes of the release's own manifest.
        let bytes: [UInt8]?
        if let same = checked.bytes {
            bytes = same
        } else {
            bytes = try? await store.read(
                ObjectReference(offer.manifestPlace, offer.pointer.info.content))
        }
        guard let bytes, let manifest = try? reader.manifest(bytes, of: offer) else { return }
        let entries = request.isSample ? sample(manifest.entries, &run) : manifest.entries
        let checks = entries.map { entry in
            let place = OriginLayout.site(entry.asset.path)
            return follower(
                ExpectedFile(place, entry.asset.content, .short, type: entry.type),
                run.known[place] ?? [], run)
        }
        for (entry, isWhole) in zip(entries, try await self.check(checks, &run))
        where isWhole {
            run.result.siteFiles.add(entry.asset.size)
        }
        let late = entries.count - run.result.siteFiles.count
        if run.isRecent, late > 0 {
            run.result.notes.append(
                "\(counted(late, "file")) of site/ may be older in caches, which have up to "
                    + "\(request.patience) seconds; verify again later")
        }
    }

    private func follower(
        _ file: ExpectedFile, _ known: [FileDigest], _ run: Run
    ) -> FileCheck {
        var check = FileCheck(probe: probe, file: file)
        check.older = known
        check.isRecent = run.isRecent
        check.server = run.source as? HTTPStore
        return check
    }

    // MARK: Pages of other web origins

    /// Asks as a page of another web origin does, for one file of each kind that engines then insist on CORS for.
    func checkWebOrigins(_ run: inout Run) async throws {
        let endings = [".woff2", ".woff", ".ttf", ".otf", ".mjs", ".js", ".json", ".wasm"]
        let places = run.known.keys.sorted().filter { run.checked.contains($0) }
        for origin in request.webOrigins where !probe.address.isOrigin(origin) {
            for ending in endings {
                guard let place = places.first(where: { $0.hasSuffix(ending) }) else { continue }
                var question = HTTPProbe.Question(limit: 0)
                question.method = .head
                question.webOrigin = origin
                guard let answer = try await ask(place, question, &run) else { continue }
                let allowed = answer.head["access-control-allow-origin"]
                guard answer.head.status == 200, allowed != "*", allowed != origin else { continue }
                run.findings.add(
                    .noCORS, .warning, place,
                    "has no Access-Control-Allow-Origin for pages of "
                        + "\(printable(origin.utf8)): fonts, modules and fetch() of such a page fail",
                    answer)
            }
        }
    }

    // MARK: A name without a file

    /// Asks for a name that cannot exist: a page that is answered for it would be installed as a file.
    func checkUnknownName(_ run: inout Run) async throws {
        let place = "\(OriginLayout.objects)/\(uniqueName())\(uniqueName())/packtool-verify.txt"
        let question = HTTPProbe.Question(limit: 4096)
        let shown = "\(OriginLayout.objects)/<random name>"
        guard let answer = try await ask(place, question, as: shown, &run) else { return }
        if answer.head.isSuccess {
            let type = printable((answer.head["content-type"] ?? "no type").utf8.prefix(60))
            run.findings.add(
                .pageForFile, .error, shown,
                "does not exist and is answered with \(answer.head.status) \(type)", answer)
        } else if !answer.head.meansMissing {
            run.findings.add(
                .status, .error, shown,
                "does not exist and is answered with \(answer.head.status) instead of 404", answer)
        } else {
            let control = CacheControl(answer.head["cache-control"] ?? "")
            if !control.isNeverKept, let lifetime = control.longestLifetime,
                lifetime > Self.patience
            {
                run.findings.add(
                    .keptMissing, .warning, shown,
                    "does not exist, and caches may keep that for \(grouped(lifetime)) seconds: "
                        + "a file that is published at such a name stays hidden", answer)
            }
        }
    }
}
