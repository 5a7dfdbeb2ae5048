extension OriginVerifier {
    // MARK: info.json and site/

    func checkFollowers(_ run: inout Run) async throws {
        guard let production = run.production, let manifest = run.current else { return }
        // Between the commit point and the end of a publish these still show the release before.
        let isUnderWay = run.underWay.contains(Channel.production.description)
        var late = 0
        run.reachable.insert(OriginLayout.info)
        if let problem = infoProblem(production, run) {
            if isUnderWay, problem.isOlder {
                late += 1
            } else {
                run.fail(OriginLayout.info, problem.text)
            }
        }
        let root = root
        let assets = manifest.release.assets
        let problems = try await mapInParallel(
            count: assets.count, jobs: jobs, makeState: ByteBuffer.forReading
        ) { buffer, index -> String? in
            let place = SitePlan.place(assets[index])
            let object = String(decoding: OriginLayout.object(assets[index]).bytes, as: UTF8.self)
            if let status = try? root.status(place), status.kind == .file,
                status.identity == (try? root.status(object))?.identity
            {
                return nil
            }
            return try root.problem(of: place, assets[index], buffer: buffer)
        }
        for (asset, problem) in zip(assets, problems) {
            let place = SitePlan.place(asset)
            run.reachable.insert(place)
            guard let problem else {
                run.result.siteFiles.add(asset.size)
                continue
            }
            if isUnderWay, try isOlder(place, run.site[asset.path] ?? []) {
                late += 1
            } else {
                run.fail(place, problem)
            }
        }
        checkOlderSiteFiles(except: Set(assets.map(\.path)), &run)
        if isUnderWay {
            run.result.notes.append(
                "a publish is under way or was interrupted"
                    + (late == 0
                        ? "" : ": \(counted(late, "file")) of info.json and site/ not yet renewed")
                    + "; publish again to finish it")
        }
    }

    /// Checks files of earlier releases, which are kept in `site/` and served.
    ///
    /// They may be gone; what is there has to be what one of those releases had.
    private func checkOlderSiteFiles(
        except current: Set<AssetPath>, _ run: inout Run
    ) {
        for (path, assets) in run.site.sorted(by: { $0.key < $1.key }) where !current.contains(path)
        {
            let place = "\(OriginLayout.site)/\(path)"
            run.reachable.insert(place)
            guard let status = try? root.status(place), status.kind != .directory else { continue }
            let isObject = assets.contains { asset in
                let object = String(decoding: OriginLayout.object(asset).bytes, as: UTF8.self)
                return (try? root.status(object))?.identity == status.identity
            }
            if isObject { continue }
            guard status.kind == .file, (try? isOlder(place, assets)) == true else {
                run.fail(place, "is not what any recorded release has there")
                continue
            }
        }
    }

    private func infoProblem(
        _ production: Pointer, _ run: Run
    ) -> (text: String, isOlder: Bool)? {
        guard let bytes = try? root.readFile(OriginLayout.info, limit: Manifest.sizeLimit) else {
            return ("is missing or cannot be read", true)
        }
        let digest = StreamHasher.digest(of: bytes)
        if digest == production.info.sha256 { return nil }
        let isOlder = run.published.values.contains { $0.pointer.info.sha256 == digest }
        return ("is not the manifest of the current release", isOlder)
    }

    private func isOlder(_ place: String, _ known: [Asset]) throws -> Bool {
        guard let status = try root.status(place) else { return true }
        guard status.kind == .file else { return true }
        let sized = known.filter { $0.size == status.size }
        guard !sized.isEmpty else { return false }
        let digest = try FileDigest.read(
            place, in: root, buffer: .forReading(), limit: status.size)
        return sized.contains { $0.sha256 == digest?.sha256 }
    }

    // MARK: Orphans

    func findOrphans(_ run: inout Run) throws {
        var orphans: [(String, UInt64)] = []
        try visit(root, prefix: "", depth: 1) { place, size in
            if !run.reachable.contains(place) { orphans.append((place, size)) }
        }
        run.result.orphans = orphans.map(\.0)
        run.result.orphanBytes = orphans.clampedSum(of: \.1)
    }

    /// The directories below the root in which a public file can lie: `site/` and those of its path.
    private static let deepest = 1 + AssetPath.deepestPath

    /// Calls `body` with every file, and with a directory that lies deeper than any place of an origin: what
    /// is in that one nobody refers to, and a tree of any depth would exhaust stack and descriptors.
    private func visit(
        _ directory: Directory, prefix: String, depth: Int, _ body: (String, UInt64) throws -> Void
    ) throws {
        for bytes in try directory.names() {
            let name = String(decoding: bytes, as: UTF8.self)
            if prefix.isEmpty, name == OriginLayout.workspace { continue }
            guard let status = try directory.status(name) else { continue }
            if status.kind != .directory {
                try body(prefix + name, status.size)
            } else if depth > Self.deepest {
                try body(prefix + name + "/", 0)
            } else {
                try visit(
                    directory.directory(name), prefix: prefix + name + "/", depth: depth + 1, body)
            }
        }
    }
}
