import PackCore

/// A build output in memory: names and contents, in the order given.
///
/// Not a dictionary: names that differ only in Unicode spelling would be one key.
struct Site: Sendable, ExpressibleByDictionaryLiteral {
    struct File: Sendable {
        let name: [UInt8]
        let content: [UInt8]
    }

    var files: [File]

    init(files: [File]) { self.files = files }

    init(dictionaryLiteral elements: (String, String)...) {
        files = elements.map { File(name: Array($0.utf8), content: Array($1.utf8)) }
    }

    mutating func add(_ name: String, _ content: [UInt8]) {
        files.append(File(name: Array(name.utf8), content: content))
    }

    func write(to folder: TemporaryFolder) throws {
        for file in files { try folder.write(file.content, as: file.name) }
    }

    /// What a scan of this site has to find, without a disk.
    func release() throws -> Release {
        Release(
            assets: try files.map {
                Asset(
                    path: try AssetPath($0.name), size: UInt64($0.content.count),
                    sha256: StreamHasher.digest(of: $0.content))
            })
    }

    func scan(in folder: TemporaryFolder, jobs: Int = 2) async throws -> BuildScan {
        try write(to: folder)
        return try await BuildScan.scan(folder.path, jobs: jobs)
    }
}

extension BuildScan {
    /// Builds a package of this scan in a folder.
    @discardableResult
    func package(
        _ name: String, in folder: TemporaryFolder, level: CompressionLevel = .default,
        jobs: Int = 2,
        reuse: ReuseArchive? = nil
    ) async throws -> PackageBuilder.Result {
        try await PackageBuilder(scan: self, level: level, jobs: jobs)
            .build(name, in: folder.directory(), reuse: reuse)
    }
}

/// Repeatable noise (SplitMix64): the same seed gives the same bytes on every machine.
struct Noise: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// Bytes that no compressor shrinks.
    mutating func bytes(_ count: Int) -> [UInt8] {
        var words = [UInt64](repeating: 0, count: (count + 7) / 8)
        for index in words.indices { words[index] = next() }
        return words.withUnsafeBytes { Array($0.prefix(count)) }
    }

    /// Text that compresses about as well as a script does.
    mutating func text(_ count: Int) -> [UInt8] {
        let words = [
            "const ", "return ", "function ", "=>", "{", "}", "(", ")", "index", "basket", ";\n",
            "12", "7",
        ].map { Array($0.utf8) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 16)
        while bytes.count < min(count, 1 << 16) {
            bytes += words[Int(next() % UInt64(words.count))]
        }
        // Longer texts repeat themselves, from a new place each time, so that they are quick to make.
        while bytes.count < count {
            let start = Int(next() % (1 << 15))
            bytes += bytes[start..<(start + (1 << 14))]
        }
        return Array(bytes.prefix(count))
    }
}
