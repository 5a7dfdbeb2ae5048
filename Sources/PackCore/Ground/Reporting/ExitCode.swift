/// The exit codes of the command line, except 0; scripts depend on their numbers.
package enum ExitCode: Int32, Sendable {
    /// Findings, or a verification that failed.
    case verification = 1
    /// The input or I/O made it impossible.
    case couldNotDo = 2
    /// Another publisher was active or was faster.
    case conflict = 3
    /// The command line was wrong.
    case usage = 64
}
