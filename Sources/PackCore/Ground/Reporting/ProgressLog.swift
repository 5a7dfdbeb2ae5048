/// Log lines about a long operation: the first after ten seconds, then at most one in twenty.
///
/// Logs keep every line, so short operations write none.
package struct ProgressLog: Sendable {
    /// In seconds.
    package static let delay = 10.0
    package static let interval = 20.0

    private var started: Double?
    private var written: Double?

    package init() {}

    /// The line to print for a progress report.
    ///
    /// - Parameter now: Seconds of any monotonic clock.
    /// - Returns: A line if one is due.
    package mutating func line(for progress: Progress, now: Double) -> String? {
        guard progress.total > 0 else { return nil }
        let start = started ?? now
        started = start
        guard now - start >= Self.delay, written.map({ now - $0 >= Self.interval }) ?? true else {
            return nil
        }
        written = now
        let done = min(progress.done, progress.total)
        let percent = Int(Double(done) / Double(progress.total) * 100)
        let subject = progress.subject.map { " \($0)" } ?? ""
        return "\(progress.phase.rawValue)\(subject): \(percent) %, \(readableSize(done)) of "
            + "\(readableSize(progress.total)) after \(Int(now - start)) s"
    }
}
