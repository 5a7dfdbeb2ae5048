import PackGround
import PackOrigin
import PackPublish
import PackRelease

/// The result or the plan of a publish, as text and as data.
struct PublishReportText {
    let report: PublishReport
    let origin: String
    let baseURL: BaseURL
    let isPlan: Bool
    let seconds: Double
    /// The result of verifying the release as clients receive it, if requested.
    var cdn: VerificationReport?

    var text: Text {
        var lines = Lines(headline)
        lines.add("files", "\(counted(report.files, "file")), \(readableSize(report.bytes))")
        if !report.packageExisted || report.packageSize > 0 { lines.add("package", package) }
        for (index, delta) in report.deltas.enumerated() {
            lines.add(
                index == 0 ? "deltas" : "",
                "\(readableSize(delta.content.size)) from \(delta.from)")
        }
        if report.pointerSize > 0 { lines.add("fetches", fetches) }
        lines.add(
            "objects",
            "\(amount(report.objectsNew)) new, \(amount(report.objectsReused)) existing")
        if report.channel == .production { lines.add("site", site) }
        lines.add(report.feeds)
        addRepairs(to: &lines)
        if let previous = report.previous, previous != report.version {
            lines.add("before", previous.description)
        }
        let updates =
            (report.pointer?.isEnabled ?? true ? [] : ["disabled: clients do not update"])
            + report.limits
        if !updates.isEmpty { lines.add("updates", updates.joined(separator: ", ")) }
        for entry in report.pointer?.fallbacks ?? [] { lines.add("else", entry.summary) }
        if let expires = report.expires { lines.add("expires", expires.description) }
        lines.add("origin", "\(origin)  (\(baseURL))")
        if isPlan, report.outcome != .repaired { addOrder(to: &lines) }
        lines.add("time", "\(secondsText(seconds)) s")
        return lines.text
    }

    private var headline: String {
        let channel =
            "\(report.channel) (sequence \(report.sequence)"
            + (report.label.map { ", label \($0)" } ?? "") + ")"
        let version = report.version
        switch (report.outcome, isPlan) {
        case (.published, false): return "published \(version) on \(channel)"
        case (.published, true): return "would publish \(version) on \(channel)"
        case (.renewed, false): return "renewed the pointer to \(version) on \(channel)"
        case (.renewed, true): return "would renew the pointer to \(version) on \(channel)"
        case (.completed, false): return "finished the publish of \(version) on \(channel)"
        case (.completed, true): return "would finish the publish of \(version) on \(channel)"
        case (.repaired, false):
            return "repaired \(counted(report.repairs.count, "file")) of \(version) on \(channel)"
        case (.repaired, true):
            return
                "would repair \(counted(report.repairs.count, "file")) of \(version) on \(channel)"
        case (.proposed, true): return "would propose \(version) for \(channel)"
        case (.proposed, false): return "proposed \(version) for \(channel)"
        case (.unchanged, _) where report.isRepair:
            return "nothing to repair of \(version) on \(channel)"
        case (.unchanged, _): return "\(version) is already live on \(channel); nothing changed"
        }
    }

    private var package: String {
        let size =
            "\(readableSize(report.packageSize)) (\(share(report.packageSize, report.bytes)))"
        if report.packageExisted { return "\(size), already published" }
        guard report.packageReused.count > 0 else { return size }
        return
            "\(size), \(counted(report.packageReused.count, "file")) copied from the earlier package"
    }

    /// The downloads of clients: the pointer, then a delta or the package.
    private var fetches: String {
        let polled = report.pointerSize
        let whole = polled.addingClamped(report.packageSize)
        var parts = ["\(readableSize(polled)) for the pointer"]
        let updates = report.deltas.map { polled.addingClamped($0.content.size) }
        if let least = updates.min(), let most = updates.max() {
            parts.append(
                least == most
                    ? "\(readableSize(most)) for an update by delta"
                    : "\(readableSize(least)) to \(readableSize(most)) for an update by delta")
        }
        parts.append("\(readableSize(whole)) by package")
        return parts.joined(separator: "; ")
    }

    private var site: String {
        "\(amount(report.siteNew)) new, \(amount(report.siteReplaced)) replaced, "
            + "\(amount(report.siteUnchanged)) unchanged"
    }

    private func amount(_ amount: Amount) -> String {
        amount.count == 0 ? "0" : "\(grouped(amount.count)) (\(readableSize(amount.bytes)))"
    }

    private func addRepairs(to lines: inout Lines) {
        for (index, repair) in report.repairs.prefix(Self.repairsShown).enumerated() {
            lines.add(
                index == 0 ? "repairs" : "",
                repair.path + (repair.kind == .headers ? ": headers" : ""))
        }
        if report.repairs.count > Self.repairsShown {
            lines.add("", "\(grouped(report.repairs.count - Self.repairsShown)) more (see --json)")
        }
    }

