import PackGround
import PackOrigin
import PackRelease
import PackVerify

/// The result of verifying an https address, as text and as data.
struct HTTPReportText: VerificationText {
    private let result: HTTPVerification
    private let origin: String
    private let seconds: Double

    init(_ result: HTTPVerification, _ origin: String, _ seconds: Double) {
        self.result = result
        self.origin = origin
        self.seconds = seconds
    }

    private var counts: String {
        let warnings = result.count(.warning)
        let errors = result.count(.error)
        return [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }
            .map { counted($0.0, $0.1) }.joined(separator: ", ")
    }

    var headline: String {
        guard result.isSound else { return "\(origin) is not sound: \(counts)" }
        return "\(origin) is sound" + (counts.isEmpty ? "" : ": \(counts)")
    }

    var items: [VerificationItem] {
        result.findings.map { VerificationItem($0, places: 3, help: $0.remedy) }
    }

    func print(limit: Int, _ console: Console) {
        let shown = limit == 0 ? result.findings[...] : result.findings.prefix(limit)
        for finding in shown {
            console.print(
                VerificationItem(finding, places: limit == 0 ? 0 : 3, help: finding.remedy).shown)
        }
        if result.findings.count > shown.count {
            console.print(
                "… and \(grouped(result.findings.count - shown.count)) more ('--limit 0' shows all)"
            )
        }
        var lines = Lines(headline)
        if let channel = result.channel {
            lines.add(
                "channel",
                "\(channel.channel): \(channel.version), sequence \(channel.sequence)"
                    + (channel.label.map { ", label \($0)" } ?? "")
                    + (channel.expires.map { ", expires \($0)" } ?? ""))
        }
        lines.add(
            "releases",
            "\(result.releases), with \(counted(result.packages.count, "package")) of "
                + "\(readableSize(result.packages.bytes)) and "
                + "\(counted(result.deltas.count, "delta")) of \(readableSize(result.deltas.bytes))"
        )
        lines.add("objects", amount(result.objects))
        if result.skipped > 0 {
            lines.add(
                "not read",
                "\(counted(result.skipped, "file")) of "
                    + (result.isSample
                        ? "this release ('packtool verify \(origin)' reads them)"
                        : "earlier releases ('--all' reads them)"))
        }
        if result.siteFiles.count > 0 { lines.add("site", amount(result.siteFiles)) }
        lines.add("time", "\(secondsText(seconds)) s")
        if result.findings.isEmpty { console.say(lines.text) } else { console.print(lines.text) }
    }

    private func amount(_ amount: Amount) -> String {
        "\(counted(amount.count, "file")), \(readableSize(amount.bytes)), every hash checked"
    }

    /// Reports on standard error that an address did not verify.
    static func fail(_ result: HTTPVerification, _ origin: String, _ console: Console) {
        console.talk(
            """
            error: '\(origin)' did not verify: \(counted(result.count(.error), "error"))
            unaffected: installed apps; they reject files that do not verify
            help: change what each finding says, then run the same command again
            """)
    }

    var json: JSONValue {
        let amount = { (amount: Amount) -> JSONValue in
            .members(["count": .integer(amount.count), "bytes": .integer(amount.bytes)])
        }
        return .members([
            "ok": .bool(result.isSound),
            "address": .string(origin),
            "channel": result.channel.map {
                .members([
                    "channel": .string($0.channel.description),
                    "version": .string($0.version.description),
                    "sequence": .integer($0.sequence), "label": $0.label.json,
                    "expires": $0.expires.map { .string($0.description) } ?? .null,
                    "recorded": .integer($0.recorded),
                ])
            } ?? .null,
            "releases": .integer(result.releases), "packages": amount(result.packages),
            "deltas": amount(result.deltas), "objects": amount(result.objects),
            "skipped": .integer(result.skipped), "site": amount(result.siteFiles),
            "findings": .array(
                result.findings.map { $0.json(help: $0.remedy) }),
            "notes": .strings(result.notes), "seconds": .decimal(secondsText(seconds)),
        ])
    }
}
