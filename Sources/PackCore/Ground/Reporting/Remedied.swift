/// An error that says what happened, what is unaffected and what to do next.
///
/// Every error that leaves `PackCore` is one.
/// The command line prints the texts; scripts read ``code``, which never changes once released.
package protocol Remedied: Error, CustomStringConvertible, Sendable {
    /// A stable dotted identifier such as `build.changed-while-read`.
    var code: String { get }
    /// What happened, and where.
    var description: String { get }
    /// What the failure did not touch; `nil` unless a reader could worry about it.
    var unaffected: String? { get }
    /// What to do next.
    var remedy: String { get }
    /// The exit code of the failure.
    var exitCode: ExitCode { get }
}

extension Remedied {
    package var unaffected: String? { nil }
    package var exitCode: ExitCode { .couldNotDo }
}
