/// An error that tells its reader what happened, what is still valid and what to do next.
///
/// Every error that leaves `PackCore` is one. The command line prints the four texts; scripts read
/// ``code``, which never changes once released.
package protocol Remedied: Error, CustomStringConvertible, Sendable {
    /// A stable dotted identifier such as `build.changed-while-read`.
    var code: String { get }
    /// What happened, and where.
    var description: String { get }
    /// What the reader can still rely on; `nil` where nothing was at stake.
    var stillValid: String? { get }
    /// What to do next.
    var remedy: String { get }
    /// Which of the contract's exit codes the failure stands for.
    var failure: FailureKind { get }
}

extension Remedied {
    package var stillValid: String? { nil }
    package var failure: FailureKind { .couldNotDo }
}

/// The classes of failure that the contract gives an exit code each (contract section 7).
package enum FailureKind: Int32, Sendable {
    /// Findings, or a verification that failed.
    case verification = 1
    /// It could not be done: input or I/O.
    case couldNotDo = 2
    /// Another publisher was at work or was faster.
    case conflict = 3
    /// The words of the command were wrong.
    case usage = 64
}
