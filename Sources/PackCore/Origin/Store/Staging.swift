package import PackGround

/// A local directory for unpublished files.
///
/// A directory store has its staging on the same file system, so publishing a file is only a rename
/// or link.
package final class Staging: Sendable {
    package let directory: Directory
    private let remove: @Sendable () throws -> Void

    package init(_ directory: Directory, remove: @escaping @Sendable () throws -> Void) {
        self.directory = directory
        self.remove = remove
    }

    /// Creates a staging in a temporary directory, for stores other than directories.
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

    /// Removes the directory with its remaining files.
    package func discard() throws { try remove() }
}
