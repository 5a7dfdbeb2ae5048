import Foundation
package import PackGround

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A directory for a single test.
///
/// Use `with`: Swift may end a variable's lifetime after its last use, which would delete the
/// directory while derived paths are still used.
package struct TemporaryFolder: Sendable {
    package let path: String

    /// Wraps an existing folder.
    package init(path: String) { self.path = path }

    /// The parent of temporary folders.
    ///
    /// In memory if there is space, because the publisher syncs whole file systems and would wait
    /// for writes of other processes.
    private static let memory: String = {
        var status = statvfs()
        guard access("/dev/shm", W_OK) == 0, statvfs("/dev/shm", &status) == 0,
            UInt64(status.f_bavail) * UInt64(status.f_frsize) >= 2 << 30
        else { return disk }
        return "/dev/shm"
    }()

    package static let isInMemory = memory != disk

    private static let disk = resolvedPath(NSTemporaryDirectory())

    /// Creates a folder that the caller removes.
    ///
    /// - Parameter inMemory: `false` for content larger than a machine's memory, or to use a
    ///   different file system.
    package static func make(inMemory: Bool = true) throws -> TemporaryFolder {
        let folder = TemporaryFolder(
            path: (inMemory ? memory : disk) + "/packtool-tests-" + uniqueName())
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: false)
        return folder
    }

    /// Creates a folder and removes it after the body.
    package static func with<Result>(
        isolation: isolated (any Actor)? = #isolation, inMemory: Bool = true,
        _ body: (TemporaryFolder) async throws -> Result
    ) async throws -> Result {
        let folder = try make(inMemory: inMemory)
        defer { folder.remove() }
        return try await body(folder)
    }

    package func remove() {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // rm uses relative descriptors, so it also removes names and depths that Foundation
            // cannot handle.
            _ = try? Child.run(
                ["rm", "-rf", "--", path], in: "/", environment: ["PATH": "/usr/bin:/bin"])
        }
    }

    /// A path in this folder.
    package func file(_ name: String) -> String { path + "/" + name }

    package func makeFolder(_ name: String) throws -> TemporaryFolder {
        try FileManager.default.createDirectory(
            atPath: file(name), withIntermediateDirectories: true)
        return TemporaryFolder(path: file(name))
    }

    /// Writes a file and creates its directories.
    ///
    /// Names are bytes, because file names need not be UTF-8.
    @discardableResult
    package func write(_ content: [UInt8], as name: [UInt8]) throws -> String {
        for slash in name.indices where name[slash] == UInt8(ascii: "/") {
            _ = mkdir(systemPath(Array(name[..<slash])), 0o755)
        }
        let descriptor = open(systemPath(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw failure(name) }
        defer { close(descriptor) }
        var done = 0
        while done < content.count {
            let count = content.withUnsafeBytes { buffer in
                systemWrite(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
            }
            guard count > 0 else { throw failure(name) }
            done += count
        }
        return file(String(decoding: name, as: UTF8.self))
    }

    @discardableResult
    package func write(_ content: [UInt8], as name: String) throws -> String {
        try write(content, as: Array(name.utf8))
    }

    package func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: file(name))))
    }

    package func directory() throws -> Directory { try Directory.open(path) }

    /// All names in this folder with kind and size, to check that other files are unchanged.
    ///
    /// - Parameter hashesFiles: Whether to add the hashes of readable files.
    package func listing(hashesFiles: Bool = false) throws -> [String] {
        var lines: [String] = []
        func visit(_ directory: Directory, _ prefix: String) throws {
            for bytes in try directory.names() {
                let name = String(decoding: bytes, as: UTF8.self)
                guard let status = try directory.status(name) else { continue }
                var line = "\(prefix)\(printable(bytes)) \(status.kind)"
                if status.kind == .file { line += " \(status.size)" }
                if hashesFiles, status.kind == .file,
                    let content = try? directory.readFile(name, limit: 1 << 40)
                {
                    line += " \(StreamHasher.digest(of: content))"
                }
                lines.append(line)
                if status.kind == .directory, let inner = try? directory.directory(name) {
                    try visit(inner, prefix + printable(bytes) + "/")
                }
            }
        }
        try visit(directory(), "")
        return lines
    }

    /// The path of a name as a C string.
    package func systemPath(_ name: [UInt8]) -> [CChar] {
        (Array(path.utf8) + [UInt8(ascii: "/")] + name + [0]).map { CChar(bitPattern: $0) }
    }

    private func failure(_ name: [UInt8]) -> Failure {
        Failure.fileSystem("write", path + "/" + printable(name), number: errno)
    }
}

// The method above has the same name as the C function.
private func systemWrite(_ descriptor: Int32, _ base: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, base, count)
}
