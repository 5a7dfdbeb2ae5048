package import PackGround
package import PackRelease
import PackZip

/// Writes a package, then verifies it: reads it back through libarchive and compares every hash.
package struct PackageBuilder: Sendable {
    private let scan: BuildScan
    private let level: CompressionLevel
    private let jobs: Int
    private let progress: ProgressSink?

    package init(scan: BuildScan, level: CompressionLevel, jobs: Int, progress: ProgressSink? = nil)
    {
        self.scan = scan
        self.level = level
        self.jobs = jobs
        self.progress = progress
    }

    /// A written and verified package.
    package struct Result: Sendable {
        package let written: PackageWriter.Summary
        package let digest: FileDigest
        package let notes: [String]
    }

    /// Builds the package as a new file.
    ///
    /// - Parameter reuse: An earlier package to copy unchanged entries from. If the verification
    ///   then fails (two contents with one CRC-32, or a damaged archive), the package is rebuilt
    ///   without it.
    /// - Throws: ``Failure``, also for names that cannot be packaged.
    package func build(
        _ name: String, in directory: Directory, reuse: ReuseArchive? = nil
    ) async throws -> Result {
        try scan.release.checkPortable(root: scan.directory.path)
        guard let reuse else { return try await build(name, directory, nil, notes: []) }
        do {
            return try await build(name, directory, reuse, notes: [])
        } catch let error as Failure where error.code.isOf("archive") {
            try directory.removeFile(name)
            return try await build(
                name, directory, nil,
                notes: ["no entry of the earlier package was reused: \(error)"])
        }
    }

    /// Writes the package without reading it back, to measure its size only.
    ///
    /// - Parameter reuse: An earlier package to copy unchanged entries from.
    /// - Throws: The errors of ``build(_:in:reuse:)``.
    package func measure(
        _ name: String, in directory: Directory, reuse: ReuseArchive? = nil
    ) async throws -> FileDigest {
        try scan.release.checkPortable(root: scan.directory.path)
        let file = try directory.createFile(name)
        _ = try await PackageWriter(
            scan: scan, level: level, reuse: reuse, jobs: jobs, progress: progress
        ).write(to: file)
        try file.close()
        guard let digest = try FileDigest.read(name, in: directory, buffer: .forReading()) else {
            throw Failure.archive(.wrongSize, archive: directory.display(name))
        }
        return digest
    }

    private func build(
        _ name: String, _ directory: Directory, _ reuse: ReuseArchive?, notes: [String]
    ) async throws -> Result {
        let writer = PackageWriter(
            scan: scan, level: level, reuse: reuse, jobs: jobs, progress: progress)
        let file = try directory.createFile(name)
        let summary = try await writer.write(to: file)
        try file.close()
        try await PackageReader(name, in: directory, expecting: scan.release)
            .prove(
                reused: reuse?.isProved == true ? summary.reused : [], jobs: jobs,
                progress: progress)
        guard let digest = try FileDigest.read(name, in: directory, buffer: .forReading()),
            digest.size == summary.size
        else { throw Failure.archive(.wrongSize, archive: directory.display(name)) }
        return Result(written: summary, digest: digest, notes: notes)
    }
}
