/// Applies a delta to a release: what `packtool apply`, a publish that proves its deltas, and the
/// reference client all run.
package struct DeltaApplier {
    private let delta: String
    private let place: Directory
    private let base: AssetSource
    private let target: Directory
    private let work: Directory
    private let jobs: Int
    private let limits: DeltaLimits
    private let progress: ProgressSink?
    private let isProof: Bool

    /// Applies a delta.
    ///
    /// - Parameters:
    ///   - name: the delta, a file in `directory`.
    ///   - base: the old release; its hashes are taken as proved.
    ///   - target: an empty directory that the new release is written into.
    ///   - work: an empty directory for the delta's parts.
    ///   - isProof: whether files that are only copied are left out of `target`: their content is the
    ///     base's, whose hashes are known, and the release that comes out is told by them all the same.
    /// - Returns: the manifest of the delta; the tree in `target` is the release that it names.
    /// - Throws: ``DeltaError``, ``ArchiveError``, ``BuildError``, ``FileSystemError``. What was
    ///   written until then stays in `target` and `work`.
    package static func apply(
        _ name: String, in directory: Directory, to base: AssetSource, into target: Directory,
        work: Directory, jobs: Int, limits: DeltaLimits = DeltaLimits(),
        progress: ProgressSink? = nil, isProof: Bool = false
    ) async throws -> DeltaManifest {
        let applier = DeltaApplier(
            delta: name, place: directory, base: base, target: target, work: work, jobs: jobs,
            limits: limits, progress: progress, isProof: isProof)
        return try await applier.apply()
    }

    private var shown: String { place.display(delta) }

    private func apply() async throws -> DeltaManifest {
        // Before any work: another base of the same size would decode to anything.
        let manifest = try DeltaManifest.read(delta, in: place)
        guard manifest.fromHash == base.release.packageHash else {
            throw DeltaError.wrongBase(
                delta: shown, needs: manifest.from.description,
                found: base.release.version.description)
        }
        try await unpackParts(manifest)
        let outputs = try DeltaOutputs(
            manifest, base: base.release, listings: try readListings(manifest), delta: shown)
        try outputs.checkNames(delta: shown)
        try makeDirectories(outputs)
        if !isProof { try await copyFiles(outputs) }
        for path in manifest.add {
            try work.rename(
                DeltaManifest.filesPrefix + path.description, to: target, as: path.description)
        }
        for index in outputs.listings.indices { try decode(outputs, manifest, index) }
        let result = try await result(outputs)
        guard result.packageHash == manifest.toHash else {
            if let asset = changedCopy(outputs, result) { throw base.changedWhileRead(asset) }
            throw DeltaError.wrongResult(
                delta: shown, expected: manifest.to.description, found: result.version.description)
        }
        return manifest
    }

    /// The release that lies in the target, by its hashes.
    private func result(_ outputs: DeltaOutputs) async throws -> Release {
        let copied = outputs.copies.map {
            Asset(path: $0.path, size: $0.asset.size, sha256: $0.asset.sha256)
        }
        if isProof, copied.count == outputs.paths.count { return Release(assets: copied) }
        let scan = try await BuildScan.scan(target.path, jobs: jobs, progress: progress)
        guard let junk = scan.junk.first else {
            return isProof ? Release(assets: copied + scan.release.assets) : scan.release
        }
        throw DeltaError.unexpectedMember(delta: shown, name: junk)
    }

    /// An asset of the base whose copy has another content than the base had when it was proved.
    private func changedCopy(_ outputs: DeltaOutputs, _ result: Release) -> Asset? {
        let hashes = Dictionary(
            result.assets.map { ($0.path, $0.sha256) }, uniquingKeysWith: { first, _ in first })
        return outputs.copies.first { hashes[$0.path] != $0.asset.sha256 }?.asset
    }

    /// Unpacks the delta, whose members have to be exactly those that its manifest names.
    private func unpackParts(_ manifest: DeltaManifest) async throws {
        let parts = try await PackageReader.release(of: delta, in: place, jobs: jobs)
        let expected = Set(
            [DeltaManifest.fileName]
                + manifest.add.map { DeltaManifest.filesPrefix + $0.description }
                + manifest.patch.map(\.stream))
        let found = Set(parts.assets.map(\.path.description))
        if let odd = expected.symmetricDifference(found).sorted().first {
            throw DeltaError.unexpectedMember(delta: shown, name: odd)
        }
        try await Unpacker(delta, in: place, expecting: parts).unpack(into: work, jobs: jobs)
    }

    /// What the streams make.
    ///
    /// Of each only that is kept: together they can be as large as the release.
    private func readListings(_ manifest: DeltaManifest) throws -> [DeltaListing] {
        let old = base.release.oldFiles
        let listings = try manifest.patch.map { try readStream($0, old).listing }
        guard listings.reduce(0, { $0 + $1.files.count }) <= limits.files else {
            throw DeltaError.invalidManifest(
                place: shown, problem: "its streams make more than \(limits.files) files")
        }
        return listings
    }

    private func readStream(
        _ patch: DeltaManifest.Patch, _ old: [DeltaListing.OldFile], others: [DeltaListing] = []
    ) throws -> DeltaStream {
        let bytes = try work.readFile(patch.stream, limit: limits.output)
        do throws(DeltaCodecError) {
            let stream = try DeltaStream(bytes, old: old, others: others, limits: limits)
            if stream.memory > patch.memory { throw .tooLarge }
            return stream
        } catch {
            throw DeltaError.invalidStream(place: "\(shown)/\(patch.stream)", problem: error)
        }
    }

    private func makeDirectories(_ outputs: DeltaOutputs) throws {
        var made: Set<ArraySlice<UInt8>> = []
        for path in outputs.paths {
            for directory in path.directories where made.insert(directory).inserted {
                try target.makeDirectory(String(decoding: directory, as: UTF8.self))
            }
        }
    }

    /// Their hashes are not looked at: the whole result is read back and hashed at the end.
    private func copyFiles(_ outputs: DeltaOutputs) async throws {
        let files = outputs.copies
        let (base, target) = (base, target)
        let counter = ProgressCounter(
            phase: .installing, total: files.reduce(0) { $0 + $1.asset.size }, sink: progress)
        _ = try await mapInParallel(
            count: files.count, jobs: jobs, makeState: ByteBuffer.forReading
        ) { buffer, index in
            let (asset, path) = files[index]
            try base.copy(asset, to: target, as: path.description, buffer: buffer)
            counter.add(asset.size)
        }
    }

    private func decode(
        _ outputs: DeltaOutputs, _ manifest: DeltaManifest, _ index: Int
    ) throws {
        let base = base
        let stream = try readStream(
            manifest.patch[index], base.release.oldFiles, others: outputs.listings.without(index))
        guard stream.listing == outputs.listings[index] else {
            throw BuildError.changedWhileRead(path: work.display(manifest.patch[index].stream))
        }
        do {
            try unsafe stream.decode { segment, buffer in
                try unsafe base.load(
                    base.release.assets[segment.file], at: segment.offset, into: buffer)
            } emit: { file, bytes in
                let name = String(decoding: file.path, as: UTF8.self)
                let output =
                    try file.isContinued
                    ? target.openFileForAppending(name) : target.createFile(name)
                try unsafe output.write(bytes)
                try output.close()
            }
        } catch let error as DeltaCodecError {
            throw DeltaError.invalidStream(
                place: "\(shown)/\(DeltaManifest.patchesPrefix)\(index)", problem: error)
        }
    }
}

