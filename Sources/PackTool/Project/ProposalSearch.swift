import PackCheck
import PackGround
import PackSettings

/// The settings proposed for a build.
///
/// Each further check uses the settings found so far, because a finding may hide behind another one.
struct ProposalSearch {
    /// The chosen settings.
    private(set) var proposed = ProposedSettings()
    /// The other settings.
    private(set) var declined = ProposedSettings()
    /// The report of the last check.
    private(set) var report: Checker.Report

    /// The maximum number of further checks.
    private static let rounds = 5

    /// - Parameters:
    ///   - report: The report of a check without these settings.
    ///   - severity: The lowest severity of findings whose settings are proposed.
    ///   - isOpen: Whether a key may be proposed.
    ///   - choose: Returns the chosen ones of proposed settings; by default all.
    ///   - check: Checks the build with the chosen settings, and lists its URLs.
    init(
        _ report: Checker.Report, from severity: Severity,
        isOpen: (SettingKey) -> Bool = { _ in true },
        choose: (ProposedSettings) throws -> ProposedSettings = { $0 },
        check: (ProposedSettings) async throws -> Checker.Report
    ) async throws {
        self.report = report
        for _ in 0..<Self.rounds {
            // Each value is proposed once.
            var new = ProposedSettings(self.report.findings.filter { $0.severity >= severity })
                .filtered(isOpen).subtracting(declined).subtracting(proposed)
            // A root first: it changes the files found by other URLs.
            let root = new.filtered { $0 == .profileRoot }
            if !root.isEmpty { new = root }
            guard !new.isEmpty else { return }
            let chosen = try choose(new)
            declined.add(new.subtracting(chosen))
            guard !chosen.isEmpty else { return }
            let next = try await check(proposed.adding(chosen))
            // URLs of the same build may assume several roots.
            if !root.isEmpty, try await !next.isBetter(than: check(proposed)) {
                declined.add(root)
                continue
            }
            proposed.add(chosen)
            self.report = next
        }
    }
}

extension Checker.Report {
    /// Whether more of the resources loaded by pages are found than in a check with other settings;
    /// links are ignored, because a site may have many more of them.
    func isBetter(than other: Checker.Report) -> Bool {
        let counts = [self, other].map { report in
            report.urls.count {
                $0.verdict == "file" && ($0.use.isFetched || $0.use == .request)
            }
        }
        guard counts[0] == counts[1] else { return counts[0] > counts[1] }
        return errorPlaces < other.errorPlaces
    }

    /// The number of locations with an error: a finding may have several.
    private var errorPlaces: Int {
        findings.filter { $0.severity == .error }.clampedSum(of: \.placeCount)
    }
}
