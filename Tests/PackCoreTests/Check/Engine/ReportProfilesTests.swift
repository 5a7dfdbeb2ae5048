import PackCheck
import PackGround
import PackProfile
import Testing

/// One build checked for several apps.
struct ReportProfilesTests {
    private let page = """
        <!doctype html><link rel="stylesheet" href="gone.css">
        <script src="http://cdn.example.com/a.js"></script>
        <script>navigator.sendBeacon("/log", "x")</script>
        """

    private func report(_ profiles: [Profile]) async throws -> Checker.Report {
        let memory = [try AssetPath("index.html"): Array(page.utf8)]
        var reports: [Checker.Report] = []
        for profile in profiles {
            reports.append(
                try await Checker(
                    site: SiteIndex(memory: memory, profile: profile),
                    rules: RuleCatalog.all, dumpsURLs: true
                ).check(jobs: 1))
        }
        return .merged(reports, of: profiles.map(\.name))
    }

    private func profiles(of rule: String, in report: Checker.Report) -> [[String]] {
        report.findings.filter { $0.rule == rule }.map(\.profiles)
    }

    @Test func aFindingOfAllIsListedOnceAndOthersNameTheirProfiles() async throws {
        let report = try await report([.capacitor, .capacitorAndroid])
        #expect(profiles(of: "missing-file", in: report) == [[]])
        #expect(profiles(of: "mixed-content-active", in: report) == [["capacitor-android"]])
        #expect(profiles(of: "http-in-custom", in: report) == [["capacitor"]])
        #expect(profiles(of: "js-beacon", in: report) == [["capacitor"]])
        let labelled = report.findings.filter { !$0.profiles.isEmpty }
        #expect(labelled.allSatisfy { $0.fix == nil && $0.summary.contains("(capacitor") })
        #expect(report.urls.contains { $0.profile == "capacitor" })
        #expect(report.urls.contains { $0.url == "https://localhost/gone.css" })
    }

    @Test func oneProfileChangesNothing() async throws {
        let report = try await report([.capacitorAndroid])
        #expect(report.findings.allSatisfy { $0.profiles.isEmpty })
        #expect(report.urls.allSatisfy { $0.profile == nil })
    }

    /// What an engine shows for one app is no statement about the others.
    @Test func changesOfOneProfileLeaveTheOthers() async throws {
        let report = try await report([.capacitor, .capacitorAndroid])
        let findings = report.merging("capacitor") { findings, urls in
            #expect(urls.allSatisfy { $0.profile == "capacitor" })
            #expect(findings.allSatisfy { $0.profiles != ["capacitor-android"] })
            return findings.map {
                $0.rule == "missing-file"
                    ? $0.with(severity: .warning, engine: .contradicted) : $0
            }
        }
        let missing = findings.filter { $0.rule == "missing-file" }
        #expect(missing.map(\.profiles) == [["capacitor-android"], ["capacitor"]])
        #expect(missing.map(\.severity) == [.error, .warning])
        #expect(findings.count == report.findings.count + 1)
    }
}
