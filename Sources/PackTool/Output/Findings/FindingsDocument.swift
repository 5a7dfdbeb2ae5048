import ArgumentParser
import PackCheck
import PackGround
import PackSettings

/// The output formats of findings.
enum FindingsFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif, github, junit, markdown
}

/// The findings of a check in one of the formats.
struct FindingsDocument {
    let report: Checker.Report
    /// The names of the profiles.
    let profiles: [String]
    /// The build's directory relative to the repository.
    let build: String
    var showsHints = false
    /// The maximum number of items in text and Markdown; `nil` for the format's own limit.
    var limit: Int?
    /// The maximum number of warnings for success; `nil` for any number.
    var maxWarnings: Int?
    /// The proposed settings for intentional findings, shown in text output.
    var proposal: [String] = []

    private enum Document {
        case text(Text)
        case json(JSONValue)
    }

    private func document(
        _ format: FindingsFormat, _ color: ColorChoice, _ environment: ProcessEnvironment
    ) -> Document {
        let shown = ShownFindings(
            report, showsHints: showsHints, prefix: format == .json ? "" : build,
            listsUnread: format == .json || format == .sarif)
        switch format {
        case .text:
            return .text(
                FindingsText(
                    report: report, showsHints: showsHints, limit: limit ?? Defaults.shownItems,
                    style: environment.textStyle(color), maxWarnings: maxWarnings,
                    proposal: proposal
                ).text)
        case .json: return .json(FindingsJSON.document(shown, profiles: profiles))
        case .sarif: return .json(FindingsSARIF.document(shown))
        case .github: return .text(FindingsGitHub.text(shown))
        case .junit: return .text(FindingsJUnit.text(shown))
        case .markdown:
            return .text(FindingsMarkdown.text(shown, maxWarnings: maxWarnings, limit: limit))
        }
    }

    /// The content of a file, never colored.
    func bytes(_ format: FindingsFormat, _ console: Console) -> [UInt8] {
        switch document(format, .never, console.environment) {
        case .text(let text): Array((text.string + "\n").utf8)
        case .json(let value): Console.bytes(of: value)
        }
    }

    func print(_ format: FindingsFormat, _ color: ColorChoice = .auto, on console: Console) {
        switch document(format, color, console.environment) {
        case .text(let text): console.print(text)
        case .json(let value): console.print(json: value)
        }
    }
}
