import PackArchive
import PackDelta
import PackDeltaFile
import PackGround
import PackOrigin
import PackRelease
import PackZip

/// The order of an audit: pointers, log entries, manifests, packages, deltas, objects, followers.
extension AuditSource {
    /// Runs all checks and collects findings in `run.findings` and `run.failures`.
    func audit() async throws -> AuditRun {
        var run = AuditRun()
        try await readPointers(&run)
        try await checkReleases(&run)
        try await checkDeltas(&run)
        let objects = objects(run)
        for (file, checked) in zip(objects, try await check(objects))
        where run.take(checked, file.path) {
            run.result.objects.add(file.content.size)
        }
        try await checkMissing(&run)
        try await checkFollowers(&run)
        try await checkRest(&run)
        return run
    }

    // MARK: Releases

    /// The most releases or deltas that are read at once from a distant store.
    private static var readAtOnce: Int { 4 }

    /// The files read for one release.
    private typealias ReadRelease = (
        files: [(path: String, checked: CheckedFile)], manifests: [(path: String, Manifest)],
        package: (path: String, checked: CheckedFile)?
    )

    private func checkReleases(_ run: inout AuditRun) async throws {
        var releases = reader.store.reading(run.releases, mostAtOnce: Self.readAtOnce) {
            try await read($0)
        }
        while let (release, outcome) = await releases.next() {
            let read = try outcome.get()
            for (path, checked) in read.files {
                run.take(checked, path)
                if checked.failure != nil { run.isIncomplete = true }
            }
            for (path, manifest) in read.manifests where path == run.followed?.manifestPath {
                run.current = manifest
            }
            guard let manifest = read.manifests.first?.1 else { continue }
            run.result.releases += 1
            run.needs.add(manifest.release)
            addObjects(manifest, of: release, &run)
            guard let (path, checked) = read.package else { continue }
            if run.take(checked, path) {
                run.result.packages.add(manifest.package?.size ?? 0)
            }
        }
    }

    /// Reads all manifests of a release, and checks the package against the first readable one.
    private func read(_ release: AuditedRelease) async throws -> ReadRelease {
        var read: ReadRelease = ([], [], nil)
        for offer in release.offers {
            var checked = try await manifest(of: offer)
            if let bytes = checked.bytes {
                do {
                    read.manifests.append(
                        (offer.manifestPath, try reader.manifest(bytes, of: offer)))
                } catch {
                    if error.isLocalOrTransient { throw error }
                    checked.failure = "\(error)"
                }
            }
            checked.bytes = nil
            read.files.append((offer.manifestPath, checked))
        }
        guard let manifest = read.manifests.first?.1, let package = manifest.package else {
            return read
        }
        let file = ExpectedFile(
            path: OriginLayout.package(manifest.release.version), content: package.content,
            type: "application/zip", isRead: release.isWhole)
        let jobs = jobs, progress = progress
        read.package = (
            file.path,
            try await check(file) { directory, name in
                try await PackageReader(name, in: directory, expecting: manifest.release)
                    .prove(jobs: jobs, progress: progress)
            }
        )
        return read
    }

    // MARK: Deltas

    /// Re-hashes deltas and compares each delta's manifest with the pointer.
    private func checkDeltas(_ run: inout AuditRun) async throws {
        let listed = deltas(run)
        var deltas = reader.store.reading(listed, mostAtOnce: Self.readAtOnce) { delta in
            try await check(
                ExpectedFile(
                    path: delta.path, content: delta.listed.delta.content.content,
                    type: "application/zip")
            ) { directory, name in
                if let problem = delta.listed.problem(
                    with: try DeltaManifest.read(name, in: directory))
                {
                    throw DeltaProblem(description: problem)
                }
            }
        }
        while let (delta, outcome) = await deltas.next() {
            guard run.take(try outcome.get(), delta.path) else { continue }
            if let note = delta.listed.note(at: delta.path) { run.note(note) }
            run.result.deltas.add(delta.listed.delta.content.size)
        }
    }
}

/// A problem of a delta.
///
/// Messages print it after the path.
struct DeltaProblem: Error, CustomStringConvertible {
    let description: String
}

extension Reachability.ListedDelta {
    /// The first mismatch between a delta's manifest and its pointer, or `nil`.
    fileprivate func problem(with manifest: DeltaManifest) -> String? {
        guard manifest.fromHash == delta.fromHash, manifest.toHash == toHash else {
            return "does not connect the releases that its pointer names"
        }
        let memory = UInt64(clamping: manifest.memory)
        guard memory > delta.needs.memory else { return nil }
        return "needs \(readableSize(memory)) of memory, more than the "
            + "\(readableSize(delta.needs.memory)) in its pointer"
    }

    /// A note about a valid delta that clients do not use.
    fileprivate func note(at path: String) -> String? {
        guard delta.needs.memory > DeltaLimits().totalMemory else { return nil }
        return "the pointer declares \(readableSize(delta.needs.memory)) of memory for \(path): "
            + "clients install the package instead"
    }
}
