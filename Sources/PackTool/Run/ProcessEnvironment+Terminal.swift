extension ProcessEnvironment {
    /// Whether standard output is a terminal.
    var printsToTerminal: Bool { streams.isTerminal(.output) }

    /// Whether progress is drawn on one line.
    var drawsProgress: Bool { streams.isTerminal(.errors) && variable("TERM") != "dumb" }

    /// Whether a user can answer questions: standard input and standard error are terminals.
    var canAsk: Bool { streams.isTerminal(.input) && streams.isTerminal(.errors) }

    /// The style of text on standard output.
    func textStyle(_ color: ColorChoice) -> TextStyle {
        TextStyle(columns: columns, isColored: isColored(color))
    }

    /// `NO_COLOR` (no-color.org) and `CLICOLOR_FORCE` (bixense.com/clicolors) override the
    /// terminal's capabilities.
    private func isColored(_ color: ColorChoice) -> Bool {
        switch color {
        case .always: return true
        case .never: return false
        case .auto:
            if variable("NO_COLOR") != nil { return false }
            if let force = variable("CLICOLOR_FORCE"), force != "0" { return true }
            return printsToTerminal && variable("TERM") != "dumb"
                && variable("CLICOLOR") != "0"
        }
    }

    /// `COLUMNS`, or the width of the terminal; `nil` without either.
    private var columns: Int? {
        let widths = 20...10_000
        if let text = variable("COLUMNS"), let columns = Int(text), widths.contains(columns) {
            return columns
        }
        guard printsToTerminal, let width = streams.terminalWidth, widths.contains(width) else {
            return nil
        }
        return width
    }
}
