import PackCheck
import PackGround

/// Findings as one JSON document (`--json`).
enum FindingsJSON {
    static func document(_ shown: ShownFindings, profiles: [String]) -> JSONValue {
        let report = shown.report
        return .members([
            "schema": .integer(1), "profiles": .strings(profiles),
            "files": .integer(report.files), "size": .integer(report.size),
            "errors": .integer(report.count(.error)),
            "warnings": .integer(report.count(.warning)), "hints": .integer(report.count(.hint)),
            "ignored": .integer(report.ignored),
            "unread": .integer(CheckVerdict(report, maxWarnings: nil).unread),
            "findings": .array(shown.findings.map(finding)),
            "opened": report.opened.map(opened),
        ])
    }

    private static func finding(_ finding: Finding) -> JSONValue {
        .members([
            "rule": .string(finding.rule), "severity": .string(finding.severity.rawValue),
            "file": .string(finding.path), "line": finding.place.map { .integer($0.line) },
            "column": finding.place.map { .integer($0.column) },
            "excerpt": finding.place.map { .string($0.excerpt) },
            "offset": finding.range.map { .integer($0.lowerBound) },
            "length": finding.range.map { .integer($0.count) },
            "message": .string(finding.message), "notes": .strings(finding.notes),
            "profiles": finding.profiles.isEmpty ? nil : .strings(finding.profiles),
            "count": finding.places.map { .integer($0) },
            "engine": finding.engine.map { .string($0.rawValue) },
            "setting": finding.setting.map {
                .members(["key": .string($0.key), "value": value($0)])
            },
            "fix": finding.fix.map {
                .members([
                    "safety": .string($0.safety.rawValue), "summary": .string($0.summary),
                    "edits": .array($0.edits.map(edit)),
                ])
            },
        ])
    }

    private static func opened(_ opened: OpenedPages) -> JSONValue {
        .members([
            "engine": .string(opened.engine), "milliseconds": milliseconds(opened.seconds),
            "left": .integer(opened.left),
            "pages": .array(
                opened.pages.map { page in
                    .members([
                        "url": .string(page.url), "file": page.file.map { .string($0) },
                        "milliseconds": milliseconds(page.seconds),
                        "firstPaint": page.firstPaint.map { .integer($0) },
                        "stopped": .bool(page.isStopped),
                    ])
                }),
        ])
    }

    private static func milliseconds(_ seconds: Double) -> JSONValue {
        .integer(Int((seconds * 1000).rounded()))
    }

    private static func value(_ setting: SettingProposal) -> JSONValue {
        switch setting.form {
        case .value: .string(setting.values.joined())
        case .list: .strings(setting.values)
        case .table(let name): .object([.init(name, .string(setting.values.joined()))])
        }
    }

    private static func edit(_ edit: ByteEdit) -> JSONValue {
        .members([
            "offset": .integer(edit.range.lowerBound), "length": .integer(edit.range.count),
            "text": .string(String(decoding: edit.bytes, as: UTF8.self)),
        ])
    }

    static func urls(_ urls: [URLReport]) -> JSONValue {
        .members([
            "schema": .integer(1),
            "urls": .array(
                urls.map { url in
                    .members([
                        "profile": url.profile.json, "file": .string(url.path),
                        "line": .integer(url.line),
                        "column": .integer(url.column), "kind": .string(url.kind),
                        "use": .string(url.use.rawValue), "value": .string(url.value),
                        "url": url.url.json, "lookedUp": url.lookedUp.json,
                        "verdict": .string(url.verdict), "target": url.target.json,
                    ])
                }),
        ])
    }
}
