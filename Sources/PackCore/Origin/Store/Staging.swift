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

    /// Removes it with all that is still in it.
    package func discard() throws { try remove() }
}
