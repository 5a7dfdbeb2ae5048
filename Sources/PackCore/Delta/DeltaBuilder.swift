/// Makes the delta from one release to another.
package struct DeltaBuilder: Sendable {
    private let old: AssetSource
    private let new: AssetSource
    private let jobs: Int
    private let progress: ProgressSink?
    private let limits = DeltaLimits()

    /// How many bytes of output a stream has at most: what a client holds in memory at a time.
    private static let streamOutput = 16 << 20
    /// All old files that changed or went are in every dictionary where they have at most this many bytes.
    private static let idleDictionary = 40 << 20
    /// How many bytes of bases a stream has before the next one is begun: the largest base more, and the
    /// idle files, stay far below what a client allows.
    private static let basesOfAStream = 96 << 20
    /// How much of an old file beside the aligned piece is in the dictionary with it.
    private static let margin = 1 << 20
    /// How many bytes of a delta may be coded one by one: about as many seconds on a phone as millions.
    private static let codedLimit = 8_000_000

    package init(
        from old: AssetSource, to new: AssetSource, jobs: Int, progress: ProgressSink? = nil
    ) {
        self.old = old
        self.new = new
        self.jobs = jobs
        self.progress = progress
    }

    /// A delta that was written.
    package struct Result: Sendable {
        package let manifest: DeltaManifest
        package let digest: FileDigest
        /// The most bytes of memory that applying takes.
        package var memory: Int { manifest.memory }
    }

    /// Writes the delta as a new file.
    ///
    /// - Parameter staging: an empty directory for its parts; they stay there.
    /// - Throws: ``DeltaError/sameRelease(version:)``, ``BuildError``, ``FileSystemError``,
    ///   ``ArchiveError``.
    package func build(
        _ name: String, in directory: Directory, staging: Directory
    ) async throws -> Result {
        guard old.release != new.release else {
            throw DeltaError.sameRelease(version: new.release.version.description)
        }
        let deflater = try Deflater(level: 1)
        let scratch = ByteBuffer(count: 64 << 10)
        let plan = try DeltaPlan(
            from: old.release, to: new.release, readOld: old.content, readNew: new.content
        ) { content in
            // The middle says more than the start, which is a header in many formats.
            let sample = content.dropFirst(max(0, content.count / 2 - 32 << 10)).prefix(60 << 10)
            return unsafe Array(sample).withUnsafeBytes { input in
                let room = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: scratch.bytes[..<(input.count * 15 / 16)])
                return unsafe deflater.compress(input, into: room) != nil
            }
        }
        let groups = makeGroups(plan)
        let streams = try await encode(groups, plan)
        try staging.makeDirectory("patches")
        for (index, stream) in streams.enumerated() {
            let file = try staging.createFile("\(DeltaManifest.patchesPrefix)\(index)")
            try file.write(stream.bytes)
            try file.close()
        }
        let buffer = ByteBuffer.forReading()
        for asset in plan.added {
            let path = DeltaManifest.filesPrefix + asset.path.description
            if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
                _ = try staging.makeDirectories(String(path[..<slash]))
            }
            try new.copy(asset, to: staging, as: path, buffer: buffer)
        }
        let manifest = manifest(plan, streams)
        let file = try staging.createFile(DeltaManifest.fileName)
        try file.write(manifest.encode())
        try file.close()
        let scan = try await BuildScan.scan(staging.path, jobs: jobs)
        let built = try await PackageBuilder(scan: scan, level: .max, jobs: jobs)
            .build(name, in: directory)
        return Result(manifest: manifest, digest: built.digest)
    }

    /// Writes the delta as a new file and proves it: it is applied, and the result hashed.
    ///
    /// - Parameter directory: a directory of this run's own; parts stay there.
    /// - Throws: what ``build(_:in:staging:)`` and ``DeltaApplier`` throw.
    package func buildProved(_ name: String, in directory: Directory) async throws -> Result {
        let parts = uniqueName()
        try directory.makeDirectory(parts)
        let result = try await build(name, in: directory, staging: directory.directory(parts))
        try directory.removeTree(parts)
        let proof = uniqueName()
        for part in ["", "/tree", "/work"] { try directory.makeDirectory(proof + part) }
        _ = try await DeltaApplier.apply(
            name, in: directory, to: old, into: directory.directory(proof + "/tree"),
            work: directory.directory(proof + "/work"), jobs: jobs, limits: limits,
            progress: progress, isProof: true)
        try directory.removeTree(proof)
        return result
    }

    private func manifest(_ plan: DeltaPlan, _ streams: [DeltaStreamEncoder.Stream])
        -> DeltaManifest
    {
        DeltaManifest(
            from: old.release.version, fromHash: old.release.packageHash, to: new.release.version,
            toHash: new.release.packageHash, delete: plan.deleted,
            copy: plan.copies.map { ($0.new.path, $0.old.path) }, add: plan.added.map(\.path),
            patch: streams.enumerated().map {
                .init(stream: "\(DeltaManifest.patchesPrefix)\($0)", memory: $1.memory)
            })
    }

    // MARK: Streams

    /// What one stream makes.
    private struct Group: Sendable {
        var listing = DeltaListing(dictionary: [], files: [])
        /// The new assets, and which piece of each.
        var pieces: [(asset: Asset, offset: Int, length: Int)] = []
        var novelBytes = 0
    }

    private func makeGroups(_ plan: DeltaPlan) -> [Group] {
        let newPaths = Set(new.release.assets.map(\.path))
        var groups: [Group] = []
        // Source maps resemble nothing but each other, and are large: they get streams of their own.
        for isMap in [false, true] {
            let coded = plan.coded.filter { DeltaListing.isSourceMap($0.asset.path.bytes) == isMap }
            var part = split(coded, newPaths)
            let idle = plan.gone.filter {
                DeltaListing.isSourceMap(old.release.assets[$0].path.bytes) == isMap
            }
            addIdleFiles(idle, to: &part)
            groups += part
        }
        let total = max(1, plan.coded.reduce(0) { $0 + Int($1.asset.size) })
        for index in groups.indices {
            groups[index].novelBytes = Int(
                Double(plan.novelBytes) * Double(groups[index].listing.outputSize) / Double(total))
        }
        return groups
    }

    /// Splits files into streams, with their bases.
    private func split(_ files: [DeltaPlan.Coded], _ newPaths: Set<AssetPath>) -> [Group] {
        var groups: [Group] = []
        var group = Group()
        var output = 0
        var segments: [Int: DeltaListing.Segment] = [:]
        func finish() {
            guard !group.pieces.isEmpty else { return }
            group.listing.dictionary = segments.values.sorted { $0.file < $1.file }
            groups.append(group)
            group = Group()
            output = 0
            segments = [:]
        }
        for coded in files {
            let size = Int(coded.asset.size)
            let bases = segments.values.reduce(0) { $0 + $1.length }
            if output + size > Self.streamOutput || bases > Self.basesOfAStream { finish() }
            var offset = 0
            repeat {
                let length = min(size - offset, Self.streamOutput)
                if let base = coded.base {
                    segments[base] = segment(base, offset, length, isWhole: length == size)
                }
                group.listing.files.append(
                    .init(
                        path: coded.asset.path.bytes, size: length, base: coded.base,
                        keepsBase: keeps(coded, newPaths), isContinued: offset > 0, edit: nil))
                group.pieces.append((coded.asset, offset, length))
                offset += length
                output += length
                if offset < size { finish() }
            } while offset < size
        }
        finish()
        return groups
    }

    /// Adds all old files that changed or went to every dictionary, where they are not too large.
    private func addIdleFiles(_ gone: [Int], to groups: inout [Group]) {
        let bytes = gone.reduce(0) { $0 + Int(old.release.assets[$1].size) }
        guard bytes <= Self.idleDictionary else { return }
        for index in groups.indices {
            let known = Set(groups[index].listing.dictionary.map(\.file))
            groups[index].listing.dictionary += gone.filter { !known.contains($0) }.map {
                .init(file: $0, offset: 0, length: Int(old.release.assets[$0].size))
            }
            groups[index].listing.dictionary.sort { $0.file < $1.file }
        }
    }

    private func keeps(_ coded: DeltaPlan.Coded, _ newPaths: Set<AssetPath>) -> Bool {
        guard let base = coded.base else { return false }
        let path = old.release.assets[base].path
        return path != coded.asset.path && newPaths.contains(path)
    }

    /// The piece of an old file that goes with a piece of a new one.
    private func segment(
        _ file: Int, _ offset: Int, _ length: Int, isWhole: Bool
    ) -> DeltaListing.Segment {
        let size = Int(old.release.assets[file].size)
        if isWhole, size <= 2 * Self.streamOutput {
            return .init(file: file, offset: 0, length: size)
        }
        let start = max(0, min(offset - Self.margin, size))
        return .init(
            file: file, offset: start,
            length: max(0, min(size, offset + length + Self.margin) - start))
    }

    private func encode(
        _ groups: [Group], _ plan: DeltaPlan
    ) async throws -> [DeltaStreamEncoder.Stream] {
        let files = old.release.assets.map {
            DeltaListing.OldFile(path: $0.path.bytes, size: Int($0.size))
        }
        let encoder = DeltaStreamEncoder(old: files, limits: limits)
        let total = max(1, groups.reduce(0) { $0 + $1.listing.outputSize })
        let counter = ProgressCounter(
            phase: .packing, total: UInt64(total), sink: progress)
        let (old, new) = (old, new)
        return try await mapInParallel(
            count: groups.count, jobs: jobs, makeState: { 0 }
        ) { _, index in
            let group = groups[index]
            var content: [UInt8] = []
            for piece in group.pieces {
                let whole = try new.content(piece.asset)
                content += whole[piece.offset..<(piece.offset + piece.length)]
            }
            let limit = Int(
                Double(Self.codedLimit) * Double(group.listing.outputSize) / Double(total))
            let stream = try unsafe encoder.encode(
                group.listing, content: content, novelBytes: group.novelBytes,
                codedLimit: max(limit, 1 << 16)
            ) { segment, buffer in
                try unsafe old.load(
                    old.release.assets[segment.file], at: segment.offset, into: buffer)
            }
            counter.add(UInt64(content.count))
            return stream
        }
    }
}
