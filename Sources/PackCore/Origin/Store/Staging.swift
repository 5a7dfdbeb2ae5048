package import PackGround

/// A directory of this machine for files that are not public yet.
///
/// A store that is a directory has it on its own file system, so that publishing a file is only a rename or link.
package final class Staging: Sendable {
    package let directory: Directory
    private let remove: @Sendable () throws -> Void

    package init(_ directory: Directory, remove: @escaping @Sendable () throws -> Void) {
        self.directory = directory
        self.remove = remove
    }

    /// Makes a staging in a temporary directory, for a store that is not a directory of this machine.
    package convenience init(below scratch: String) throws {
        let parent = try Directory.open(scratch)
        let name = "packtool-\(uniqueName())"
        try parent.makeDirectory(name)
        self.init(try parent.directory(name)) { try parent.removeTree(name) }
    }

    /// Runs `body` with a temporary directory that is removed afterwards.
    package static func temporary<Result>(
        below scratch: String, _ body: (Directory) async throws -> Result
    ) async throws -> Result {
        let staging = try Staging(below: scratch)
        do {
            let result = try await body(staging.directory)
            try staging.discard()
            return result
        } catch {
            try? staging.discard()
            throw error
        }
    }

    /// Removes it with all that is still in it.
    package func discard() throws { try remove() }
}
