import PackGround
import PackOrigin
import PackRelease
import PackVerify

/// The result of verifying an origin, as text and as data.
struct OriginReportText: VerificationText {
    private let result: OriginVerification
    private let origin: String
    private let seconds: Double

    init(_ result: OriginVerification, _ origin: String, _ seconds: Double) {
        self.result = result
        self.origin = origin
        self.seconds = seconds
    }

    var headline: String {
        let counts = Self.counts(result, withWarnings: true)
        guard result.isSound else { return "\(origin) is not sound: \(counts)" }
        return "\(origin) is sound" + (counts.isEmpty ? "" : ": \(counts)")
    }

    private static func counts(_ result: OriginVerification, withWarnings: Bool) -> String {
        [
            (result.failures.count, "failure"), (result.headerCount(.error), "error"),
            (withWarnings ? result.headerCount(.warning) : 0, "warning"),
        ].filter { $0.0 > 0 }.map { counted($0.0, $0.1) }.joined(separator: ", ")
    }

    var items: [VerificationItem] {
        result.failures.map {
            VerificationItem(
                isError: true, title: "packtool verify",
                text: "\($0.place): \(Self.problem($0.problem, of: $0.place))", details: [])
        } + result.headers.map { VerificationItem($0, places: 3, help: $0.bucketRemedy) }
    }

    /// Prints a verification.
    ///
    /// - Parameter limit: The maximum numbers of failures and orphans; 0 for all.
    func print(limit: Int, _ console: Console) {
        let limit = limit == 0 ? Int.max : limit
        for failure in result.failures.prefix(limit) {
            console.print(
                "FAILED  \(failure.place): \(Self.problem(failure.problem, of: failure.place))")
        }
        if result.failures.count > limit {
            console.print(
                "… and \(grouped(result.failures.count - limit)) more ('--limit 0' shows all)")
        }
        for finding in result.headers {
            let count = limit == .max ? 0 : 3
            console.print(
                VerificationItem(finding, places: count, help: finding.bucketRemedy).shown)
        }
        var lines = Lines(headline)
        for channel in result.channels {
            lines.add(
                "channel",
                "\(channel.channel): \(channel.version), sequence \(channel.sequence)"
                    + (channel.label.map { ", label \($0)" } ?? "")
                    + (channel.expires.map { ", expires \($0)" } ?? "")
            )
        }
        lines.add(
            "releases",
            "\(result.releases), with \(counted(result.packages.count, "package")) of "
                + readableSize(result.packages.bytes)
                + (result.deltas.count == 0
                    ? ""
                    : " and \(counted(result.deltas.count, "delta")) of \(readableSize(result.deltas.bytes))")
        )
        lines.add("objects", Self.amount(result.objects))
        if result.siteFiles.count > 0 { lines.add("site", Self.amount(result.siteFiles)) }
        if !result.orphans.isEmpty {
            lines.add(
                "orphans",
                "\(counted(result.orphans.count, "file")), \(readableSize(result.orphanBytes)), "
                    + "to which nothing refers:")
            for orphan in result.orphans.prefix(limit) { lines.add("", orphan) }
            if result.orphans.count > limit {
                lines.add(
                    "",
                    "… and \(grouped(result.orphans.count - limit)) more ('--limit 0' shows all)")
            }
        }
        lines.add("time", "\(secondsText(seconds)) s")
        if result.isSound, result.headers.isEmpty {
            console.say(lines.text)
        } else {
            console.print(lines.text)
        }
    }

    /// The problem without the key at its start, which is already printed before it.
    private static func problem(_ text: String, of place: String) -> String {
        guard let end = text.firstRange(of: place + "' "), text.hasPrefix("'"),
            !text[..<end.lowerBound].dropFirst().contains("'")
        else { return text }
        return String(text[end.upperBound...])
    }

    /// Reports on standard error that an origin did not verify.
    static func fail(_ result: OriginVerification, _ origin: String, _ console: Console) {
        let counts = counts(result, withWarnings: false)
        guard !result.failures.isEmpty else {
            console.talk(
                """
                error: '\(origin)' did not verify: \(counts)
                unaffected: the content of every file, which is right
                help: do what each finding says, then run the same command again
                """)
            return
        }
        let words = ["expired", "signed", "signature", "root"]
        let isTrust = result.failures.allSatisfy { failure in
            words.contains { failure.problem.contains($0) || failure.place.contains($0 + "/") }
        }
        let isLog = result.failures.allSatisfy(isLogEntry)
        let remedy: Text =
            isLog && !isTrust
            ? "restore the log entries from a mirror or backup; one that no copy of the origin has was never an entry: remove it"
            : isTrust
                ? "if you did not publish it, someone else wrote to the origin: restore the pointer from its log, and 'root/'; if you did, publish or renew with the keys of the channel; docs/trust.md says who has to sign what"
                : "run 'packtool publish' with the build of that release and --repair, which restores its files; restore other files from a mirror or backup"
        console.talk(
            """
            error: '\(origin)' did not verify: \(counts)
            unaffected: installed apps; they reject files that do not verify
            help: \(remedy)
            """)
    }

    /// Whether a failure is a missing, damaged or foreign log entry, which no publish restores.
    private static func isLogEntry(_ failure: OriginVerification.Failure) -> Bool {
        failure.place.contains("/log/") && !failure.place.hasSuffix("/pointer.json")
    }

    private static func amount(_ amount: Amount) -> String {
        "\(counted(amount.count, "file")), \(readableSize(amount.bytes)), every hash checked"
    }

    var json: JSONValue {
        let amount = { (amount: Amount) -> JSONValue in
            .members(["count": .integer(amount.count), "bytes": .integer(amount.bytes)])
        }
        return .members([
            "ok": .bool(result.isSound),
            "channels": .array(
                result.channels.map {
                    .members([
                        "channel": .string($0.channel.description),
                        "version": .string($0.version.description),
                        "sequence": .integer($0.sequence),
                        "label": $0.label.json,
                        "expires": $0.expires.map { .string($0.description) } ?? .null,
                        "recorded": .integer($0.recorded),
                    ])
                }),
            "releases": .integer(result.releases), "packages": amount(result.packages),
            "deltas": amount(result.deltas), "objects": amount(result.objects),
            "site": amount(result.siteFiles),
            "orphans": .strings(result.orphans), "orphanBytes": .integer(result.orphanBytes),
            "failures": .array(
                result.failures.map {
                    .members(["path": .string($0.place), "problem": .string($0.problem)])
                }),
            "findings": .array(result.headers.map { $0.json(help: $0.bucketRemedy) }),
            "notes": .strings(result.notes), "seconds": .decimal(secondsText(seconds)),
        ])
    }
}