extension DeltaManifest {
    /// Reads the manifest of a delta, its first member, and nothing else of it.
    package static func read(_ name: String, in directory: Directory) throws -> DeltaManifest {
        let bytes: [UInt8]
        do {
            bytes = try PackageReader.member(
                of: name, in: directory, named: fileName, limit: sizeLimit, isFirst: true)
        } catch let error as ArchiveError where error.problem == .missingEntry {
            throw DeltaError.notADelta(path: directory.display(name))
        }
        return try decode(bytes, place: directory.display(name))
    }
}

extension Release {
    /// The files of an old release as listings count them.
    var oldFiles: [DeltaListing.OldFile] {
        assets.map { .init(path: $0.path.bytes, size: Int($0.size)) }
    }
}

/// Every file that a delta leaves in the new tree, by where it comes from.
struct DeltaOutputs {
    /// Old assets that are copied, with their new paths.
    private(set) var copies: [(asset: Asset, path: AssetPath)] = []
    /// What the streams make.
    let listings: [DeltaListing]
    /// All paths, sorted.
    let paths: [AssetPath]

    /// - Throws: ``DeltaError`` where a path is named that the base does not have, or is made twice.
    init(
        _ manifest: DeltaManifest, base: Release, listings: [DeltaListing], delta: String
    ) throws {
        self.listings = listings
        let old = Dictionary(
            base.assets.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        let invalid = { (problem: String) in
            DeltaError.invalidManifest(place: delta, problem: problem)
        }
        var gone: Set<AssetPath> = []
        for path in manifest.delete {
            guard old[path] != nil, gone.insert(path).inserted else {
                throw invalid("it deletes '\(path)', which the base does not have")
            }
        }
        var made: [AssetPath] = manifest.add
        for (new, source) in manifest.copy {
            guard let asset = old[source] else {
                throw invalid("it copies '\(source)', which the base does not have")
            }
            copies.append((asset, new))
            made.append(new)
        }
        for (number, listing) in listings.enumerated() {
            for (index, file) in listing.files.enumerated() {
                guard let path = try? AssetPath(file.path) else {
                    throw invalid("it makes '\(printable(file.path))', which is no path")
                }
                if let base = file.base.map({ base.assets[$0].path }), base != path,
                    !file.keepsBase
                {
                    gone.insert(base)
                }
                if file.isContinued {
                    guard index == 0, number > 0,
                        listings[number - 1].files.last?.path == file.path
                    else { throw invalid("it goes on with '\(path)', which has no beginning") }
                } else {
                    made.append(path)
                }
            }
        }
        gone.subtract(made)
        let new = Set(made)
        guard new.count == made.count else { throw invalid("it makes one path twice") }
        for asset in base.assets where !gone.contains(asset.path) && !new.contains(asset.path) {
            copies.append((asset, asset.path))
            made.append(asset.path)
        }
        paths = made.sorted()
    }

    /// - Throws: ``DeltaError/invalidManifest(place:problem:)`` for a name that no release may have: the
    ///   build that the delta was made from had none, so that the delta is at fault.
    func checkNames(delta: String) throws(DeltaError) {
        let bad = paths.lazy.compactMap { path in path.portabilityProblem.map { (path, $0) } }.first
        guard let (path, problem) = bad ?? NameCollisions.find(in: paths).first else { return }
        let name = printable(path.bytes)
        throw .invalidManifest(
            place: delta,
            problem: "it makes '\(name)', which no release may have: \(problem.reason)")
    }
}
