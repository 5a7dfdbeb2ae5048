import PackGround
import PackReport

/// A report as data.
enum ReportJSON {
    static func document(_ report: ReleaseReport) -> JSONValue {
        .members([
            "schema": .integer(1), "app": report.app.map { .string($0) },
            "new": side(report.new), "old": report.old.map(side),
            "package": .integer(report.package), "profile": .string(report.profile),
            "files": .array(
                report.files.map {
                    .members([
                        "path": .string($0.path), "kind": .string($0.kind.rawValue),
                        "size": .integer($0.size), "packed": .integer($0.packed),
                    ])
                }),
            "routes": .array(
                report.routes.map { route in
                    .members([
                        "name": .string(route.name), "bytes": .integer(route.bytes),
                        "parts": .array(
                            route.parts.map {
                                .members([
                                    "what": .string($0.what), "bytes": .integer($0.bytes),
                                ])
                            }),
                    ])
                }),
            "costs": .array(
                report.costs.map {
                    .members([
                        "path": .string($0.path), "size": .integer($0.size),
                        "bytes": .integer($0.bytes), "reason": .string($0.reason),
                    ])
                }),
            "otherCost": .integer(report.otherCost),
            "changes": .array(
                report.changes.map {
                    .members([
                        "kind": .string($0.kind), "path": .string($0.path),
                        "from": $0.from.map { .string($0) }, "oldSize": $0.old.map { .integer($0) },
                        "newSize": $0.new.map { .integer($0) },
                    ])
                }),
            "unchanged": .integer(report.unchanged),
            "findings": .array(
                report.findings.map {
                    .members([
                        "severity": .string($0.severity), "rule": .string($0.rule),
                        "title": .string($0.title), "count": .integer($0.count),
                        "new": $0.new.map { .integer($0) },
                    ])
                }),
            "pages": report.pages.isEmpty
                ? nil
                : .array(
                    report.pages.map {
                        .members(["name": .string($0.name), "note": .string($0.note)])
                    }),
            "budgets": .array(
                report.budgets.map {
                    .members([
                        "name": .string($0.name), "value": .string($0.value),
                        "limit": .string($0.limit), "kept": .bool($0.isKept),
                    ])
                }),
            "channel": report.channel.map { .string($0) },
            "history": .array(
                report.history.map {
                    .members([
                        "sequence": .integer($0.sequence), "date": .string($0.date),
                        "version": .string($0.version), "label": $0.label.map { .string($0) },
                        "package": .integer($0.package), "delta": $0.delta.map { .integer($0) },
                    ])
                }),
        ])
    }

    private static func side(_ side: ReleaseReport.Side) -> JSONValue {
        .members([
            "version": .string(side.version), "source": .string(side.path),
            "files": .integer(side.files), "bytes": side.bytes.map { .integer($0) },
        ])
    }
}
