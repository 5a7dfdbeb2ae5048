import PackArchive
import PackDelta
import PackDeltaFile
import PackGround
import PackOrigin
import PackRelease

/// Manifests, packages and deltas.
extension OriginVerifier {
    /// How many releases or deltas are read at once from a distant store.
    private static let readAtOnce = 4

    /// What reading a release gave: each of its manifests, and the size of its package.
    private struct ReadRelease: Sendable {
        var manifests: [Result<Manifest, any Error>] = []
        /// `nil` where no manifest names a package.
        var package: Result<UInt64, any Error>?

        /// The first manifest that can be read.
        var readable: Manifest? { manifests.lazy.compactMap { try? $0.get() }.first }
    }

    /// Reads each manifest and proves its package.
    func checkReleases(_ run: inout Run) async throws {
        // A corrected release has two manifests of the same files.
        var versions: [[OriginReader.Published]] = []
        for (_, published) in run.needs.manifests.sorted(by: { $0.key < $1.key }) {
            if versions.last?.first?.pointer.version == published.pointer.version {
                versions[versions.count - 1].append(published)
            } else {
                versions.append([published])
            }
        }
        var releases = store.reading(versions, mostAtOnce: Self.readAtOnce) { try await read($0) }
        while let (pointers, outcome) = await releases.next() {
            let release = try outcome.get()
            for (published, outcome) in zip(pointers, release.manifests) {
                switch outcome {
                case .failure(let error): run.failToRead(published.manifestPlace, error)
                case .success(let manifest):
                    if published.manifestPlace == run.production?.manifestPlace {
                        run.current = manifest
                    }
                }
            }
            if let manifest = release.readable { run.needs.add(manifest.release) }
            switch (release.package, pointers.first) {
            case (.success(let size), _): run.result.packages.add(size)
            case (.failure(let error), let published?):
                run.fail(OriginLayout.package(published.pointer.version), error)
            default: break
            }
        }
        run.result.releases = run.needs.releases.count
    }

    /// Reads the manifests of one release, and proves its package by the first that can be read.
    private func read(_ pointers: [OriginReader.Published]) async throws -> ReadRelease {
        var release = ReadRelease()
        for published in pointers {
            release.manifests.append(
                try await outcome { try await history.reader.manifest(of: published) })
        }
        if let manifest = release.readable, let package = manifest.package {
            release.package = try await outcome { try await prove(package, of: manifest) }
        }
        return release
    }

    /// - Throws: what says nothing about the file.
    private func outcome<Value>(
        _ body: () async throws -> Value
    ) async throws -> Result<Value, any Error> {
        do {
            return .success(try await body())
        } catch {
            if error.isLocalOrTransient { throw error }
            return .failure(error)
        }
    }

    private func prove(_ package: ContentReference, of manifest: Manifest) async throws -> UInt64 {
        let place = OriginLayout.package(manifest.release.version)
        try await check(place, package, says: "manifest")
        try await store.withFiles([ObjectReference(place, package)]) { directory in
            try await PackageReader(place, in: directory, expecting: manifest.release)
                .prove(jobs: jobs, progress: progress)
        }
        return package.size
    }

    /// What is wrong with a file, to follow its name.
    private struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// Compares a file with what a reference says.
    private func check(_ place: String, _ content: ContentReference, says: String) async throws {
        switch try await store.check(place, content.content) {
        case .whole: return
        case .unreadable(let error): throw error
        case .missing, .notAFile: throw Problem(description: "is missing")
        case .otherSize, .otherContent:
            throw Problem(
                description: "does not match its \(says) (size or SHA-256 differs)")
        }
    }

    /// Re-hashes every delta and reads what it says of itself.
    func checkDeltas(_ run: inout Run) async throws {
        let listed = run.needs.deltas.sorted { $0.key < $1.key }
            .map { (place: $0.key, listed: $0.value) }
        var deltas = store.reading(listed, mostAtOnce: Self.readAtOnce) {
            try await manifest(of: $0.listed, at: $0.place)
        }
        while let (delta, outcome) = await deltas.next() {
            switch outcome {
            case .failure(let error):
                if error.isLocalOrTransient { throw error }
                run.fail(delta.place, error)
            case .success(let manifest):
                if let problem = delta.listed.problem(with: manifest) {
                    run.fail(delta.place, problem)
                    continue
                }
                if let note = delta.listed.note(at: delta.place) { run.result.notes.append(note) }
                run.result.deltas.add(delta.listed.delta.content.size)
            }
        }
    }

    private func manifest(
        of listed: Reachability.ListedDelta, at place: String
    ) async throws -> DeltaManifest {
        let content = listed.delta.content
        try await check(place, content, says: "pointer")
        return try await store.withFiles([ObjectReference(place, content)]) { directory in
            try DeltaManifest.read(place, in: directory)
        }
    }
}

extension Reachability.ListedDelta {
    /// What a delta says of itself that its pointer does not; `nil` where they agree.
    func problem(with manifest: DeltaManifest) -> String? {
        guard manifest.fromHash == delta.fromHash, manifest.toHash == toHash else {
            return "does not connect the releases that its pointer names"
        }
        let memory = UInt64(clamping: manifest.memory)
        guard memory > delta.memory else { return nil }
        return "needs \(readableSize(memory)) of memory, more than the "
            + "\(readableSize(delta.memory)) in its pointer"
    }

    /// What the reader should know of a delta that is as it should be.
    func note(at place: String) -> String? {
        guard delta.memory > DeltaLimits().totalMemory else { return nil }
        return "the pointer declares \(readableSize(delta.memory)) of memory for \(place): "
            + "clients install the package instead"
    }
}
