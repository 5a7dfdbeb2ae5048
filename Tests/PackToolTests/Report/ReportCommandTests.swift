import Foundation
import PackGround
import PackReport
import TestSupport
import Testing

/// `packtool report` for people and pipelines.
@Suite struct ReportCommandTests {
    private func sandbox() async throws -> Sandbox {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            cat > packtool.yaml <<'END'
            app: shop
            base-url: https://example.com/shop
            check:
              budgets: {package: 1 MB, update: 1 B, file: 1 MB, files: 400}
            END
            build; seq 4000 > dist/assets/lib.1a2b3c4d.js; publish dist 1.0
            rm dist/assets/lib.1a2b3c4d.js; seq 4001 > dist/assets/lib.5e6f7a8b.js
            publish dist 1.1
            echo '<img src=gone.png>' >> dist/index.html; seq 9 > dist/new.txt
            """)
        return sandbox
    }

    /// Regression: it always used the package of the channel's newest release.
    @Test func thePackageBeforeIsThatOfTheOldSide() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare(
            """
            sed -i /gone.png/d dist/index.html; seq 3000 > dist/more.txt; publish dist 1.2
            packtool package dist -o a.zip --quiet; cp cdn/info.json newest.json; echo x >> dist/new.txt
            """)
        let sizes = try await sandbox.run(
            "stat -c %s $(ls -tr cdn/releases/*/package.zip) a.zip")
        let bytes = sizes.lines.compactMap { UInt64($0) }
        try #require(bytes.count == 4, "\(sizes.output)\(sizes.errors)")
        #expect(readableSize(bytes[1]) != readableSize(bytes[2]))
        for (old, size) in zip(["cdn@1.0", "cdn@1.1", "cdn", "a.zip"], bytes) {
            let run = try await sandbox.run("packtool report \(old) dist --format markdown")
            // The row in the table of sizes; the table of update costs above also has one.
            let row = run.lines.last { $0.hasPrefix("| package |") }
            #expect(
                row?.hasSuffix(" | \(readableSize(size)) |") == true, "\(old): \(row ?? run.errors)"
            )
        }
        let manifest = try await sandbox.run("packtool report newest.json dist --format markdown")
        #expect(
            manifest.lines.last { $0.hasPrefix("| package |") }?
                .hasSuffix(" | \(readableSize(bytes[2])) |") == true)
        let unknown = try await sandbox.run("packtool report dist cdn --format markdown")
        #expect(unknown.lines.last { $0.hasPrefix("| package |") }?.hasSuffix(" |  |") == true)
    }

    @Test func measuresWhatOtherCommandsMeasure() async throws {
        let sandbox = try await sandbox()
        let run = try await sandbox.run("packtool report cdn@1.0 dist --json")
        #expect(run.status == 0, "\(run.errors)")
        let report = try JSONDocument(Array(run.output.utf8))
        // Compared with the sizes of files written by other commands.
        let sizes = try await sandbox.run(
            """
            packtool package dist -o a.zip --quiet
            packtool manifest dist --package a.zip -o i.json --quiet
            packtool delta cdn@1.0 dist -o d.zip --info i.json --quiet
            stat -c %s a.zip i.json d.zip cdn/channels/production/pointer.json
            packtool hash dist; find dist -type f | wc -l; cat $(find dist -type f) | wc -c
            """
        ).lines
        #expect(sizes.count == 7, "\(sizes)")
        #expect(report["package"]?.number == Int(sizes[0]))
        #expect(report["new"]?["version"]?.text == sizes[4])
        #expect(report["new"]?["files"]?.number == Int(sizes[5]))
        #expect(report["new"]?["bytes"]?.number == Int(sizes[6]))
        let routes = try #require(report["routes"]?.elements)
        func part(_ route: String, _ what: String) -> Int? {
            routes.first { $0["name"]?.text == route }?["parts"]?.elements?
                .first { $0["what"]?.text == what }?["bytes"]?.number
        }
        #expect(part("package", "package") == Int(sizes[0]))
        #expect(part("single files", "info.json") == Int(sizes[1]))
        #expect(part("delta", "delta") == Int(sizes[2]))
        #expect(part("delta", "info.json") == nil)
        #expect(part("delta", "pointer") == Int(sizes[3]))
        #expect(routes.first?["name"]?.text == "delta")
        let costs = try #require(report["costs"]?.elements)
        let cost = { (name: String) in costs.first { $0["path"]?.text == name } }
        #expect(
            cost("assets/lib.5e6f7a8b.js")?["reason"]?.text
                == "changed along assets/lib.1a2b3c4d.js")
        #expect(cost("new.txt")?["reason"]?.text == "new")
        #expect(cost("index.html")?["reason"]?.text == "changed")
        let sum = costs.reduce(0) { $0 + ($1["bytes"]?.number ?? 0) }
        #expect(sum + (report["otherCost"]?.number ?? 0) == Int(sizes[2]))
        // The encoder reports the costs; they are compared with the decoder's.
        let explained = try await JSONDocument(
            sandbox.run("packtool delta --explain d.zip cdn@1.0 --json").bytes)
        let coded = try #require(explained["coded"]?.elements)
        #expect(coded.count >= 3)
        for file in coded {
            let path = try #require(file["path"]?.text)
            #expect(cost(path)?["bytes"]?.number == file["bytes"]?.number, "\(path)")
        }
        let kinds = report["changes"]?.elements?.compactMap { $0["kind"]?.text }.sorted()
        #expect(kinds == ["added", "changed", "renamed"])
        let finding = report["findings"]?.elements?.first { $0["rule"]?.text == "missing-file" }
        #expect(finding?["new"]?.number == 1)
        let budgets = try #require(report["budgets"]?.elements)
        #expect(budgets.map { $0["kept"]?.flag } == [true, false, true, true])
        #expect(report["history"]?.elements?.compactMap { $0["label"]?.text } == ["1.0", "1.1"])
    }

    /// The old release may be an origin, a directory or a package; the report is the same.
    @Test func theOldReleaseMayBeGivenInAnyForm() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare(
            """
            cp -r dist old; rm old/new.txt old/assets/lib.5e6f7a8b.js
            seq 4000 > old/assets/lib.1a2b3c4d.js; echo '<img src=lost.png>' >> dist/index.html
            packtool package old -o old.zip --quiet
            packtool publish old --to other --no-check --quiet
            packtool install other --into phone --quiet
            """)
        let parts = try await ["old", "old.zip", "other", "phone"].mapInTurn { old in
            try await sandbox.run(
                """
                packtool report \(old) dist --json | python3 -c '
                import json, sys
                report = json.load(sys.stdin)
                names = ("package", "files", "costs", "otherCost", "changes", "unchanged")
                print(json.dumps([report[name] for name in names], sort_keys=True))
                print([f["new"] for f in report["findings"] if f["rule"] == "missing-file"])'
                """
            ).lines
        }
        #expect(parts[0].count == 2 && parts[0][0].count > 500)
        #expect(parts[0][1] == "[1]", "lost.png is new, gone.png is not")
        #expect(parts[1] == parts[0])
        #expect(parts[2] == parts[0])
        #expect(parts[3] == parts[0])
    }

    @Test func savesOtherFormsOfTheSameReport() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare(
            "packtool report cdn dist -o r.html --save markdown=r.md --save json=r.json --save html=s.html"
        )
        for (format, file) in [("markdown", "r.md"), ("json", "r.json"), ("html", "r.html")] {
            let alone = try await sandbox.run("packtool report cdn dist --format \(format)")
            #expect(try sandbox.read(file) == alone.bytes, "\(format)")
        }
        #expect(try sandbox.read("r.html") == sandbox.read("s.html"))
    }

    @Test func findingsOfTheOldReleaseAreNotNew() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare(
            "cp -r dist later; echo '<img src=other.png>' >> later/index.html")
        let run = try await sandbox.run("packtool report dist later --format markdown")
        let lines = run.lines.prefix { !$0.hasPrefix("#") || $0.hasPrefix("## ") }
        #expect(
            lines.contains("**[2 errors, no warnings — not ready to publish](#packtool-findings)**")
        )
        #expect(lines.contains("- New findings: 1"), "\(run.output)")
        let same = try await sandbox.run("packtool report dist dist --format markdown")
        #expect(same.output.contains("- New findings: none\n"))
        // Both verdicts count errors.
        #expect(same.output.contains("\nNone that are new. Existing: `"), "\(same.output)")
        #expect(!same.output.contains("### Update"), "there is no update")
    }

    @Test func markdownHasAtMostSixtyLines() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare(
            """
            for i in $(seq 80); do
                echo "<base href='/$i/'><img src='a|b$i.png'>" > "dist/[a](x)|<i>$i.html"
                seq $i 300 > dist/f$i.js
            done
            """)
        let run = try await sandbox.run("packtool report cdn dist --format markdown")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.lines.count <= 60 && run.lines.count > 30)
        #expect(run.output.contains("**exceeded**"))
        #expect(!run.output.contains("<i>") || run.output.contains("`[a](x)\\|<i>"))
        for line in run.lines where line.hasPrefix("|") {
            // Every row has the bars of its table, whatever the names contain.
            #expect(line.hasSuffix(" |") || line.hasSuffix("|"), "\(line)")
        }
    }

    /// Regression: HTML was written to a terminal.
    @Test func aTerminalGetsNoPage() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("build; mv dist 'my dist'")
        // The helper provides a terminal only for standard error.
        let terminal =
            "python3 '\(ToolRunner.python)/on_terminal.py' sh -c 'exec \"$@\" >&2' - packtool report"
        let page = try await sandbox.run("\(terminal) 'my dist'")
        #expect(page.status == 64 && !page.output.contains("<"), "\(page.output)")
        #expect(page.output.contains("'packtool report 'my dist' -o report.html'"))
        for flags in ["-o r.html", "--format markdown", "--json"] {
            #expect(try await sandbox.run("\(terminal) 'my dist' \(flags)").status == 0, "\(flags)")
        }
    }

    @Test func writesOnePageThatIsTheSameEachTime() async throws {
        let sandbox = try await sandbox()
        let run = try await sandbox.run("packtool report cdn@1.0 dist -o one.html")
        #expect(run.output.hasPrefix("wrote one.html, "), "\(run.errors)")
        try await sandbox.run("PACKTOOL_JOBS=1 packtool report cdn@1.0 dist > two.html")
        #expect(try sandbox.read("one.html") == sandbox.read("two.html"))
        let page = String(decoding: try sandbox.read("one.html"), as: UTF8.self)
        for text in ["lib.5e6f7a8b.js", "gone.png", "1.1", "exceeded", "Cost of an update"] {
            #expect(page.contains(text), "\(text)")
        }
        let tree = try await sandbox.run("ls tmp ../tmp; ls -a")
        #expect(!tree.output.contains("packtool-") && !tree.output.contains(".report"))
    }

    @Test func takesOneReleaseAndAManifest() async throws {
        let sandbox = try await sandbox()
        let alone = try await sandbox.run("packtool report dist --format markdown")
        #expect(alone.status == 0 && !alone.output.contains("Compared"))
        try await sandbox.prepare(
            #"echo '{"version":"1","files":["https://a.example/index.html"]}' > seed.json"#)
        for old in ["cdn/info.json", "seed.json"] {
            let run = try await sandbox.run("packtool report \(old) dist --json")
            let report = try JSONDocument(Array(run.output.utf8))
            #expect(run.status == 0, "\(run.errors)")
            #expect(report["routes"]?.elements?.contains { $0["name"]?.text == "delta" } == false)
        }
    }

    /// Byte-identical to the output and files of `check`, with the same exit code, in one run.
    @Test func isTheCheckToo() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare("cp -r cdn/site/production fine 2>&1 || cp -r cdn/site fine")
        for (build, status) in [("dist", Int32(1)), ("fine", 0)] {
            let run = try await sandbox.run(
                """
                packtool report cdn \(build) -o r.html --findings github --findings sarif=r.sarif \\
                    --findings text=r.txt --findings junit=r.xml --limit 1
                """)
            #expect(run.status == status, "\(run.errors)")
            #expect(try !sandbox.read("r.html").isEmpty)
            let check = try await sandbox.run(
                """
                packtool check \(build) --against cdn --format github --save sarif=c.sarif \\
                    --save text=c.txt --save junit=c.xml --limit 1
                """)
            #expect(check.status == status && check.output == run.output)
            for form in ["sarif", "txt", "xml"] {
                #expect(try sandbox.read("r.\(form)") == sandbox.read("c.\(form)"), "\(form)")
            }
            #expect(run.output.contains("gone.png") == (build == "dist"))
            // Regression: exit code 1 without a message on standard error.
            #expect(
                run.errors.contains(
                    """
                    error: the check found 1 error: missing-file (1)
                    help: fix them in the build, or accept them: 'packtool check dist --baseline \
                    packtool-baseline.json --update-baseline', with 'check.baseline: packtool-baseline.json'
                    """.trimmingCharacters(in: .newlines)) == (status == 1), "\(run.errors)")
        }
        let many = try await sandbox.run(
            """
            for i in 1 2 3; do echo "<a href=tel:$i>" >> fine/index.html; done
            echo '<img src=http://other.example/a.png>' >> fine/index.html
            printf 'app: shop\\ncheck: {max-warnings: 0}\\n' > packtool.yaml
            packtool check fine > c.txt; echo $?
            packtool report fine -o r.html --findings text > r.txt; echo $?; cmp c.txt r.txt
            """)
        #expect(many.lines == ["1", "1"], "\(many.output) \(many.errors)")
        #expect(many.errors.contains("error: the check found 1 warning; check.max-warnings is 0: "))
        #expect(try !sandbox.read("c.txt").isEmpty)
    }

    @Test(arguments: [
        ("report a b c", 64), ("report dist --findings text", 64),
        ("report dist -o r.html --json --findings text", 64),
        ("report dist -o r.html --findings text --findings github", 64),
        ("report dist -o r.html --findings pdf", 64),
        ("report dist -o r.html --findings html=f.html", 64),
        ("report dist -o r.html --findings sarif=dist/f.sarif", 2),
        ("report dist -o r.html --limit 3", 64), ("report dist -o dist/r.html", 2),
        ("report cdn dist -o cdn/r.html", 2),
        ("report dist --save pdf=r.pdf", 64), ("report cdn dist --save json=cdn/r.json", 2),
        ("report cdn@none dist", 2), ("report", 64), ("report cdn dist --channel none", 2),
    ])
    func refuses(line: String, status: Int32) async throws {
        let sandbox = try await sandbox()
        let before = try sandbox.tree()
        let run = try await sandbox.run("packtool \(line)")
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains("help: "))
        #expect(try sandbox.tree() == before)
    }
}
