import PackCore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Surroundings {
    /// Whether a person reads standard output as it is printed.
    static var printsToTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// How text on standard output is shown.
    static func textStyle(_ color: ColorChoice) -> TextStyle {
        TextStyle(columns: columns, isColored: isColored(color))
    }

    /// `NO_COLOR` (no-color.org) and `CLICOLOR_FORCE` (bixense.com/clicolors) replace what a terminal says.
    private static func isColored(_ color: ColorChoice) -> Bool {
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

    /// `COLUMNS`, or the width of the terminal; `nil` where there is neither.
    private static var columns: Int? {
        let widths = 20...10_000
        if let text = variable("COLUMNS"), let columns = Int(text), widths.contains(columns) {
            return columns
        }
        var size = winsize()
        guard printsToTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0,
            widths.contains(Int(size.ws_col))
        else { return nil }
        return Int(size.ws_col)
    }
}
