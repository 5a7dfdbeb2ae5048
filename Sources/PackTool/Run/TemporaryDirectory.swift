import PackGround

/// A directory that is removed after an operation, whether it succeeds or fails.
///
/// A killed process leaves it; the next run that creates one in the same parent removes it.
enum TemporaryDirectory {
    /// Creates a directory with a unique name, and removes it afterwards.
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
        do throws(Failure) {
            try scratch.remove()
        } catch {
            throw Failure.runTemporaryLeft(error)
        }
        return result
    }

    /// Creates the directory in the system's directory for temporary files.
    static func with<Result>(
        _ console: Console, _ body: (Directory) async throws -> Result
    ) async throws -> Result {
        try await with(
            in: Directory.open(console.environment.temporaryDirectory), console, body)
    }
}

extension Failure.Code {
    static let runTemporaryLeft = Self("run.temporary-left")
}

extension Failure {
    /// The temporary directory of a successful operation could not be removed.
    fileprivate static func runTemporaryLeft(_ cause: Failure) -> Failure {
        Failure(
            .runTemporaryLeft, cause.description, unaffected: "the output, which is complete")
    }
}
