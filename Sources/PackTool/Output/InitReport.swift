import PackCheck
import PackGround
import PackProfile
import PackSettings

/// The result of `init`, and the next steps.
struct InitReport {
    let file: String
    let given: Configuration
    let inspection: ProjectInspection
    let bundler: (bundler: Bundler, file: String)?
    let survey: BuildSurvey
    /// Whether the user has decided about the proposed settings.
    let hasAsked: Bool

    func show(_ isJSON: Bool, _ console: Console) {
        if isJSON { console.print(json: json) } else { console.stdout(text) }
    }

    private var text: Text {
        var lines = Lines(
            "wrote \(file) for app \(given.text(.app) ?? ""), build output \(given.text(.build) ?? "")"
        )
        if let bundler { lines.add("build", "\(bundler.bundler.rawValue) (\(bundler.file))") }
        if let app = inspection.app {
            let names = app.profiles.compactMap(\.profile?.name).joined(separator: ", ")
            lines.add("app", "\(names) (\(app.file))")
        }
        for key in SettingKey.allCases {
            guard let values = survey.decided.words(key) else { continue }
            lines.add("set", "\(key.rawValue): \(values.joined(separator: ", "))")
        }
        if let start = given.text(.launch), !inspection.pages.contains(Defaults.launch) {
            let others = inspection.pages.filter { $0 != start }
            lines.add(
                "launch",
                "\(start) (the build has no \(Defaults.launch) at its top"
                    + (others.isEmpty
                        ? ")"
                        : "; set 'launch' to open another page: "
                            + others.prefix(3).joined(separator: ", ")
                            + (others.count > 3 ? ", …)" : ")")))
        }
        lines.add(
            "check",
            CheckVerdict.counts(errors: survey.errors, warnings: survey.warnings)
                + " with these settings"
                + (survey.errors > 0 ? "; 'packtool check' lists them" : ""))
        // Commands read the file in the working directory.
        let slash = file.lastSlash
        let folder = slash.map { String(file[..<$0]) } ?? ""
        let name = String(file.lastComponent)
        let steps =
            (folder.isEmpty ? [] : ["cd \(shellWord(folder))"])
            + (given[.baseURL] == nil ? ["set base-url in \(name)"] : [])
            + (survey.errors > 0 ? ["packtool check"] : [])
            + ["packtool publish" + (given[.to] == nil ? " --to ../cdn" : "")]
        for (index, step) in steps.enumerated() { lines.add(index == 0 ? "next" : "", step) }
        // The same block as in a check; the file also contains these keys as comments.
        let proposal = hasAsked ? [] : survey.proposal(for: file)
        if !proposal.isEmpty { for line in [""] + proposal { lines.add(line) } }
        return lines.text
    }

    private var json: JSONValue {
        let settings = { (configuration: Configuration) in
            JSONValue.object(
                SettingKey.allCases.compactMap { key in
                    configuration.words(key).map { .init(key.rawValue, .strings($0)) }
                })
        }
        return .members([
            "file": .string(file), "app": given.text(.app).json, "build": given.text(.build).json,
            "launch": given.text(.launch).json,
            "profiles": .strings(
                (given.list(.profiles) ?? [given]).compactMap(\.profile?.name)),
            "bundler": (bundler?.bundler.rawValue).json, "set": settings(survey.decided),
            "proposed": settings(survey.proposed.values),
            "reasons": .array(
                [survey.chosen, survey.proposed].flatMap { settings in
                    settings.keys.flatMap { key in
                        (settings.reasons[key] ?? []).map { Self.reason($0, of: key) }
                    }
                }), "errors": .integer(survey.errors),
            "warnings": .integer(survey.warnings),
        ])
    }

    /// A finding that a setting ends.
    private static func reason(_ finding: Finding, of key: SettingKey) -> JSONValue {
        .members([
            "key": .string(key.rawValue), "rule": .string(finding.rule),
            "severity": .string(finding.severity.rawValue), "file": .string(finding.path),
            "line": finding.place.map { .integer($0.line) }, "message": .string(finding.message),
            "count": .integer(finding.placeCount),
        ])
    }
}

extension Configuration {
    /// The value of a setting as a list of words; `nil` if it is not set.
    fileprivate func words(_ key: SettingKey) -> [String]? {
        texts(key) ?? text(key).map { [$0] } ?? number(key).map { ["\($0)"] }
            ?? table(key)?.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    }
}
