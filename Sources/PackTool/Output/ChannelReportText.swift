import PackGround
import PackOrigin
import PackPublish
import PackRelease

/// The result or the plan of a channel change, as text and as data.
struct ChannelReportText {
    let report: ChannelReport
    let origin: String
    let isPlan: Bool
    let seconds: Double

    var text: Text {
        var lines = Lines(headline)
        if report.outcome == .changed || report.outcome == .proposed {
            for difference in report.differences {
                let change = [difference.before ?? "nothing", difference.after ?? "nothing"]
                lines.add("  \(difference.what): \(change.joined(separator: " → "))")
            }
        }
        if report.siteNew.count + report.siteReplaced.count > 0 {
            lines.add(
                "site",
                "\(grouped(report.siteNew.count)) new, \(grouped(report.siteReplaced.count)) replaced"
            )
        }
        lines.add(report.feeds)
        lines.add("origin", origin)
        lines.add("time", "\(secondsText(seconds)) s")
        return lines.text
    }

    private var headline: String {
        let pointer = report.after
        let channel = "\(pointer.channel) (sequence \(pointer.sequence))"
        switch (report.outcome, isPlan) {
        case (.unchanged, _): return "nothing to change on \(channel): \(state)"
        case (.completed, false): return "finished an interrupted run on \(channel)"
        case (.completed, true): return "would finish an interrupted run on \(channel)"
        case (.proposed, true): return "would propose for \(channel): \(report.operation.rawValue)"
        case (.proposed, false): return "proposed for \(channel): \(report.operation.rawValue)"
        case (.changed, false): return "\(done) \(channel)"
        case (.changed, true): return "would change \(channel): \(report.operation.rawValue)"
        }
    }

    private var done: String {
        let name = report.after.entry.name
        switch report.operation {
        case .publish: return "published \(name) on"
        case .promote: return "promoted \(name) to"
        case .rollback: return "rolled back to \(name) on"
        case .rollout: return "offered \(name) to \(report.after.rollout) % on"
        case .pause: return "paused"
        case .resume: return "resumed"
        case .renew: return "renewed the pointer of"
        case .close: return "closed"
        }
    }

    private var state: String {
        let pointer = report.after
        if pointer.isClosed { return "closed" }
        if pointer.bypasses { return "paused, with a bypass" }
        if !pointer.isEnabled { return "paused" }
        return pointer.entry.summary
    }

    var json: JSONValue {
        let pointer = report.after
        return .members([
            "outcome": .string(report.outcome.rawValue), "dryRun": .bool(isPlan),
            "operation": .string(report.operation.rawValue),
            "channel": .string(pointer.channel.description),
            "sequence": .integer(pointer.sequence), "previous": pointer.previous.json,
            "version": .string(pointer.version.description), "label": pointer.label.json,
            "expires": pointer.expires.map { .string($0.description) } ?? .null,
            "enabled": .bool(pointer.isEnabled), "bypass": .bool(pointer.bypasses),
            "closed": .bool(pointer.isClosed),
            "mandatory": .bool(pointer.isMandatory),
            "offers": .array(pointer.entries.map(\.json)),
            "changes": .array(
                report.differences.map {
                    .members([
                        "what": .string($0.what), "before": $0.before.json, "after": $0.after.json,
                    ])
                }),
            "site": .members([
                "new": .integer(report.siteNew.count),
                "replaced": .integer(report.siteReplaced.count),
            ]),
            "feeds": report.feeds.json,
            "deltasMade": .integer(report.deltasNew.count),
            "pointerSize": .integer(report.pointerSize), "origin": .string(origin),
            "notes": .strings(report.notes), "seconds": .decimal(secondsText(seconds)),
        ])
    }
}
