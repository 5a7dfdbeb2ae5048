import Foundation
package import PackGround

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A directory of a test's own.
///
/// `with` hands it to a closure: Swift may end a variable's life after its last use, which would remove the
/// directory under paths that were derived from it.
package struct TemporaryFolder: Sendable {
    package let path: String

    /// A folder that exists.
    package init(path: String) { self.path = path }

    /// Where temporary folders are made: in memory where there is room, since the publisher syncs whole file
    /// systems, and a test should not wait for what others write to the disk.
    private static let memory: String = {
        var status = statvfs()
        guard access("/dev/shm", W_OK) == 0, statvfs("/dev/shm", &status) == 0,
            UInt64(status.f_bavail) * UInt64(status.f_frsize) >= 2 << 30
        else { return disk }
        return "/dev/shm"
    }()

    private static let disk = resolvedPath(NSTemporaryDirectory())

    /// Makes a folder; the caller removes it.
    ///
    /// - Parameter inMemory: `false` for content that is larger than a machine's memory, or for another file
    ///   system than the other folders'.
    package static func make(inMemory: Bool = true) throws -> TemporaryFolder {
        let folder = TemporaryFolder(
            path: (inMemory ? memory : disk) + "/packtool-tests-" + uniqueName())
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: false)
        return folder
    }

    /// Makes a folder that is removed when the body ends.
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
            // rm walks relative to descriptors, so that names and depths Foundation cannot spell go too.
            _ = try? Child.run(
                ["rm", "-rf", "--", path], in: "/", environment: ["PATH": "/usr/bin:/bin"])
        }
    }

    /// A path below this folder.
    package func file(_ name: String) -> String { path + "/" + name }

    package func makeFolder(_ name: String) throws -> TemporaryFolder {
        try FileManager.default.createDirectory(
            atPath: file(name), withIntermediateDirectories: true)
        return TemporaryFolder(path: file(name))
    }

    /// Writes a file, its directories too.
    ///
    /// Names are bytes: not every name a disk holds is UTF-8.
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

    /// Every name below this folder with its kind and size: what a test compares to see that nothing
    /// outside its target was touched.
    package func listing() throws -> [String] {
        var lines: [String] = []
        func visit(_ directory: Directory, _ prefix: String) throws {
            for bytes in try directory.names() {
                let name = String(decoding: bytes, as: UTF8.self)
                guard let status = try directory.status(name) else { continue }
                let size = status.kind == .file ? " \(status.size)" : ""
                lines.append("\(prefix)\(printable(bytes)) \(status.kind)\(size)")
                if status.kind == .directory {
                    try visit(directory.directory(name), prefix + printable(bytes) + "/")
                }
            }
        }
        try visit(directory(), "")
        return lines
    }

    /// The path of a name as the system wants it.
    package func systemPath(_ name: [UInt8]) -> [CChar] {
        (Array(path.utf8) + [UInt8(ascii: "/")] + name + [0]).map { CChar(bitPattern: $0) }
    }

    private func failure(_ name: [UInt8]) -> FileSystemError {
        FileSystemError(operation: "write", path: path + "/" + printable(name), number: errno)
    }
}

// The method above shares its name with the C function.
private func systemWrite(_ descriptor: Int32, _ base: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, base, count)
}
