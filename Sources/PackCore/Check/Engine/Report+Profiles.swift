import PackGround

/// Reports of one build for several apps.
extension Checker.Report {
    /// The union of reports.
    ///
    /// Findings that all reports have are listed once, with the message of the first. Others name
    /// their profiles and have no fix, because it could break the pages in another app.
    ///
    /// - Parameter names: The name of each report's profile.
    package static func merged(_ reports: [Checker.Report], of names: [String]) -> Checker.Report {
        guard var merged = reports.first else {
            return Checker.Report(
                findings: [], files: 0, size: 0, urls: [], ignored: 0, fixes: [:], read: [:])
        }
        guard reports.count > 1 else { return merged }
        var order: [Key] = []
        var groups: [Key: [(name: String, finding: Finding)]] = [:]
        for (report, name) in zip(reports, names) {
            var seen: [Key: Int] = [:]
            for finding in report.findings {
                var key = Key(finding)
                key.number = seen[key, default: 0]
                seen[Key(finding), default: 0] += 1
                if groups[key] == nil { order.append(key) }
                groups[key, default: []].append((name, finding))
            }
        }
        merged.findings = order.compactMap { key in
            guard let group = groups[key] else { return nil }
            return one(of: group, among: reports.count)
        }.sorted(by: Finding.areInOrder)
        merged.ignored = reports.map(\.ignored).max() ?? 0
        merged.urls = zip(reports, names).flatMap { report, name in
            report.urls.map { url in
                var url = url
                url.profile = name
                return url
            }
        }
        for (path, edits) in merged.fixes {
            merged.fixes[path] = edits.filter { edit in
                reports.allSatisfy { $0.fixes[path]?.contains(edit) ?? false }
            }
        }
        return merged
    }

    /// The finding that represents those of the profiles that have it; `nil` for an ignore comment
    /// that is idle for some of them only.
    private static func one(
        of group: [(name: String, finding: Finding)], among count: Int
    ) -> Finding? {
        let most = group.max { $0.finding.count < $1.finding.count }
        guard var finding = most?.finding else { return nil }
        let isOfAll = group.count == count
        guard isOfAll || finding.rule != UnusedIgnore.id else { return nil }
        if !isOfAll { finding.profiles = group.map(\.name) }
        if !isOfAll || group.contains(where: { $0.finding.fix != finding.fix }) {
            finding.fix = nil
        }
        return finding
    }

    /// The findings after those of one profile were changed by what its pages showed.
    ///
    /// A finding of all profiles that was changed stays as it was for the others.
    package func merging(
        _ name: String, _ change: (_ findings: [Finding], _ urls: [URLReport]) -> [Finding]
    ) -> [Finding] {
        let urls = urls.filter { $0.profile == nil || $0.profile == name }
        let names = Set(self.urls.compactMap(\.profile)).subtracting([name]).sorted()
        guard !names.isEmpty else { return change(findings, urls) }
        let own = findings.filter { $0.profiles.isEmpty || $0.profiles.contains(name) }
        let shared = Set(own.filter(\.profiles.isEmpty).map { Key($0) })
        let changed = change(own, urls)
        let kept = Set(changed.map { Key($0) })
        return
            (findings.filter { !$0.profiles.isEmpty && !$0.profiles.contains(name) }
            + changed.map { finding in
                guard !shared.contains(Key(finding)), finding.profiles.isEmpty else {
                    return finding
                }
                var finding = finding
                finding.profiles = [name]
                return finding
            }
            + own.filter { $0.profiles.isEmpty && !kept.contains(Key($0)) }.map { finding in
                var finding = finding
                finding.fix = nil
                finding.profiles = names
                return finding
            }).sorted(by: Finding.areInOrder)
    }

    /// The properties by which findings of several profiles are the same.
    private struct Key: Hashable {
        let rule: String
        let severity: Severity
        let path: String
        let start: Int?
        let isSummary: Bool
        /// The number among findings that are otherwise the same.
        var number = 0

        init(_ finding: Finding) {
            rule = finding.rule
            severity = finding.severity
            path = finding.path
            start = finding.range?.lowerBound
            isSummary = finding.leftOut != nil
        }
    }
}
