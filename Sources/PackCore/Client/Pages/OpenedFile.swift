package import PackGround

/// An open regular file below a directory.
package struct OpenedFile: ~Copyable {
    package let descriptor: OwnedDescriptor
    package let status: FileStatus

    /// Opens a file; symbolic links are not followed.
    ///
    /// - Returns: `nil` if the path is not a regular file's.
    /// - Throws: ``Failure`` if the machine, not the path, is the reason.
    package static func open(_ path: String, in root: Directory) throws(Failure) -> OpenedFile? {
        let descriptor: OwnedDescriptor
        do {
            descriptor = try root.openFile(path)
        } catch {
            if error.isLocalOrTransient { throw error }
            return nil
        }
        let status = try descriptor.status()
        guard status.kind == .file else { return nil }
        return OpenedFile(descriptor: descriptor, status: status)
    }

    /// The descriptor alone.
    package consuming func release() -> OwnedDescriptor { descriptor }
}
