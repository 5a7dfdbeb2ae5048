package import PackDelta
package import PackGround
package import PackRelease
import PackZip

/// Applies a delta to a release, for `packtool apply`, the verification in publish, and the
/// reference client.
package struct DeltaApplier {
    private let delta: String
    private let directory: Directory
    private let base: AssetSource
    private let target: Directory
    private let work: Directory
    private let jobs: Int
    private let limits: DeltaLimits
    private let treeLimit: UInt64
    private let expected: TreeSize?
    private let progress: ProgressSink?
    private let copies: Copies

    /// The treatment of files that a delta copies from its base.
    package enum Copies: Sendable {
        /// Copied, for trees that a user may edit.
        case copied
        /// Linked, for trees of an installation.
        case linked
        /// Left out: the base's hashes are enough to compute the resulting release.
        case omitted
    }

    /// The largest size, in bytes, of a new release of unknown size.
    package static let usualTreeLimit = BuildScan.sizeLimit

    /// Applies a delta.
    ///
    /// - Parameters:
    ///   - name: The delta, a file in `directory`.
    ///   - base: The old release; its hashes must be verified already.
    ///   - target: An empty directory for the new release.
    ///   - work: An empty directory for the delta's parts.
    ///   - limits: ``DeltaLimits/totalMemory`` is checked before any work, the others when the
    ///     streams are read.
    ///   - treeLimit: The largest size of the new release in bytes, checked before writing.
    ///   - expected: The size of the new tree according to a pointer, checked before writing.
    /// - Returns: The manifest of the delta, and the release of the tree in `target`, which is the
    ///   delta's new release.
    /// - Throws: ``Failure``. Files
    ///   written so far stay in `target` and `work`.
    package static func apply(
        _ name: String, in directory: Directory, to base: AssetSource, into target: Directory,
        work: Directory, jobs: Int, limits: DeltaLimits = DeltaLimits(),
        treeLimit: UInt64 = Self.usualTreeLimit, expecting expected: TreeSize? = nil,
        progress: ProgressSink? = nil, copies: Copies = .copied
    ) async throws -> AppliedDelta {
        let applier = DeltaApplier(
            delta: name, directory: directory, base: base, target: target, work: work, jobs: jobs,
            limits: limits, treeLimit: min(treeLimit, expected?.size ?? treeLimit),
            expected: expected,
            progress: progress, copies: copies)
        return try await applier.apply()
    }

    private var shown: String { directory.display(delta) }

    private func apply() async throws -> AppliedDelta {
        // Before any work, because another base of the same size would decode to garbage.
        let (manifest, size) = try DeltaManifest.readWithSize(
            delta, in: directory, memory: limits.totalMemory)
        guard manifest.fromHash == base.release.packageHash else {
            throw Failure.deltaWrongBase(
                delta: shown, needs: manifest.from.description,
                found: base.release.version.description)
        }
        guard manifest.memory <= limits.totalMemory else {
            throw Failure.deltaTooMuchMemory(
                delta: shown, needs: manifest.memory, limit: limits.totalMemory)
        }
        try await unpackParts(manifest)
        let decoder = try decoder(manifest)
        let outputs = try DeltaOutputs(
            manifest, base: base.release, listings: decoder.listings, delta: shown)
        let needed = DeltaFootprint.ofApplying(
            manifest, size: size, old: base.release.assets.lazy.map(\.path), new: outputs.paths)
        guard needed <= manifest.memory else {
            throw Failure.deltaInvalidManifest(
                path: shown,
                problem:
                    "applying it needs \(readableSize(UInt64(needed))) of memory, more than it declares"
            )
        }
        try outputs.checkNames(delta: shown)
        try checkSize(manifest, outputs)
        try target.makeDirectories(of: outputs.paths)
        for path in manifest.add {
            try work.rename(
                DeltaManifest.filesPrefix + path.description, to: target, as: path.description)
        }
        try await decodeStreams(manifest, decoder)
        let made =
            outputs.copies.count == outputs.paths.count
            ? nil : try await BuildScan.scan(target.path, jobs: jobs, progress: progress)
        let copied = outputs.copies.map {
            Asset(path: $0.path, size: $0.asset.size, sha256: $0.asset.sha256)
        }
        let result = Release(assets: copied + (made?.release.assets ?? []))
        guard result.packageHash == manifest.toHash else {
            throw Failure.deltaWrongResult(
                delta: shown, expected: manifest.to.description, found: result.version.description)
        }
        let added = Set(manifest.add)
        let sent = result.assets.lazy.filter { added.contains($0.path) }.clampedSum(of: \.size)
        return AppliedDelta(
            manifest: manifest, release: result,
            work: decoder.work + DeltaWork(unpacked: Int(clamping: sent)),
            editions: try await copyFiles(outputs, made))
    }

    /// Unpacks the delta, whose members must be exactly those in its manifest.
    private func unpackParts(_ manifest: DeltaManifest) async throws {
        let expected = Set(
            [DeltaManifest.fileName]
                + manifest.add.map { DeltaManifest.filesPrefix + $0.description }
                + manifest.patch.map(\.stream))
        let structure = try ZipStructure.read(directory.openFile(delta), limits: .standard)
        let found = Set(structure.paths.map(\.description))
        if let odd = expected.symmetricDifference(found).sorted().first {
            throw Failure.deltaUnexpectedMember(delta: shown, name: odd)
        }
        // Unpacking fails if the content differs from the archive's declaration.
        let prefix = Array(DeltaManifest.filesPrefix.utf8)
        let added = structure.files.clampedSum { $0.name.starts(with: prefix) ? $0.size : 0 }
        try checkSize(added)
        let streams = structure.files.clampedSum { $0.name.starts(with: prefix) ? 0 : $0.size }
        guard streams <= treeLimit.addingClamped(Self.mostOfParts) else {
            throw Failure.deltaTooMuchOutput(delta: shown, bytes: streams, limit: treeLimit)
        }
        let parts = try await PackageReader.release(of: delta, in: directory, jobs: jobs)
        try await Unpacker(delta, in: directory, expecting: parts).unpack(into: work, jobs: jobs)
    }

    /// The largest size of streams and manifest in bytes, beyond that of the new tree.
    ///
    /// Except for names, they are smaller than the tree.
    private static let mostOfParts: UInt64 = 16 << 20

    private func checkSize(_ bytes: UInt64) throws(Failure) {
        guard bytes <= treeLimit else {
            throw .deltaTooMuchOutput(delta: shown, bytes: bytes, limit: treeLimit)
        }
    }

    /// Checks the total size to write before writing.
    private func checkSize(_ manifest: DeltaManifest, _ outputs: DeltaOutputs) throws {
        var bytes = outputs.copies.clampedSum { $0.asset.size }
        for listing in outputs.listings {
            bytes = bytes.addingClamped(UInt64(listing.outputSize))
        }
        for path in manifest.add {
            let part = DeltaManifest.filesPrefix + path.description
            bytes = bytes.addingClamped(try work.status(part)?.size ?? 0)
        }
        try checkSize(bytes)
        guard let expected else { return }
        let made = TreeSize(assets: outputs.paths.count, size: bytes)
        guard made == expected else {
            throw Failure.deltaOtherTree(delta: shown, makes: made, expected: expected)
        }
    }

    /// Reads the headers of all streams and checks the work of decoding before it starts.
    ///
    /// Only the headers are kept: together, the streams can be as large as the release.
    private func decoder(_ manifest: DeltaManifest) throws -> DeltaDecoder {
        var headers = DeltaHeaders(
            old: base.release.oldFiles, limits: limits, memory: manifest.memory)
        for patch in manifest.patch {
            let bytes = try work.readFile(patch.stream, limit: limits.output)
            do throws(DeltaCodecError) { try headers.read(bytes) } catch {
                throw patch.invalid(error, in: shown)
            }
        }
        let decoder: DeltaDecoder
        do throws(DeltaCodecError) { decoder = try DeltaDecoder(headers) } catch {
            throw Failure.deltaTooMuchWork(delta: shown)
        }
        for (index, patch) in manifest.patch.enumerated() {
            do throws(DeltaCodecError) {
                try decoder.checkMemory(at: index, atMost: patch.memory)
            } catch {
                throw patch.invalid(error, in: shown)
            }
        }
        return decoder
    }

    /// Adds the files of the base, after all other files: nothing is written to a linked file.
    ///
    /// - Parameter made: The other files.
    /// - Returns: The editions of all files in listing order, if they are linked.
    private func copyFiles(
        _ outputs: DeltaOutputs, _ made: BuildScan?
    ) async throws -> [FileStatus.Edition] {
        if copies == .omitted { return [] }
        let editions = try await base.copy(
            outputs.copies, to: target, isLinking: copies == .linked, jobs: jobs,
            progress: progress)
        guard copies == .linked else { return [] }
        var files = Array(zip(outputs.copies.map(\.path), editions))
        if let made {
            for (asset, edition) in zip(made.release.assets, made.editions) {
                target.makeReadOnly(asset.path.description)
                files.append((asset.path, edition))
            }
        }
        return files.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Decodes the streams, as many at once as `jobs` and the memory allow.
    private func decodeStreams(_ manifest: DeltaManifest, _ decoder: DeltaDecoder) async throws {
        let chains = Self.chains(decoder.listings)
        let memory = chains.map { chain in
            chain.map { manifest.patch[$0].memory }.max() ?? 0
        }
        let room = limits.totalMemory - (manifest.memory - manifest.largestStream)
        let jobs = min(jobs, Self.mostAtOnce(memory, room: room))
        let (base, target, work, limits, shown) = (base, target, work, limits, shown)
        let patches = manifest.patch
        _ = try await mapInParallel(count: chains.count, jobs: jobs, makeState: {}) { _, index in
            for stream in chains[index] {
                try Task.checkCancellation()
                try Self.decode(
                    decoder, patches[stream], stream, from: work, base: base, to: target,
                    limits: limits, shown: shown)
            }
        }
    }

    /// The indices of streams that depend on each other's files, in order.
    ///
    /// A file can continue in the next stream, which then appends to it.
    package static func chains(_ listings: [DeltaListing]) -> [Range<Int>] {
        var chains: [Range<Int>] = []
        for (index, listing) in listings.enumerated() {
            if listing.files.first?.isContinued == true, let last = chains.last {
                chains[chains.count - 1] = last.lowerBound..<(index + 1)
            } else {
                chains.append(index..<(index + 1))
            }
        }
        return chains
    }

    /// The number of streams that fit into memory at once, whichever they are; at least one.
    package static func mostAtOnce(_ memory: [Int], room: Int) -> Int {
        var count = 0
        var total = 0
        for size in memory.sorted(by: >) {
            total = total.addingClamped(size)
            if total > room { break }
            count += 1
        }
        return max(1, count)
    }

    private static func decode(
        _ decoder: DeltaDecoder, _ patch: DeltaManifest.Patch, _ index: Int, from work: Directory,
        base: AssetSource, to target: Directory, limits: DeltaLimits, shown: String
    ) throws {
        CurrentFile.begin(patch.stream)
        defer { CurrentFile.end() }
        let bytes = try work.readFile(patch.stream, limit: limits.output)
        guard bytes.count == decoder.size(at: index) else {
            throw Failure.buildChangedWhileRead(path: work.display(patch.stream))
        }
        do {
            try decoder.decode(bytes, at: index, memory: patch.memory) { segment, buffer in
                try base.load(base.release.assets[segment.file], at: segment.offset, into: &buffer)
            } emit: { file, bytes in
                let name = String(decoding: file.path, as: UTF8.self)
                let output =
                    try file.isContinued
                    ? target.openFileForAppending(name) : target.createFile(name)
                try output.write(bytes)
                try output.close()
            }
        } catch let error as DeltaCodecError {
            throw patch.invalid(error, in: shown)
        }
    }
}

extension Release {
    /// The files of an old release, in the form used by listings.
    package var oldFiles: [DeltaListing.OldFile] {
        assets.map { .init(path: $0.path.bytes, size: Int(clamping: $0.size)) }
    }
}

extension DeltaManifest.Patch {
    fileprivate func invalid(_ problem: DeltaCodecError, in delta: String) -> Failure {
        .deltaInvalidStream(path: "\(delta)/\(stream)", problem: problem)
    }
}
