import PackGround
import PackOrigin
import PackPublish
import PackRelease

/// The result or the plan of a prune, as text and as data.
struct PruneReportText {
    let report: PruneReport
    let origin: String
    let isPlan: Bool
    let seconds: Double

    /// The maximum number of listed releases and unknown files.
    private static let shown = 12

    var text: Text {
        var lines = Lines(headline)
        for gone in report.gone.prefix(Self.shown) {
            lines.add(
                "not kept",
                "\(gone.label ?? gone.version.description), last offered by \(gone.channel) \(gone.sequence)"
            )
        }
        more(report.gone.count, "release", &lines)
        lines.add(
            isPlan ? "would go" : "deleted", amount(report.deleted.amount))
        if !report.waiting.isEmpty {
            lines.add("waiting", amount(report.waiting.amount) + due)
        }
        lines.add("kept", keptText)
        for pin in report.pins.prefix(Self.shown) {
            lines.add(
                "pinned",
                pin.version.description + (pin.reason.map { ", \($0)" } ?? "")
                    + " (\(pin.channel))")
        }
        more(report.pins.count, "pin", &lines)
        for path in report.unknown.prefix(Self.shown) {
            lines.add("unknown", "\(path): not written by packtool, left alone")
        }
        more(report.unknown.count, "unknown file", &lines)
        lines.add("origin", origin)
        lines.add("time", "\(secondsText(seconds)) s")
        return lines.text
    }

    private func more(_ count: Int, _ what: String, _ lines: inout Lines) {
        guard count > Self.shown else { return }
        lines.add("", "… and \(counted(count - Self.shown, "more \(what)")) ('--json' lists all)")
    }

    private var headline: String {
        let found = report.deleted.amount.count + report.waiting.amount.count
        if found == 0 { return "nothing to prune at \(origin): every file is needed" }
        if isPlan {
            return "would prune \(origin); add --yes to do it"
        }
        return report.deleted.isEmpty
            ? "nothing deleted at \(origin) yet: unused files are recorded"
            : "pruned \(origin)"
    }

    private var due: String {
        guard let next = report.nextAt else { return "" }
        return isPlan && report.condemned.count == report.waiting.count
            ? ": run it with --yes to record them, and again after \(next) to delete them"
            : ": run it again after \(next) to delete them"
    }

    private var keptText: String {
        let (ended, open) = report.channels.reduce(into: ([String](), [String]())) { found, line in
            line.lowest > line.current
                ? found.0.append(line.channel.description)
                : found.1.append("\(line.channel) from sequence \(line.lowest) to \(line.current)")
        }
        let closed = ended.isEmpty ? [] : ["nothing of closed \(ended.joined(separator: ", "))"]
        let lines = open + closed
        return counted(report.kept, "release")
            + (lines.isEmpty ? "" : ": " + lines.joined(separator: ", "))
    }

    private func amount(_ amount: Amount) -> String {
        "\(counted(amount.count, "file")), \(readableSize(amount.bytes))"
    }

    var json: JSONValue {
        .members([
            "dryRun": .bool(isPlan),
            "deleted": files(report.deleted), "waiting": files(report.waiting),
            "nextAt": report.nextAt.map { .string($0.description) } ?? .null,
            "newlyUnused": .integer(report.condemned.count),
            "kept": .integer(report.kept),
            "channels": .array(
                report.channels.map {
                    .members([
                        "channel": .string($0.channel.description),
                        "lowest": .integer($0.lowest), "sequence": .integer($0.current),
                    ])
                }),
            "deletedReleases": .array(
                report.gone.map {
                    .members([
                        "channel": .string($0.channel.description),
                        "version": .string($0.version.description), "label": $0.label.json,
                        "sequence": .integer($0.sequence),
                    ])
                }),
            "pins": .array(
                report.pins.map {
                    .members([
                        "channel": .string($0.channel.description),
                        "version": .string($0.version.description), "reason": $0.reason.json,
                    ])
                }),
            "unknown": .strings(report.unknown), "origin": .string(origin),
            "notes": .strings(report.notes), "seconds": .decimal(secondsText(seconds)),
        ])
    }

    private func files(_ list: [ListedObject]) -> JSONValue {
        .members([
            "count": .integer(list.count), "bytes": .integer(list.amount.bytes),
            "paths": .strings(list.map(\.path)),
        ])
    }
}
