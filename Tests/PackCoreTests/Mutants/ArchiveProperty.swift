import PackArchive
import PackGround
import PackRelease
import PackZip
import TestSupport

/// A file that is overwritten with each mutant.
final class MutantFile: Sendable {
    let name: String
    private let file: OwnedDescriptor

    init(_ name: String, in directory: Directory) throws {
        self.name = name
        file = try directory.createFile(name)
    }

    func write(_ bytes: [UInt8]) throws {
        try file.write(bytes, at: 0)
        try file.seek(to: UInt64(bytes.count), truncating: true)
    }
}

/// The properties of any file read as an archive.
///
/// Violations are returned as sentences.
struct ArchiveProperty: Sendable {
    private let file: MutantFile
    private let directory: Directory
    private static let limits = ExtractionLimits(entries: 64, totalBytes: 1 << 20)

    /// - Parameter directory: An exclusive directory, in memory if possible.
    init(in directory: Directory) throws {
        self.directory = directory
        file = try MutantFile("a.zip", in: directory)
    }

    /// - Parameter isUnpacked: Whether to also unpack readable archives, which takes longer.
    /// - Returns: The problem, and whether the archive could be read.
    func check(_ bytes: [UInt8], isUnpacked: Bool) async throws -> (problem: String?, isRead: Bool)
    {
        try file.write(bytes)
        do {
            let structure = try ZipStructure.read(
                directory.openFile(file.name), limits: Self.limits)
            if let problem = Self.problem(structure, size: UInt64(bytes.count)) {
                return (problem, false)
            }
            if let first = structure.entries.first {
                _ = try? PackageReader.member(
                    of: file.name, in: directory,
                    named: String(decoding: first.name, as: UTF8.self),
                    limit: 2048, isFirst: true)
            }
            let release = try await PackageReader.release(
                of: file.name, in: directory, jobs: 1, limits: Self.limits)
            guard release.assets.map(\.path) == structure.paths.sorted() else {
                return ("the release has other paths than the archive", true)
            }
            if let problem = try await disagreement(about: release) { return (problem, true) }
            return (isUnpacked ? try await unpack(release) : nil, true)
        } catch let failure as Failure where failure.code.isOf("archive") {
            return (nil, false)
        }
    }

    /// The difference between the content that zlib has read and that of libarchive.
    private func disagreement(about release: Release) async throws -> String? {
        do {
            try await PackageReader(
                file.name, in: directory, expecting: release, limits: Self.limits
            ).prove(jobs: 1)
            return nil
        } catch let failure as Failure where failure.code.name == "archive.unreadable" {
            // libarchive may refuse more.
            return nil
        } catch {
            return "libarchive reads another content: \(error)"
        }
    }

    private static func problem(_ structure: ZipStructure, size: UInt64) -> String? {
        var end: UInt64 = 0
        for entry in structure.entries {
            guard entry.headerOffset == end, entry.dataOffset > end, entry.dataOffset <= size,
                entry.compressedSize <= size - entry.dataOffset
            else { return "the data of '\(printable(entry.name))' is not within the file" }
            end = entry.dataOffset + entry.compressedSize
        }
        return structure.files.count == structure.paths.count ? nil : "a file has no path"
    }

    private func unpack(_ release: Release) async throws -> String? {
        let target = try directory.makeDirectories("out")
        defer { try? directory.removeTree("out") }
        try await Unpacker(file.name, in: directory, expecting: release, limits: Self.limits)
            .unpack(into: target, jobs: 1)
        let scan = try await BuildScan.scan(target.path, jobs: 1)
        // Our writers never pack junk files, but they are unpacked like any other.
        return scan.release == release || !scan.leftOut.isEmpty
            ? nil : "unpacked as another release"
    }
}

/// The properties of any earlier package from which entries are copied.
struct ReuseProperty: Sendable {
    private let directory: Directory
    private let scan: BuildScan
    private let plain: [UInt8]
    let seed: [(entry: ZipEntry, data: [UInt8])]
    private let earlier: MutantFile

    /// Writes a small build into the directory and packs it.
    init(in directory: Directory) async throws {
        self.directory = directory
        earlier = try MutantFile("earlier.zip", in: directory)
        let build = try directory.makeDirectories("build")
        var contents = [
            "a.txt": "stored\n", "c": "", "e.bin": "\u{1}\u{2}",
            "d.css": String(repeating: "a{color:red}b{margin:\t0}", count: 60),
        ]
        // More entries than the sample that is compressed a second time.
        for number in 0..<10 {
            contents["\(number).js"] = String(
                repeating: "const a = \(number);\n", count: 6 + number)
        }
        for (name, content) in contents { try build.createFile(name).write(Array(content.utf8)) }
        scan = try await BuildScan.scan(build.path, jobs: 1)
        _ = try await PackageBuilder(scan: scan, level: .default, jobs: 1)
            .build("plain.zip", in: directory)
        plain = try directory.readFile("plain.zip", limit: 1 << 20)
        let file = try directory.openFile("plain.zip")
        seed = try ZipStructure.read(file, limits: .standard).entries.map {
            ($0, try file.bytes(at: $0.dataOffset, count: Int($0.compressedSize)))
        }
    }

    /// - Parameter isPublished: Whether the pointer contains the mutant's hash. If so, another
    ///   decoder reads its content.
    /// - Returns: The problem, and whether entries were copied.
    func check(_ bytes: [UInt8], isPublished: Bool) async throws -> (problem: String?, isUsed: Bool)
    {
        try earlier.write(bytes)
        try? directory.removeFile("new.zip")
        let published = ContentReference(
            url: "", sha256: StreamHasher.digest(of: bytes), size: UInt64(bytes.count))
        do {
            guard
                let reuse = try ReuseArchive.open(
                    earlier.name, in: directory, level: .default,
                    published: isPublished ? published : nil)
            else { return (nil, false) }
            let file = try directory.createFile("new.zip")
            let written = try await PackageWriter(
                scan: scan, level: .default, reuse: reuse, jobs: 1
            )
            .write(to: file)
            try await PackageReader("new.zip", in: directory, expecting: scan.release)
                .prove(reused: reuse.isProved ? written.reused : [], jobs: 1)
            let isUsed = written.reusedFiles > 0
            if try directory.readFile("new.zip", limit: 1 << 20) == plain { return (nil, isUsed) }
            // Copied in another form with the same content, which libarchive must confirm.
            let release = try await PackageReader.release(of: "new.zip", in: directory, jobs: 1)
            guard release == scan.release else { return ("another content was proved", true) }
            return (try copiesAnotherForm(reuse) ? nil : "the same entries give other bytes", true)
        } catch let failure as Failure where failure.code.isOf("archive") {
            return (nil, true)
        }
    }

    /// Whether the earlier package stores an asset's content in different bytes than a new package.
    private func copiesAnotherForm(_ reuse: ReuseArchive) throws -> Bool {
        let file = try directory.openFile(earlier.name)
        return try seed.contains { entry, data in
            guard let copied = reuse.entry(checksum: entry.checksum, size: entry.size) else {
                return false
            }
            return try copied.method != entry.method
                || file.bytes(at: copied.dataOffset, count: Int(copied.compressedSize)) != data
        }
    }
}
