package import PackArchive
import PackGround
package import PackRelease

/// A build output in memory: names and contents in the given order.
///
/// Not a dictionary, in which names with different Unicode spellings would be equal keys.
package struct Site: Sendable, ExpressibleByDictionaryLiteral {
    package struct File: Sendable {
        package let name: [UInt8]
        package let content: [UInt8]

        package init(name: [UInt8], content: [UInt8]) {
            self.name = name
            self.content = content
        }
    }

    package var files: [File]

    package init(files: [File]) { self.files = files }

    package init(dictionaryLiteral elements: (String, String)...) {
        files = elements.map { File(name: Array($0.utf8), content: Array($1.utf8)) }
    }

    package mutating func add(_ name: String, _ content: [UInt8]) {
        files.append(File(name: Array(name.utf8), content: content))
    }

    package func write(to folder: TemporaryFolder) throws {
        for file in files { try folder.write(file.content, as: file.name) }
    }

    /// The expected result of a scan, without using a disk.
    package func release() throws -> Release {
        Release(
            assets: try files.map {
                Asset(
                    path: try AssetPath($0.name), size: UInt64($0.content.count),
                    sha256: StreamHasher.digest(of: $0.content))
            })
    }

    package func scan(in folder: TemporaryFolder, jobs: Int = 2) async throws -> BuildScan {
        try write(to: folder)
        return try await BuildScan.scan(folder.path, jobs: jobs)
    }
}

extension BuildScan {
    /// Builds a package of this scan in a folder.
    @discardableResult
    package func package(
        _ name: String, in folder: TemporaryFolder, level: CompressionLevel = .default,
        jobs: Int = 2,
        reuse: ReuseArchive? = nil
    ) async throws -> PackageBuilder.Result {
        try await PackageBuilder(scan: self, level: level, jobs: jobs)
            .build(name, in: folder.directory(), reuse: reuse)
    }
}
