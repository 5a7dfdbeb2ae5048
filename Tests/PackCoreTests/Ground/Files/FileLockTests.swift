import Foundation
import PackGround
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

struct FileLockTests {
    @Test func onlyOneOwner() async throws {
        try await TemporaryFolder.with { folder in
            let directory = try folder.directory()
            let lock = try FileLock(in: directory, name: "lock")
            #expect(try isTaken(directory))
            _ = consume lock
            #expect(try !isTaken(directory))
        }
    }

    /// Regression: a lock stayed held while a child process had a copy of its descriptor, as every
    /// child does between fork and `exec`.
    @Test func regressionAChildWithACopyOfTheDescriptor() async throws {
        try await TemporaryFolder.with { folder in
            let directory = try folder.directory()
            let lock = try FileLock(in: directory, name: "lock")
            let child = try startChild(holding: descriptor(of: folder.file("lock")))
            defer {
                kill(child, SIGKILL)
                waitpid(child, nil, 0)
            }
            #expect(try isTaken(directory))
            _ = consume lock
            #expect(try !isTaken(directory))
            #expect(kill(child, 0) == 0 && waitpid(child, nil, WNOHANG) == 0, "the child has ended")
        }
    }

    private func isTaken(_ directory: Directory) throws -> Bool {
        let lock = try FileLock(in: directory, name: "lock")
        return lock == nil
    }

    /// The descriptor with which this process has a file open.
    private func descriptor(of path: String) throws -> Int32 {
        var file = stat()
        try #require(stat(path, &file) == 0)
        return try #require(
            (3..<Int32(getdtablesize())).first {
                var open = stat()
                return fstat($0, &open) == 0 && open.st_ino == file.st_ino
                    && open.st_dev == file.st_dev
            })
    }

    /// Starts a process whose standard input is a copy of the descriptor.
    private func startChild(holding descriptor: Int32) throws -> pid_t {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
        #else
            var actions: posix_spawn_file_actions_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, descriptor, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("600"), nil]
        var variables: [UnsafeMutablePointer<CChar>?] = [nil]
        defer { for text in arguments { free(text) } }
        var child: pid_t = 0
        let number = posix_spawn(&child, "/bin/sleep", &actions, nil, &arguments, &variables)
        try #require(number == 0)
        return child
    }
}
