import ArgumentParser
import PackSettings

/// The condition for colored text.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
}

/// The maximum number of shown items.
struct LimitOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The maximum number of items in text and Markdown; 0 for all (default: \(Defaults.shownItems)).",
            valueName: "count"))
    var limit: Int?

    /// - Parameters:
    ///   - format: The output format; only text and Markdown are limited by this option.
    ///   - saved: The formats of additional files.
    func check(_ format: String?, json: Bool, saved: [String] = []) throws {
        guard let limit else { return }
        guard limit >= 0 else { throw ValidationError("--limit takes 0 or more.") }
        if saved.contains(where: { $0 == "text" || $0 == "markdown" }) { return }
        guard !json, format == nil || format == "text" || format == "markdown" else {
            throw ValidationError("--limit is for text and Markdown.")
        }
    }
}

/// The maximum number of findings shown by `report`; its other lists have their own lengths.
struct FindingsLimitOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The maximum number of findings in --findings text and markdown; 0 for all (default: \
            \(Defaults.shownItems)).
            """,
            valueName: "count"))
    var limit: Int?

    /// - Parameter forms: The formats of `--findings`.
    func check(_ forms: [String]) throws {
        guard let limit else { return }
        guard limit >= 0 else { throw ValidationError("--limit takes 0 or more.") }
        guard forms.contains(where: { $0 == "text" || $0 == "markdown" }) else {
            throw ValidationError("--limit is for --findings text and markdown.")
        }
    }
}
