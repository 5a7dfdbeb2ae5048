import PackGround
import PackOrigin
import PackRelease
import PackVerify

/// What verifying an origin found, for people and as data.
struct VerificationReport {
    private let result: Verification
    private let origin: String
    private let seconds: Double
    /// Whether the origin was read at an address of a web server.
    private let isAddress: Bool
    /// The findings about files themselves; over HTTP they are findings like others.
    private let failures: [Verification.Failure]
    private let findings: [AuditFinding]

    init(_ result: Verification, _ origin: String, _ seconds: Double, isAddress: Bool) {
        self.result = result
        self.origin = origin
        self.seconds = seconds
        self.isAddress = isAddress
        failures = isAddress ? [] : result.failures
        findings = isAddress ? result.findings : result.headers
    }

    private func counts(withWarnings: Bool) -> String {
        let errors = findings.count { $0.severity == .error }
        return [
            (failures.count, "failure"), (errors, "error"),
            (withWarnings ? findings.count - errors : 0, "warning"),
        ].filter { $0.0 > 0 }.map { counted($0.0, $0.1) }.joined(separator: ", ")
    }

    var headline: String {
        let counts = counts(withWarnings: true)
        guard result.isSound else { return "\(origin) is not sound: \(counts)" }
        return "\(origin) is sound" + (counts.isEmpty ? "" : ": \(counts)")
    }

    var items: [VerificationItem] {
        failures.map {
            VerificationItem(
                isError: true, title: "packtool verify", text: Self.text(of: $0), details: [])
        } + findings.map { VerificationItem($0, paths: 3) }
    }

    /// Without the place's own name at the start of the problem.
    private static func text(of failure: Verification.Failure) -> String {
        let (path, problem) = (failure.path, failure.problem)
        guard let end = problem.firstRange(of: path + "' "), problem.hasPrefix("'"),
            !problem[..<end.lowerBound].dropFirst().contains("'")
        else { return "\(path): \(problem)" }
        return "\(path): \(problem[end.upperBound...])"
    }

    /// Prints a verification.
    ///
    /// - Parameter limit: The most failures, findings and orphans; 0 for all.
    func print(limit: Int, _ console: Console) {
        let most = limit == 0 ? Int.max : limit
        for failure in failures.prefix(most) {
            console.print("FAILED  \(Self.text(of: failure))")
        }
        if failures.count > most {
            console.print(Text(lines: [Self.more(failures.count - most)]))
        }
        for finding in findings.prefix(most) {
            console.print(VerificationItem(finding, paths: limit == 0 ? 0 : 3).shown)
        }
        if findings.count > most {
            console.print(Text(lines: [Self.more(findings.count - most)]))
        }
        var lines = Lines(headline)
        for channel in result.channels {
            lines.add(
                "channel",
                "\(channel.channel): \(channel.version), sequence \(channel.sequence)"
                    + (channel.label.map { ", label \($0)" } ?? "")
                    + (channel.expires.map { ", expires \($0)" } ?? ""))
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
        if result.skipped > 0 {
            lines.add(
                "not read",
                "\(counted(result.skipped, "file")) of "
                    + (result.isSample
                        ? "this release ('packtool verify \(origin)' reads them)"
                        : "earlier releases ('--all' reads them)"))
        }
        if result.siteFiles.count > 0 { lines.add("site", Self.amount(result.siteFiles)) }
        if !result.orphans.isEmpty {
            lines.add(
                "orphans",
                "\(counted(result.orphans.count, "file")), \(readableSize(result.orphanBytes)), "
                    + "without references:")
            for orphan in result.orphans.prefix(most) { lines.add("", orphan) }
            if result.orphans.count > most {
                lines.add("", Self.more(result.orphans.count - most))
            }
        }
        lines.add("time", "\(secondsText(seconds)) s")
        if result.findings.isEmpty { console.stdout(lines.text) } else { console.print(lines.text) }
    }

    private static func more(_ count: Int) -> String {
        "… and \(grouped(count)) more ('--limit 0' shows all)"
    }

    private static func amount(_ amount: Amount) -> String {
        "\(counted(amount.count, "file")), \(readableSize(amount.bytes)), every hash checked"
    }

    /// Reports on standard error that an origin did not verify.
    func fail(_ console: Console) {
        let isHeaders = failures.isEmpty && !isAddress
        console.stderr(
            """
            error: '\(origin)' did not verify: \(counts(withWarnings: false))
            unaffected: \(isHeaders ? "the content of all files" : "installed apps; they reject wrong files")
            help: \(remedy)
            """)
    }

    private var remedy: Text {
        if isAddress || failures.isEmpty {
            return "fix each finding, then run the same command again"
        }
        if failures.allSatisfy({ $0.kind == .trust }) {
            return
                "if you did not publish it, someone else wrote to the origin: restore the pointer from its log, and 'root/'; if you did, publish or renew with the keys of the channel; see docs/trust.md for the required signatures"
        }
        // A log entry that is missing, damaged or foreign: no publish restores one.
        let isLog = failures.allSatisfy {
            $0.path.contains("/log/") && !$0.path.hasSuffix("/pointer.json")
        }
        return isLog
            ? "restore the log entries from a mirror or backup; remove an entry that no copy of the origin has"
            : "run 'packtool publish' with the build of that release and --repair, which restores its files; restore other files from a mirror or backup"
    }

    var json: JSONValue {
        let amount = { (amount: Amount) -> JSONValue in
            .members(["count": .integer(amount.count), "bytes": .integer(amount.bytes)])
        }
        let channels = result.channels.map { channel -> JSONValue in
            .members([
                "channel": .string(channel.channel.description),
                "version": .string(channel.version.description),
                "sequence": .integer(channel.sequence), "label": channel.label.json,
                "expires": (channel.expires?.description).json,
                "recorded": .integer(channel.recorded),
            ])
        }
        return .members([
            "ok": .bool(result.isSound), "address": isAddress ? .string(origin) : nil,
            "channels": isAddress ? nil : .array(channels),
            "channel": isAddress ? channels.first ?? .null : nil,
            "releases": .integer(result.releases), "packages": amount(result.packages),
            "deltas": amount(result.deltas), "objects": amount(result.objects),
            "skipped": isAddress ? .integer(result.skipped) : nil,
            "site": amount(result.siteFiles),
            "orphans": isAddress ? nil : .strings(result.orphans),
            "orphanBytes": isAddress ? nil : .integer(result.orphanBytes),
            "failures": isAddress
                ? nil
                : .array(
                    failures.map {
                        .members(["path": .string($0.path), "problem": .string($0.problem)])
                    }),
            "findings": .array(findings.map(\.json)),
            "notes": .strings(result.notes), "seconds": .decimal(secondsText(seconds)),
        ])
    }
}
