import PackCore

/// A directory for the time of one piece of work, gone however that ends.
enum TemporaryDirectory {
    /// Makes a directory under a name that only this run knows, and removes it afterwards.
    static func with<Result>(
        in parent: Directory, _ body: (Directory, String) async throws -> Result
    ) async throws -> Result {
        let name = ".\(uniqueName()).packtool"
        Interruption.willMake(name, in: parent)
        try parent.makeDirectory(name)
        do {
            let result = try await body(try parent.directory(name), name)
            try parent.removeTree(name)
            return result
        } catch {
            try? parent.removeTree(name)
            throw error
        }
    }

    /// The same in the system's place for such directories.
    static func with<Result>(
        _ body: (Directory) async throws -> Result
    ) async throws -> Result {
        try await with(in: try Directory.open(Surroundings.temporaryDirectory)) { directory, _ in
            try await body(directory)
        }
    }
}
