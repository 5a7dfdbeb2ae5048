/// The directory that relative paths start from.
///
/// A process has one. A run of a command may have its own instead, which all its child tasks inherit, so that several
/// runs in one process can each be in another directory. Messages still name paths as they were given.
package enum WorkingDirectory {
    /// An absolute path; `nil` for that of the process.
    @TaskLocal private static var path: String?

    /// Runs a body that is in a directory.
    ///
    /// - Parameter path: absolute; `nil` changes nothing.
    package static func with<Result>(
        isolation: isolated (any Actor)? = #isolation, _ path: String?,
        _ body: () async throws -> Result
    ) async throws -> Result {
        guard let path else { return try await body() }
        return try await $path.withValue(path, operation: body)
    }

    /// The path that the system gets for one that a user gave.
    package static func locate(_ given: String) -> String {
        guard let path, !given.isEmpty, !given.utf8.starts(with: "/".utf8) else { return given }
        return path + "/" + given
    }
}
