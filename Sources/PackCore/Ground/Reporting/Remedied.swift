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
    var failure: FailureKind { get }
}

extension Remedied {
    package var unaffected: String? { nil }
    package var failure: FailureKind { .couldNotDo }
}

/// The kinds of failure that have their own exit code.
package enum FailureKind: Int32, Sendable {
    /// Findings, or a verification that failed.
    case verification = 1
    /// The input or I/O made it impossible.
    case couldNotDo = 2
    /// Another publisher was active or was faster.
    case conflict = 3
    /// The command line was wrong.
    case usage = 64
}
