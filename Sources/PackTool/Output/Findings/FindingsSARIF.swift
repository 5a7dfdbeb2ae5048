import PackCheck
import PackGround
import PackRelease
import PackSettings

/// Findings as SARIF 2.1.0 (OASIS) for code-scanning services.
enum FindingsSARIF {
    static func document(_ shown: ShownFindings) -> JSONValue {
        let used = Set(shown.findings.map(\.rule))
        let rules = RuleCatalog.all.filter { used.contains($0.id) }
        let numbers = Dictionary(
            rules.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { one, _ in one })
        return .members([
            "$schema": .string("https://json.schemastore.org/sarif-2.1.0.json"),
            "version": .string("2.1.0"),
            "runs": .array([
                .members([
                    "tool": .members([
                        "driver": .members([
                            // No informationUri: it must be absolute, and the project has no
                            // address.
                            "name": .string("packtool"), "semanticVersion": .string(toolVersion),
                            "rules": .array(rules.map(rule)),
                        ])
                    ]),
                    "columnKind": .string("unicodeCodePoints"),
                    "originalUriBaseIds": .members([
                        baseID: .members([
                            "description": .members(["text": .string("the repository's root")])
                        ])
                    ]),
                    "results": .array(
                        shown.findings.map { result($0, shown, number: numbers[$0.rule]) }),
                ])
            ]),
        ])
    }

    /// The base of paths, known to the consumer of the log.
    private static let baseID = "%SRCROOT%"

    private static func rule(_ rule: Rule) -> JSONValue {
        let explanation = rule.explanation
        return .members([
            "id": .string(rule.id),
            "shortDescription": .members(["text": .string(rule.title)]),
            "fullDescription": .members(["text": .string(explanation.what)]),
            "help": .members([
                "text": .string("\(explanation.why)\n\n\(explanation.instead)")
            ]),
            "properties": .members(["tags": .strings([rule.group.rawValue])]),
        ])
    }

    private static func result(
        _ finding: Finding, _ shown: ShownFindings, number: Int?
    ) -> JSONValue {
        let level =
            switch finding.severity {
            case .error: "error"
            case .warning: "warning"
            case .hint: "note"
            }
        let text = withoutLinks(([finding.summary] + finding.notes).joined(separator: "\n"))
        return .members([
            "ruleId": .string(finding.rule), "ruleIndex": number.map { .integer($0) },
            "level": .string(level), "message": .members(["text": .string(text)]),
            "partialFingerprints": .members([
                "packtool/v1": .string(Baseline.fingerprint(of: finding).description)
            ]),
            "occurrenceCount": finding.places.map { .integer($0) },
            "locations": .array([
                .members([
                    "physicalLocation": .members([
                        "artifactLocation": .members([
                            "uri": .string(uri(shown.path(finding))), "uriBaseId": .string(baseID),
                        ]),
                        "region": finding.place.map { place in
                            .members([
                                "startLine": .integer(place.line),
                                "startColumn": .integer(place.codePointColumn),
                                "byteOffset": finding.range.map { .integer($0.lowerBound) },
                                "byteLength": finding.range.map { .integer($0.count) },
                            ])
                        },
                    ])
                ])
            ]),
        ])
    }

    /// Prevents text from a build from becoming a link, `[text](target)` in §3.11.6 of SARIF.
    ///
    /// A zero-width space separates the brackets, because some viewers ignore the backslash escapes
    /// of that section.
    private static func withoutLinks(_ text: String) -> String {
        String(
            text.unicodeScalars.replacing(
                "](".unicodeScalars, with: "]\u{200B}(".unicodeScalars))
    }

    /// A relative URI (RFC 3986); a colon in its first segment would end a scheme.
    private static func uri(_ path: String) -> String {
        PercentCoding.encodePath(path.utf8).putting("%3A", for: ":")
    }
}
