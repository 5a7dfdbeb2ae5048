import ArgumentParser
import PackCheck
import PackGround
import PackProfile
import PackSettings

/// `packtool rules`.
struct RulesCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Lists the rules of 'check', or explains one.",
        usage: "packtool rules [<id>] [<options>]",
        discussion: """
            Example:
              packtool rules
              packtool rules missing-file
            """)

    @Argument(help: ArgumentHelp("The rule to explain.", valueName: "id"), completion: .rules)
    var id: String?

    @Flag(help: "Print the whole catalogue as Markdown: docs/rules.md.")
    var markdown = false

    @OptionGroup var profile: ProfileOption

    @Option(name: .setting(.host), help: .setting(.host, "host"))
    var host: [String] = []

    @Option(name: .setting(.pageOrigin), help: .setting(.pageOrigin, "kind"))
    var pageOrigin: Profile.PageOrigin?

    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        profile.apply(to: &settings)
        settings.set(.host, host)
        settings.set(.pageOrigin, pageOrigin?.rawValue)
    }

    func validate() throws {
        if id != nil, !output.json,
            profile.profile != nil || !host.isEmpty || pageOrigin != nil
        {
            throw ValidationError(
                "A rule's text is the same for every profile; add --json for its severity there.")
        }
        guard markdown else { return }
        guard id == nil else {
            throw ValidationError("--markdown prints all rules; omit the rule.")
        }
        guard !output.json else {
            throw ValidationError("--json and --markdown contradict each other.")
        }
        guard profile.profile == nil, host.isEmpty, pageOrigin == nil else {
            throw ValidationError("--markdown is the same for every profile.")
        }
    }

    func run(_ console: Console) async throws -> Int32 {
        let profile = try settings(console).profile
        if markdown {
            console.print(bytes: Array(RuleDocument.markdown.utf8))
        } else if let id {
            let rule = try RuleSelection.rule(id)
            if output.json {
                console.print(json: json(rule, profile))
            } else {
                console.print(
                    Text(
                        lines: RuleDocument.text(rule).split(
                            separator: "\n", omittingEmptySubsequences: false
                        ).map(String.init)))
            }
        } else if output.json {
            console.print(
                json: .members([
                    "schema": .integer(1),
                    "rules": .array(RuleCatalog.all.map { json($0, profile) }),
                ]))
        } else {
            console.print(list(profile))
        }
        return 0
    }

    private func list(_ profile: Profile) -> Text {
        var lines: [String] = []
        let width = RuleCatalog.all.map(\.id.count).max() ?? 0
        for group in RuleGroup.allCases {
            let rules = RuleCatalog.all.filter { $0.group == group }
            guard !rules.isEmpty else { continue }
            lines += lines.isEmpty ? [group.title] : ["", group.title]
            for rule in rules {
                let level = rule.level.severity(profile)?.rawValue ?? "-"
                let pad = String(repeating: " ", count: width - rule.id.count)
                let gap = String(repeating: " ", count: max(0, 7 - level.count))
                lines.append("  \(rule.id)\(pad)  \(level)\(gap)  \(rule.title)")
            }
        }
        lines += ["", "levels are those of the profile '\(profile.name)'"]
        return Text(lines: lines)
    }

    private func json(_ rule: Rule, _ profile: Profile) -> JSONValue {
        let explanation = rule.explanation
        return .members([
            "id": .string(rule.id), "title": .string(rule.title),
            "group": .string(rule.group.rawValue), "level": .string(rule.level.text),
            "severity": rule.level.severity(profile).map { .string($0.rawValue) } ?? .null,
            "fix": .string(rule.fix.rawValue), "what": .string(explanation.what),
            "why": .string(explanation.why),
            "sources": .array(explanation.sources.map { .string($0.text) }),
            "instead": .string(explanation.instead),
            "detection": .string(explanation.detection),
        ])
    }
}
