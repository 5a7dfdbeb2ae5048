import PackGround

/// A directory for the time of one piece of work, gone however that ends.
///
/// A kill leaves it; the next run that makes one in the same place takes it away.
enum TemporaryDirectory {
    /// Makes a directory under a name that only this run knows, and removes it afterwards.
    static func with<Result>(
        in parent: Directory, _ console: Console, _ body: (Directory) async throws -> Result
    ) async throws -> Result {
        var names: [String] = []
        let scratch = try ScratchDirectory.make(in: parent) {
            names.append($0)
            console.interruption.willMake($0, in: parent)
        }
        defer { console.interruption.isDone(with: names) }
        let result: Result
        do {
            result = try await body(scratch.content)
        } catch {
            try? scratch.remove()
            throw error
        }
        do throws(FileSystemError) {
            try scratch.remove()
        } catch {
            throw TemporaryLeft(cause: error)
        }
        return result
    }

    /// The same in the system's place for such directories.
    static func with<Result>(
        _ console: Console, _ body: (Directory) async throws -> Result
    ) async throws -> Result {
        try await with(
            in: Directory.open(console.environment.temporaryDirectory), console, body)
    }
}

/// The work was done, but its temporary directory could not be removed.
struct TemporaryLeft: Remedied {
    let cause: FileSystemError

    var code: String { cause.code }
    var description: String { cause.description }
    var unaffected: String? { "the output, which is complete and in place" }
    var remedy: String { "remove it, or leave that to the next run that writes beside it" }
}
