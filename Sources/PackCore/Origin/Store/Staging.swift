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

    /// Removes it with all that is still in it.
    package func discard() throws { try remove() }
}
