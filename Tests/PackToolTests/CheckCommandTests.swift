import Foundation
import TestSupport
import Testing

/// `packtool check` and `packtool rules` for people and scripts.
@Suite struct CheckCommandTests {
    private func sandbox() async throws -> Sandbox {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build
            printf '<!doctype html>\\n<meta charset=utf-8>\\n<img src="gone.png">\\n<a href="http://example.com/">x</a>\\n' > dist/bad.html
            """)
        return sandbox
    }

    private let flags = "--profile basename-cache --host www.example.com"

    @Test func showsTheLineWithACaret() async throws {
        let run = try await sandbox().run("packtool check dist \(flags)")
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                """
                error[missing-file]: 'gone.png' is not in the package
                 --> bad.html:3:11
                  |
                3 | <img src="gone.png">
                  |           ^^^^^^^^
                """), "\(run.output)")
        #expect(run.output.contains("1 error, "))
        #expect(run.output.contains("more about the first finding: packtool rules "))
    }

    @Test func endsWellWhereNothingIsWrong() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            "build; printf '<!doctype html><meta charset=utf-8><p>x</p>' > dist/index.html")
        let run = try await sandbox.run("packtool check dist \(flags) --select missing-file")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("no errors, no warnings\n\nchecked "))
    }

    @Test func selectsAndIgnoresRules() async throws {
        let sandbox = try await sandbox()
        #expect(
            try await sandbox.run("packtool check dist \(flags) --ignore missing-file").status == 0)
        #expect(try await sandbox.run("packtool check dist \(flags) --select nav-http").status == 0)
        let strict = try await sandbox.run(
            "packtool check dist \(flags) --select nav-http --max-warnings 0")
        #expect(strict.status == 1)
        #expect(
            strict.output.hasPrefix("no errors, 1 warning; check.max-warnings is 0 — not ready"))
        let wrong = try await sandbox.run("packtool check dist \(flags) --ignore missing-fil")
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("missing-file"))
    }

    /// One run writes a log, a code-scanning file and a comment.
    ///
    /// Each equals the output of a separate run.
    @Test func savesOtherFormsOfTheSameFindings() async throws {
        let sandbox = try await sandbox()
        let formats = ["text", "json", "sarif", "github", "junit", "markdown"]
        let run = try await sandbox.run(
            "packtool check dist \(flags) --format github --limit 1 "
                + formats.map { "--save \($0)=saved.\($0)" }.joined(separator: " "))
        #expect(run.status == 1)
        let github = try await sandbox.run("packtool check dist \(flags) --format github")
        #expect(run.output == github.output)
        for format in formats {
            let limit = ["text", "markdown"].contains(format) ? " --limit 1" : ""
            let alone = try await sandbox.run(
                "packtool check dist \(flags) --format \(format)\(limit) --color never")
            let plain =
                format == "text"
                ? alone
                : try await sandbox.run("packtool check dist \(flags) --format \(format)\(limit)")
            #expect(try sandbox.read("saved.\(format)") == plain.bytes, "\(format)")
        }
        let quiet = try await sandbox.run(
            "packtool check dist \(flags) --quiet --save json=new.json")
        #expect(quiet.status == 1)
        #expect(try sandbox.read("new.json") == sandbox.read("saved.json"))
    }

    @Test func printsTheSameFindingsInEveryForm() async throws {
        let sandbox = try await sandbox()
        for format in ["text", "json", "sarif", "github", "junit", "markdown"] {
            let run = try await sandbox.run("packtool check dist \(flags) --format \(format)")
            #expect(run.status == 1, "\(format)")
            #expect(run.output.contains("missing-file"), "\(format)")
            #expect(run.output.contains("bad.html"), "\(format)")
        }
        let json = try await sandbox.run("packtool check dist \(flags) --json")
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
        let findings = try #require((object as? [String: Any])?["findings"] as? [[String: Any]])
        let missing = try #require(findings.first { $0["rule"] as? String == "missing-file" })
        #expect(missing["line"] as? Int == 3)
        #expect(missing["column"] as? Int == 11)
        #expect(missing["severity"] as? String == "error")
        let github = try await sandbox.run(
            "packtool check dist \(flags) --format github --select missing-file")
        #expect(
            github.output.hasPrefix(
                "::error file=dist/bad.html,line=3,col=11,title=packtool missing-file::"))
    }

    /// Validated with the schema of SARIF 2.1.0.
    @Test func writesValidSARIF() async throws {
        let schema = try SharedFolder.require("oracles/sarif/sarif-schema-2.1.0.json")
        let sandbox = try await sandbox()
        try await sandbox.prepare(
            "mkdir dist/en dist/zh; echo 1 > dist/en/a.png; echo 2 > dist/zh/a.png")
        let run = try await sandbox.run(
            """
            packtool check dist \(flags) --format sarif > out.sarif
            python3 - <<'END'
            import json, sys
            try:
                import jsonschema
            except ImportError:
                print('NOSCHEMA'); sys.exit(0)
            schema = json.load(open('\(schema)'))
            jsonschema.validate(json.load(open('out.sarif')), schema)
            print('VALID', len(json.load(open('out.sarif'))['runs'][0]['results']))
            END
            """)
        #expect(run.errors == "")
        if run.output.hasPrefix("NOSCHEMA") {
            try Test.cancel("SKIPPED, nothing was validated: python3-jsonschema is missing")
        }
        #expect(run.output.hasPrefix("VALID "))
        #expect(run.output != "VALID 0\n")
    }

    @Test func writesXMLThatAParserTakes() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare("printf '<img src=\"a<&\\\\001b.png\">' > dist/x.html")
        let run = try await sandbox.run(
            """
            packtool check dist \(flags) --format junit > out.xml
            python3 - <<'END'
            import xml.etree.ElementTree as e
            root = e.parse("out.xml").getroot()
            # What the schema of Jenkins requires of a suite and of a case.
            assert all({"name", "tests", "failures", "errors"} <= set(s.attrib) for s in root.iter("testsuite"))
            assert all("name" in c.attrib for c in root.iter("testcase"))
            print(len(root.findall(".//failure")))
            END
            """)
        #expect(run.errors == "")
        #expect((Int(run.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0) > 1)
    }

    @Test func countsWhatIsBeyondTheLimitInEveryForm() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare(
            """
            python3 -c 'print("".join("<img src=i%d.png>\\n" % i for i in range(1250)))' > dist/many.html
            """)
        let check = "packtool check dist \(flags) --select missing-file"
        let text = try await sandbox.run(check + " --limit 0")
        #expect(text.status == 1)
        #expect(text.output.contains("… and 1,150 more findings of missing-file in many.html"))
        #expect(
            text.output.hasPrefix("1,251 errors, no warnings in 2 files — not ready to publish\n"))
        let json = try await sandbox.run(check + " --json")
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
        #expect((object as? [String: Any])?["errors"] as? Int == 1_251)
        let findings = try #require((object as? [String: Any])?["findings"] as? [[String: Any]])
        #expect(findings.count == 102)
        #expect(findings.last?["count"] as? Int == 1_150)
        #expect(findings.last?["message"] as? String == "more findings of this rule")
        #expect(findings.first?["count"] == nil)
        for (format, expected) in [
            ("sarif", "\"occurrenceCount\": 1150"),
            ("github", "::notice title=packtool check::1,251 errors, 0 warnings"),
            ("junit", "failures=\"102\""), ("markdown", "| `dist/many.html` | 1,150 more findings"),
        ] {
            let run = try await sandbox.run(check + " --format \(format)")
            #expect(run.status == 1 && run.output.contains(expected), "\(format)")
        }
        let baseline = check + " --baseline accepted.json"
        #expect(
            try await sandbox.run(baseline + " --update-baseline").errors.contains(
                "1,251 findings accepted"))
        #expect(try await sandbox.run(baseline).status == 0)
        try await sandbox.prepare("echo '<img src=more.png>' >> dist/many.html")
        #expect(try await sandbox.run(baseline).status == 1)
    }

    @Test func acceptsWhatTheBaselineHas() async throws {
        let sandbox = try await sandbox()
        let check = "packtool check dist \(flags) --baseline accepted.json"
        #expect(try await sandbox.run(check).status == 2, "there is none yet")
        #expect(try await sandbox.run(check + " --update-baseline").status == 0)
        #expect(try await sandbox.run(check).status == 0)
        try await sandbox.prepare("sed -i 's/<img/<p>moved<\\/p>\\n<img/' dist/bad.html")
        #expect(try await sandbox.run(check).status == 0, "lines do not count")
        try await sandbox.prepare("echo '<img src=more.png>' >> dist/bad.html")
        let run = try await sandbox.run(check)
        #expect(run.status == 1)
        #expect(run.output.contains("more.png") && !run.output.contains("gone.png"))
    }

    @Test func fixesWhatIsSafe() async throws {
        let sandbox = try await sandbox()
        let run = try await sandbox.run("packtool check dist \(flags) --fix --select nav-http")
        #expect(run.status == 0)
        #expect(run.errors.contains("1 fix in 1 file"))
        let text = String(decoding: try sandbox.read("dist/bad.html"), as: UTF8.self)
        #expect(text.contains("<a href=\"https://example.com/\">x</a>"))
        #expect(text.contains("<img src=\"gone.png\">"))
    }

    @Test func dumpsURLs() async throws {
        let run = try await sandbox().run("packtool check dist \(flags) --dump-urls")
        #expect(run.status == 0)
        #expect(
            run.lines.contains(
                "bad.html:3:11 image subresource 'gone.png' -> fallback looked up 'gone.png' "
                    + "http://www.example.com/gone.png"))
        #expect(
            run.lines.contains {
                $0.hasPrefix("index.html:1:47 script subresource 'assets/app.js' -> file ")
            }, "\(run.output)")
    }

    @Test func checksAPackageToo() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare("packtool package dist -o a.zip --quiet")
        let run = try await sandbox.run("packtool check a.zip \(flags)")
        #expect(run.status == 1)
        #expect(run.output.contains("bad.html:3:11"))
        #expect(try await sandbox.run("packtool check a.zip \(flags) --fix").status == 64)
    }

    @Test func reportsNamesThatCannotBeShippedWithoutGivingUp() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare("ln -s index.html dist/link.html")
        let run = try await sandbox.run("packtool check dist \(flags)")
        #expect(run.status == 1)
        #expect(run.output.contains("bad.html:3:11"))
    }

    /// Regression: updating the baseline for some rules discarded all other entries.
    @Test(arguments: ["--select nav-http", "--ignore missing-file"])
    func aBaselineThatIsUpdatedForSomeRulesKeepsTheOthers(which: String) async throws {
        let sandbox = try await sandbox()
        let baseline = "packtool check dist \(flags) --baseline b.json"
        #expect(try await sandbox.run("\(baseline) --update-baseline").status == 0)
        let before = try sandbox.read("b.json")
        let narrow = try await sandbox.run("\(baseline) --update-baseline \(which)")
        #expect(narrow.status == 0, "\(narrow.errors)")
        #expect(try sandbox.read("b.json") == before)
        // Findings of skipped rules are not reported as gone.
        #expect(try await !sandbox.run("\(baseline) \(which)").errors.contains("gone"))
        try await sandbox.prepare("sed -i '/http:/d' dist/bad.html")
        try await sandbox.prepare("\(baseline) --update-baseline --select nav-http")
        let after = String(decoding: try sandbox.read("b.json"), as: UTF8.self)
        #expect(after.contains("missing-file") && !after.contains("nav-http"), "\(after)")
        #expect(try await sandbox.run(baseline).status == 0)
    }

    // MARK: - publish

    @Test func publishRefusesOnErrors() async throws {
        let sandbox = try await sandbox()
        let publish = "packtool publish dist --to cdn --app shop --base-url https://a.example/s"
        let refused = try await sandbox.run(publish)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("gone.png"))
        #expect(refused.errors.contains("packtool check"))
        #expect(!sandbox.exists("cdn/info.json"))
        let forced = try await sandbox.run(publish + " --no-check --quiet")
        #expect(forced.status == 0)
        #expect(forced.errors.contains("not checked"))
        #expect(sandbox.exists("cdn/info.json"))
    }

    // MARK: - rules

    @Test func explainsARule() async throws {
        let sandbox = try Sandbox()
        let run = try await sandbox.run("packtool rules missing-file")
        #expect(run.status == 0)
        for heading in ["What it does", "Why this is bad", "Use instead", "Bad", "Good"] {
            #expect(run.output.contains("\n\(heading)"), "\(heading)")
        }
        let unknown = try await sandbox.run("packtool rules missing-fil")
        #expect(unknown.status == 64)
        #expect(unknown.errors.contains("missing-file"))
    }
}
