import Foundation
import TestSupport
import Testing

/// `packtool explain --client basename-cache`: the steps of a client that reads only `info.json`.
@Suite struct ExplainedClientTests {
    /// 1.0 for all devices, 2.0 for 10 %.
    ///
    /// The script keeps its name, but its content changes.
    private static let project = """
        build one; echo 'console.log("one")' > one/assets/app.js
        build two; echo 'console.log("two")' > two/assets/app.js; echo new > two/assets/new-a1b2c3d4.js
        rm two/assets/app.css
        publish() { packtool publish "$@" --to cdn --app shop --base-url https://cdn.example/shop --no-check --quiet; }
        publish one --label 1.0; publish two --label 2.0 --rollout 10
        """

    private func explain(_ sandbox: Sandbox, _ words: String) async throws -> (Int32, [String: Any])
    {
        let run = try await sandbox.run(
            "packtool explain cdn --client basename-cache --json \(words)")
        let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        return (run.status, try #require(object as? [String: Any], "\(run.all)"))
    }

    private func findings(_ report: [String: Any]) -> [String: String] {
        let steps = report["steps"] as? [[String: Any]] ?? []
        return Dictionary(
            uniqueKeysWithValues: steps.compactMap { step in
                (step["what"] as? String).map { ($0, step["finding"] as? String ?? "") }
            })
    }

    @Test func itSeesTheReleaseForEveryDevice() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(Self.project)
        let (status, canary) = try await explain(sandbox, "--installed 1.0")
        #expect(status == 1 && canary["verdict"] as? String == "installed")
        #expect(findings(canary)["pointer"]?.contains("offered first: 2.0") == true)
        #expect(try await sandbox.run("packtool rollout cdn 100 --quiet").status == 0)
        let (updates, report) = try await explain(sandbox, "--installed 1.0")
        #expect(updates == 0 && report["verdict"] as? String == "updates")
        #expect(report["route"] as? String == "files")
        let steps = findings(report)
        // Of three files, one is new, one is deleted, and one has new content under its old name.
        #expect(steps["deletes"] == "1 file" && steps["downloads"]?.hasPrefix("1 file, ") == true)
        #expect(steps["stale"]?.hasPrefix("'assets/app.js'") == true, "\(steps)")
        let text = try await sandbox.run(
            "packtool explain cdn --client basename-cache --installed 1.0")
        #expect(text.output.hasPrefix("basename-cache: updates to "))
        #expect(text.output.contains("  no   stale: 'assets/app.js'"))
        // The download contains `info.json` and the one new file.
        let size = try await sandbox.run("cat cdn/info.json two/assets/new-a1b2c3d4.js | wc -c")
        let fetched = report["fetched"] as? Int
        #expect(fetched == Int(size.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    @Test func aPauseDoesNotReachIt() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(Self.project + "\npacktool pause cdn --quiet")
        let (status, report) = try await explain(sandbox, "")
        #expect(status == 0 && report["verdict"] as? String == "updates")
        #expect(findings(report)["pointer"]?.contains("the channel is paused") == true)
        #expect(try await sandbox.run("packtool explain cdn --device a").status == 1)
    }

    @Test func withoutAReleaseForEveryDevice() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build one
            packtool publish one --to cdn --app shop --base-url https://cdn.example/shop --rollout 10 \
                --no-check --quiet
            """)
        let (status, report) = try await explain(sandbox, "")
        #expect(status == 1 && report["verdict"] as? String == "refused")
        #expect(findings(report)["info.json"]?.hasPrefix("missing") == true)
    }
}
