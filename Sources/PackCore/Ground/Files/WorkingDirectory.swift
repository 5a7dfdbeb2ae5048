/// The directory that relative paths start from.
///
/// By default it is the process's. A command run can have its own, which its child tasks inherit,
/// so that several runs in one process can use different directories. Messages still show paths as
/// given.
package enum WorkingDirectory {
    /// An absolute path; `nil` is the process's working directory.
    @TaskLocal private static var path: String?

    /// Runs a body in a directory.
    ///
    /// - Parameter path: Absolute; `nil` changes nothing.
    package static func with<Result>(
        isolation: isolated (any Actor)? = #isolation, _ path: String?,
        _ body: () async throws -> Result
    ) async throws -> Result {
        guard let path else { return try await body() }
        return try await $path.withValue(path, operation: body)
    }

    /// The path to pass to the system for a user's path.
    package static func locate(_ given: String) -> String {
        guard let path, !given.isEmpty, !given.utf8.starts(with: "/".utf8) else { return given }
        return path + "/" + given
    }
}
