/// An error with its effects and a remedy.
///
/// Every error thrown out of `PackCore` conforms. The command line prints the texts; scripts read
/// ``code``, which never changes once released.
package protocol Remedied: Error, CustomStringConvertible, Sendable {
    /// A stable dotted identifier such as `build.changed-while-read`.
    var code: String { get }
    /// The failure and the name or path it concerns.
    var description: String { get }
    /// What the failure left unchanged; `nil` unless a reader could worry about it.
    var unaffected: String? { get }
    /// The next step for the user, in the imperative.
    var remedy: String { get }
    /// The exit code of the failure.
    var exitCode: ExitCode { get }
}

extension Remedied {
    package var unaffected: String? { nil }
    package var exitCode: ExitCode { .couldNotDo }
}