    private static let repairsShown = 20

    /// The steps of a publish, with the files written by each.
    private func addOrder(to lines: inout Lines) {
        guard report.outcome != .unchanged else { return }
        var steps: [String] = []
        if report.objectsNew.count > 0 { steps.append("objects: \(amount(report.objectsNew))") }
        if !report.packageExisted {
            steps.append(
                "releases/\(report.version)/package.zip: \(readableSize(report.packageSize))")
            steps.append("releases/\(report.version)/info.json")
        }
        for delta in report.deltas.prefix(report.deltas.count - report.deltasKept) {
            steps.append(
                "releases/\(report.version)/delta-\(delta.from).zip: \(readableSize(delta.content.size))"
            )
        }
        if report.outcome != .completed {
            steps.append("everything above made durable and read back")
            steps.append("channels/\(report.channel)/log/\(report.sequence).json")
            steps.append(
                "channels/\(report.channel)/pointer.json, from here on the release is live")
        }
        if report.channel == .production {
            steps.append("info.json")
            if report.siteNew.count > 0 { steps.append("site/: \(amount(report.siteNew)) new") }
            for path in report.siteReplacedPaths.prefix(20) {
                steps.append("site/\(path), replaced")
            }
            if report.siteReplacedPaths.count > 20 {
                steps.append(
                    "site/: \(report.siteReplacedPaths.count - 20) more replaced (see --json)")
            }
        }
        for (index, step) in steps.enumerated() {
            lines.add(index == 0 ? "order" : "", "\(index + 1). \(step)")
        }
    }

    var json: JSONValue {
        let amount = { (amount: Amount) -> JSONValue in
            .members(["count": .integer(amount.count), "bytes": .integer(amount.bytes)])
        }
        let pointer = report.pointer
        return .members([
            "outcome": .string(report.outcome.rawValue), "dryRun": .bool(isPlan),
            "version": .string(report.version.description),
            "packageHash": .string(report.packageHash.description),
            "channel": .string(report.channel.description), "sequence": .integer(report.sequence),
            "label": report.label.json,
            "expires": report.expires.map { .string($0.description) } ?? .null,
            "enabled": .bool(pointer?.isEnabled ?? true),
            "rollout": .integer(pointer?.rollout ?? 100),
            "rolloutSalt": (pointer?.entry.rolloutSalt).json,
            "mandatory": .bool(pointer?.isMandatory ?? false),
            "minNativeVersion": (pointer?.native.others.lowest?.description).json,
            "maxNativeVersion": (pointer?.native.others.highest?.description).json,
            "platforms": pointer?.native.platforms ?? .null,
            "fallbacks": .array(pointer?.fallbacks.map(\.json) ?? []),
            "previous": report.previous.map { .string($0.description) },
            "files": .integer(report.files), "bytes": .integer(report.bytes),
            "excluded": report.leftOut.json,
            "package": .members([
                "size": .integer(report.packageSize), "existed": .bool(report.packageExisted),
                "reused": amount(report.packageReused),
            ]),
            "deltas": .array(
                report.deltas.map {
                    .members([
                        "from": .string($0.from.description), "size": .integer($0.content.size),
                        "memory": .integer($0.needs.memory),
                        "coded": .integer($0.needs.coded), "copied": .integer($0.needs.copied),
                    ])
                }),
            "fetches": .members([
                "pointer": .integer(report.pointerSize),
                "package": .integer(report.packageSize),
            ]),
            "objects": .members([
                "new": amount(report.objectsNew), "reused": amount(report.objectsReused),
            ]),
            "site": .members([
                "new": amount(report.siteNew), "replaced": amount(report.siteReplaced),
                "unchanged": amount(report.siteUnchanged),
                "replacedPaths": .strings(report.siteReplacedPaths),
            ]),
            "feeds": report.feeds.json,
            "repairs": .array(
                report.repairs.map {
                    .members([
                        "path": .string($0.path), "what": .string($0.kind.rawValue),
                    ])
                }),
            "origin": .string(origin), "newOrigin": .bool(report.isNewOrigin),
            "baseURL": .string(baseURL.description),
            "cdn": cdn?.json,
            "notes": .strings(report.notes), "seconds": .decimal(secondsText(seconds)),
        ])
    }
}

extension PublishReportText {
    /// The data of an error about a release that is live nevertheless; `nil` for all other errors.
    static func live(_ error: any Error) -> JSONValue? {
        guard let failure = error as? Failure, failure.code == .publishLiveButOutdated else {
            return nil
        }
        return .members([
            "version": .string(failure["version"]), "channel": .string(failure["channel"]),
            "sequence": .integer(Int(failure["sequence"]) ?? 0),
            "outdated": .strings(failure["outdated"].split(separator: "\n").map(String.init)),
        ])
    }
}
