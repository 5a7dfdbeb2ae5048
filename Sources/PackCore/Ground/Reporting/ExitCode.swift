/// The exit codes of the command line, except 0; scripts depend on their numbers.
package enum ExitCode: Int32, Sendable {
    /// Findings, or a failed verification.
    case verification = 1
    /// An operational error: missing file, full disk, network failure.
    case couldNotDo = 2
    /// Another publisher was active or published first.
    case conflict = 3
    /// Invalid command-line usage.
    case usage = 64
}
