import ArgumentParser
import PackCheck
import PackGround
import PackProfile
import PackSettings

/// The forms in which findings are printed and saved.
enum FindingsFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif, github, junit, markdown
}

/// The findings of a check in one of their forms.
struct FindingsDocument {
    let report: Checker.Report
    let profile: Profile
    /// The build's directory as the repository has it.
    let build: String
    var showsHints = false
    /// The most items of text and Markdown; `nil` is each form's own.
    var limit: Int?
    /// The most warnings that pass; `nil` for any number.
    var maxWarnings: Int?
    /// The settings that end findings which are intentional, as the text shows them.
    var proposal: [String] = []

    private enum Document {
        case text(Text)
        case json(JSONValue)
    }

    private func document(
        _ format: FindingsFormat, _ color: ColorChoice, _ environment: ProcessEnvironment
    ) -> Document {
        let shown = ShownFindings(
            report, showsHints: showsHints, prefix: format == .json ? "" : build)
        switch format {
        case .text:
            return .text(
                FindingsText(
                    report: report, showsHints: showsHints, limit: limit ?? Defaults.shownItems,
                    style: environment.textStyle(color), maxWarnings: maxWarnings,
                    proposal: proposal
                ).text)
        case .json: return .json(FindingsJSON.document(shown, profile: profile))
        case .sarif: return .json(FindingsSARIF.document(shown))
        case .github: return .text(FindingsGitHub.text(shown))
        case .junit: return .text(FindingsJUnit.text(shown))
        case .markdown:
            return .text(FindingsMarkdown.text(shown, maxWarnings: maxWarnings, limit: limit))
        }
    }

    /// What a file gets: never coloured.
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
