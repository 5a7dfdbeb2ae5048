/// Room on this machine for what is made for an origin, before it has its places.
///
/// A store that is a directory has it on its own file system, so that naming is all that is left to do.
package final class Staging: Sendable {
    package let directory: Directory
    private let remove: @Sendable () throws -> Void

    init(_ directory: Directory, remove: @escaping @Sendable () throws -> Void) {
        self.directory = directory
        self.remove = remove
    }

    /// Removes it with all that is still in it.
    func discard() throws { try remove() }
}
