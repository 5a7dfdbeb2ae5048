import PackGround

/// Shows progress on standard error: on a terminal as one line if the work takes longer than a
/// second, otherwise as occasional log lines (``ProgressLog``).
final class ProgressMeter: Sendable {
    enum Form { case none, bar, log }

    private struct State {
        var started: Double?
        var drawn = 0.0
        var phase: Progress.Phase?
        var subject: String?
        var width = 0
        var isOver = false
        var log = ProgressLog()
    }

    private let form: Form
    private let isColored: Bool
    private let environment: ProcessEnvironment
    private let state = Locked(State())

    init(_ form: Form, _ environment: ProcessEnvironment) {
        self.form = form
        self.environment = environment
        isColored = environment.variable("NO_COLOR") == nil
    }

    func show(_ progress: Progress) {
        guard form != .none, progress.total > 0 else { return }
        let now = environment.monotonicSeconds()
        if form == .log {
            state.withLock { state in
                guard !state.isOver, let line = state.log.line(for: progress, now: now) else {
                    return
                }
                write(Text(line).string + "\n")
            }
            return
        }
        state.withLock { state in
            let started = state.started ?? now
            state.started = started
            // Uploads run beside other work; alternating lines would flicker.
            if progress.phase == .uploading, state.phase != .uploading, now - state.drawn < 0.5 {
                return
            }
            // Draw the start of another phase at once: its first piece may take long.
            let isStart =
                progress.done == 0
                && (progress.phase != state.phase || progress.subject != state.subject)
            guard !state.isOver, now - started > 1, now - state.drawn > 0.1 || isStart else {
                return
            }
            state.drawn = now
            state.phase = progress.phase
            state.subject = progress.subject
            let share = min(1, Double(progress.done) / Double(progress.total))
            let filled = Int(share * 24)
            let bar =
                String(repeating: "#", count: filled) + String(repeating: "-", count: 24 - filled)
            let shown = isColored ? "\u{1B}[36m\(bar)\u{1B}[0m" : bar
            let tail =
                " \(Int(share * 100)) %  \(readableSize(min(progress.done, progress.total)))"
                + " of \(readableSize(progress.total))"
                + (progress.subject.map { "  \($0)" } ?? "")
            let name = progress.phase.rawValue
            let head = name + String(repeating: " ", count: max(0, 11 - name.count))
            // A shorter line must cover the previous one.
            let width = head.count + 24 + tail.count
            let blanks = String(repeating: " ", count: max(0, state.width - width))
            write("\r" + head + shown + tail + blanks)
            state.width = width
        }
    }

    /// Removes the line, so that other output starts on its own line.
    func clear() {
        state.withLock { state in
            guard state.width > 0 else { return }
            write("\r" + String(repeating: " ", count: state.width) + "\r")
            state.width = 0
        }
    }

    /// Removes the line permanently: tasks still running draw no more.
    func end() {
        state.withLock { $0.isOver = true }
        clear()
    }

    private func write(_ text: String) {
        _ = environment.streams.write(Array(text.utf8), to: .errors)
    }
}
