import PackArchive
package import PackDelta
package import PackDeltaFile
package import PackGround
package import PackRelease

/// Creates the delta from one release to another.
package struct DeltaBuilder: Sendable {
    private let old: AssetSource
    private let new: AssetSource
    private let jobs: Int
    private let progress: ProgressSink?
    private let limits: DeltaLimits
    private let codedLimit: Int
    private let info: @Sendable () async throws -> Info?

    /// The new release's manifest, to be included in a delta.
    package struct Info: Sendable {
        let template: ManifestTemplate

        /// - Parameter digest: The hash of the manifest's bytes.
        /// - Returns: `nil` if the template and the release would not reproduce the manifest.
        package init?(_ manifest: Manifest, digest: FileDigest) {
            guard let template = ManifestTemplate(of: manifest) else { return nil }
            let made = template.digest(of: manifest.release, limit: digest.size)
            guard made == digest else { return nil }
            self.template = template
        }

        /// For a manifest just encoded by this packtool.
        ///
        /// The template gives an equal manifest, and so the same bytes.
        package init?(ofEncoded manifest: Manifest) {
            guard let template = ManifestTemplate(of: manifest) else { return nil }
            self.template = template
        }
    }

    /// The largest number of bytes in a delta coded one by one, to be applied within ten seconds.
    ///
    /// Each takes about 0.6 µs on a server's core, and more with less memory bandwidth.
    package static let usualCodedLimit = 6_000_000

    /// - Parameters:
    ///   - info: The manifest of the new release; `nil` for a delta without one.
    ///   - codedLimit: The largest number of bytes to code one by one.
    package init(
        from old: AssetSource, to new: AssetSource, info: Info? = nil, jobs: Int,
        progress: ProgressSink? = nil, codedLimit: Int = Self.usualCodedLimit
    ) {
        self.init(
            from: old, to: new, jobs: jobs, progress: progress, codedLimit: codedLimit,
            info: { info })
    }

    /// - Parameter info: Called for the manifest of the new release after everything else is coded.
    package init(
        from old: AssetSource, to new: AssetSource, jobs: Int, progress: ProgressSink? = nil,
        codedLimit: Int = Self.usualCodedLimit,
        info: @escaping @Sendable () async throws -> Info?
    ) {
        self.info = info
        self.old = old
        self.new = new
        self.jobs = jobs
        self.progress = progress
        self.codedLimit = codedLimit
        var limits = DeltaLimits()
        limits.codedBytes = max(limits.codedBytes, codedLimit)
        self.limits = limits
    }

    /// A finished delta.
    package struct Result: Sendable {
        package let manifest: DeltaManifest
        package let digest: FileDigest
        /// The number of bytes decoded one by one, which determines its time.
        package var codedBytes: Int { work.coded }
        /// The work of applying; files sent whole count as unpacked, copied files not at all.
        package let work: DeltaWork
        /// The share of each file in the delta.
        package let explanation: DeltaExplanation
        /// The memory for applying, in bytes.
        package var memory: Int { manifest.memory }
    }

    /// Writes the delta as a new file.
    ///
    /// - Parameter staging: An empty directory for its parts; they stay there.
    /// - Throws: ``Failure/deltaSameRelease(version:)``, ``Failure``.
    package func build(
        _ name: String, in directory: Directory, staging: Directory
    ) async throws -> Result {
        try await build(name, in: directory, staging: staging, plan: plan())
    }

    /// Chooses how to make each file; reads differing files.
    ///
    /// - Throws: ``Failure/deltaSameRelease(version:)``, ``Failure``.
    package func plan() throws -> DeltaPlan {
        guard old.release != new.release else {
            throw Failure.deltaSameRelease(version: new.release.version.description)
        }
        let deflater = try Deflater(level: 1)
        let scratch = ByteBuffer(count: 64 << 10)
        let (old, new) = (old, new)
        let buffer = ByteBuffer.forReading()
        return try DeltaPlan(
            from: old.release, to: new.release,
            readOld: { try old.read($0, through: buffer, piece: $1) },
            readNew: { try new.read($0, through: buffer, piece: $1) }
        ) { asset in
            // The middle is more typical than the start, which is a header in many formats.
            let start = max(0, Int(asset.size) / 2 - 32 << 10)
            let sample = try new.bytes(
                asset, at: start, count: min(Int(asset.size) - start, 60 << 10))
            return scratch.withMutableBytes { bytes in
                var room = bytes._mutatingExtracting(..<(sample.count * 15 / 16))
                return unsafe deflater.compress(sample.span.bytes, into: &room) != nil
            }
        }
    }

    /// Writes the delta as a new file, following an existing plan.
    ///
    /// - Throws: The errors of ``build(_:in:staging:)``.
    package func build(
        _ name: String, in directory: Directory, staging: Directory, plan: DeltaPlan
    ) async throws -> Result {
        let buffer = ByteBuffer.forReading()
        let groups = StreamGroup.split(plan, codedLimit: codedLimit)
        let streams = try await encode(groups, plan)
        try staging.makeDirectory("patches")
        for (index, stream) in streams.enumerated() {
            let file = try staging.createFile("\(DeltaManifest.patchesPrefix)\(index)")
            try file.write(stream.bytes)
            try file.close()
        }
        for asset in plan.added {
            let path = DeltaManifest.filesPrefix + asset.path.description
            if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
                _ = try staging.makeDirectories(String(path[..<slash]))
            }
            try new.copyChecked(asset, to: staging, as: path, buffer: buffer)
        }
        let sent = Int(clamping: plan.added.clampedSum(of: \.size))
        let manifest = try await manifest(plan, streams.map(\.memory), info())
        let file = try staging.createFile(DeltaManifest.fileName)
        try file.write(manifest.encode())
        try file.close()
        let scan = try await BuildScan.scan(staging.path, jobs: jobs)
        let built = try await PackageBuilder(scan: scan, level: .max, jobs: jobs)
            .build(name, in: directory)
        return Result(
            manifest: manifest, digest: built.digest,
            work: streams.reduce(DeltaWork(unpacked: sent)) { $0 + $1.work },
            explanation: try DeltaExplanation(
                of: name, in: directory, manifest, coded: coded(groups, streams),
                copies: plan.copies.map { ($0.new.path, $0.old.path) }))
    }

    /// Writes the delta as a new file and verifies it (``prove(_:in:)``).
    ///
    /// - Parameter directory: A directory that only this run uses; parts stay there.
    /// - Throws: Errors of ``build(_:in:staging:)`` and ``DeltaApplier``.
    package func buildProved(_ name: String, in directory: Directory) async throws -> Result {
        let parts = uniqueName()
        try directory.makeDirectory(parts)
        let result = try await build(name, in: directory, staging: directory.directory(parts))
        try directory.removeTree(parts)
        _ = try await prove(name, in: directory)
        return result
    }

    /// Verifies that a delta turns the old release into the new one and its manifest.
    ///
    /// - Parameter directory: A directory that only this run uses; parts stay there if it fails.
    /// - Throws: ``Failure``, also for a delta to another release or manifest; errors of
    ///   ``DeltaApplier``.
    package func prove(_ name: String, in directory: Directory) async throws -> AppliedDelta {
        let proof = uniqueName()
        for part in ["", "/tree", "/work"] { try directory.makeDirectory(proof + part) }
        let applied = try await DeltaApplier.apply(
            name, in: directory, to: old, into: directory.directory(proof + "/tree"),
            work: directory.directory(proof + "/work"), jobs: jobs, limits: limits,
            expecting: TreeSize(of: new.release), progress: progress, copies: .omitted)
        guard applied.release == new.release else {
            throw Failure.deltaWrongResult(
                delta: directory.display(name), expected: new.release.version.description,
                found: applied.release.version.description)
        }
        // For this release, the template gives the manifest's bytes (``Info``).
        guard applied.manifest.info == (try await info()?.template) else {
            throw Failure.deltaWrongInfo(delta: directory.display(name))
        }
        try directory.removeTree(proof)
        return applied
    }

    /// The files produced by the streams.
    private func coded(
        _ groups: [StreamGroup], _ streams: [DeltaEncoder.Stream]
    ) -> [DeltaExplanation.Coded] {
        zip(groups, streams).flatMap { group, stream in
            group.listing.files.enumerated().map { number, file in
                DeltaExplanation.Coded(
                    path: printable(file.path),
                    base: file.base.map { old.release.assets[$0].path.description },
                    size: file.size,
                    cost: number < stream.costs.count ? stream.costs[number] : nil)
            }
        }
    }

    private func manifest(_ plan: DeltaPlan, _ memory: [Int], _ info: Info?) -> DeltaManifest {
        var manifest = DeltaManifest(
            from: old.release.version, fromHash: old.release.packageHash, to: new.release.version,
            toHash: new.release.packageHash, delete: plan.deleted,
            copy: plan.listsCopies ? [] : plan.copies.map { ($0.new.path, $0.old.path) },
            add: plan.added.map(\.path),
            patch: memory.enumerated().map {
                .init(stream: "\(DeltaManifest.patchesPrefix)\($0)", memory: $1)
            }, info: info?.template)
        let needed = DeltaFootprint.ofApplying(
            manifest, size: manifest.encode().count + DeltaManifest.memoryMemberSize,
            old: old.release.assets.map(\.path), new: new.release.assets.map(\.path))
        if needed > manifest.memory { manifest.wholeMemory = needed }
        return manifest
    }

    // MARK: Streams

    private func encode(
        _ groups: [StreamGroup], _ plan: DeltaPlan
    ) async throws -> [DeltaEncoder.Stream] {
        let encoder = try DeltaEncoder(
            old: old.release.oldFiles, listings: groups.map(\.listing), limits: limits,
            fallback: .liblzma())
        let counter = ProgressCounter(
            phase: .packing, total: UInt64(groups.reduce(0) { $0 + $1.listing.outputSize }),
            sink: progress)
        let encode = {
            @Sendable (index: Int, codedLimit: Int, counter: ProgressCounter) throws
                -> DeltaEncoder.Stream in
            try encodeStream(
                groups[index], at: index, with: encoder, codedLimit: codedLimit, counter)
        }
        let budget = CodingBudget(limit: codedLimit, expecting: groups.map(\.expectedCoded))
        guard let shares = budget.shares else {
            // Together they exceed the limit, and those worth most are first.
            var left = codedLimit
            var streams: [DeltaEncoder.Stream] = []
            for index in groups.indices {
                let stream = try encode(index, left, counter)
                left -= stream.work.coded
                streams.append(stream)
            }
            return streams
        }
        var streams = try await mapInParallel(
            count: groups.count, jobs: jobs, makeState: { 0 }
        ) { _, index in
            try encode(index, shares[index], counter)
        }
        // Rarely, the expectation of one is far too low, and the others leave enough.
        var left = codedLimit - streams.reduce(0) { $0 + $1.work.coded }
        for index in groups.indices
        where !groups[index].isCompressed && streams[index].work.unpacked > 0
            && left > shares[index] / 2
        {
            let again = ProgressCounter(
                phase: .repacking, total: UInt64(groups[index].listing.outputSize), sink: progress)
            again.add(0)
            left += streams[index].work.coded
            streams[index] = try encode(index, left, again)
            left -= streams[index].work.coded
        }
        return streams
    }

    /// Encodes one stream and checks its content while reading.
    private func encodeStream(
        _ group: StreamGroup, at index: Int, with encoder: DeltaEncoder, codedLimit: Int,
        _ counter: ProgressCounter
    ) throws -> DeltaEncoder.Stream {
        var content: [UInt8] = []
        content.reserveCapacity(group.listing.outputSize)
        if let first = group.pieces.first { CurrentFile.begin(first.asset.path) }
        defer { CurrentFile.end() }
        for piece in group.pieces {
            let bytes = try new.bytes(piece.asset, at: piece.offset, count: piece.length)
            guard StreamHasher.digest(of: bytes) == piece.sha256 else {
                throw new.changedWhileRead(piece.asset)
            }
            content += bytes
        }
        var told = 0
        let report = { (done: Int) in
            counter.add(UInt64(max(0, done - told)))
            told = max(told, done)
        }
        let stream = try encoder.encode(
            at: index, content: content,
            novelBytes: group.novelBytes, codedLimit: codedLimit, isCompressed: group.isCompressed,
            report: report
        ) { segment, buffer in
            try old.load(old.release.assets[segment.file], at: segment.offset, into: &buffer)
        }
        report(group.listing.outputSize)
        return stream
    }
}

extension DeltaEncoder.Fallback {
    private final class Turn: Sendable {
        let lock = Locked(())
    }

    /// The encoder of liblzma; it needs up to about 600 MiB, so only one runs at a time.
    package static func liblzma() -> Self {
        let turn = Turn()
        return Self(properties: LZMAEncoder.properties) { content, dictionary, effort, report in
            try turn.lock.withLock { _ in
                try LZMAEncoder.encode(
                    content, dictionary: dictionary(), effort: Int32(effort.rawValue),
                    report: report)
            }
        }
    }
}
