import ArgumentParser
import PackSettings

/// When text is coloured.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
}

/// How much of a list is shown.
struct LimitOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The most items that text and Markdown show; 0 shows all (default: \(Defaults.shownItems)).",
            valueName: "count"))
    var limit: Int?

    /// - Parameters:
    ///   - format: The form of the output: the others are whole, or have limits of their own.
    ///   - saved: The forms of further files.
    func check(_ format: String?, json: Bool, saved: [String] = []) throws {
        guard let limit else { return }
        guard limit >= 0 else { throw ValidationError("--limit takes 0 or more.") }
        if saved.contains(where: { $0 == "text" || $0 == "markdown" }) { return }
        guard !json, format == nil || format == "text" || format == "markdown" else {
            throw ValidationError("--limit is for text and Markdown.")
        }
    }
}

/// How many findings `report` shows: what else it lists has lengths of its own.
struct FindingsLimitOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The most findings that --findings text and markdown show; 0 shows all \
            (default: \(Defaults.shownItems)).
            """,
            valueName: "count"))
    var limit: Int?

    /// - Parameter forms: The forms of `--findings`.
    func check(_ forms: [String]) throws {
        guard let limit else { return }
        guard limit >= 0 else { throw ValidationError("--limit takes 0 or more.") }
        guard forms.contains(where: { $0 == "text" || $0 == "markdown" }) else {
            throw ValidationError("--limit is for --findings text and markdown.")
        }
    }
}
