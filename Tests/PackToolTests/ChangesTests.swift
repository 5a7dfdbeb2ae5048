import Foundation
import TestSupport
import Testing

/// `packtool diff` and `packtool verify --build`: output forms, limits, renamed files and origins.
@Suite struct ChangesTests {
    /// Two builds with 30 added files and one change of each other kind.
    private func sandbox() async throws -> Sandbox {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build old; build new; for i in $(seq 30); do echo $i > new/n$i.txt; done
            echo x >> new/index.html; rm new/assets/app.css
            seq 900 > old/lib.1a2b3c4d.js; seq 901 > new/lib.5e6f7a8b.js
            mv new/assets/app.js new/assets/main.js
            """)
        return sandbox
    }

    @Test func listsAreCappedAndCounted() async throws {
        let sandbox = try await sandbox()
        let run = try await sandbox.run("packtool diff old new")
        #expect(run.lines.count { $0.hasPrefix("  + ") } == 20)
        #expect(run.output.contains("… and 10 more added ('--limit 0' shows all)"))
        #expect(run.lines.contains { $0.hasPrefix("  > lib.1a2b3c4d.js -> lib.5e6f7a8b.js  ") })
        #expect(run.lines.contains { $0.hasPrefix("  > assets/app.js -> assets/main.js  ") })
        #expect(
            run.lines.last?.hasPrefix(
                "30 added, 1 removed, 1 changed, 1 renamed, 1 moved, 0 unchanged; ") == true)
        let all = try await sandbox.run("packtool diff old new --limit 0")
        #expect(all.lines.count { $0.hasPrefix("  + ") } == 30)
        #expect(!all.output.contains("more added"))
        let few = try await sandbox.run("packtool diff old new --limit 2 --format markdown")
        #expect(few.lines.count { $0.hasPrefix("| added | `") } == 2)
        #expect(few.output.contains("| added | … and 28 more | | |"))
        #expect(few.output.contains("| renamed | `lib.1a2b3c4d.js` to `lib.5e6f7a8b.js` |"))
        let github = try await sandbox.run("packtool diff old new --format github")
        #expect(
            github.lines.count == 1 && github.output.hasPrefix("::notice title=packtool diff::"))
        #expect(github.output.contains("30 added"))
        let json = try await JSONDocument(
            Array(sandbox.run("packtool diff old new --json").output.utf8))
        #expect(json["renamed"]?.elements?.first?["to"]?.text == "lib.5e6f7a8b.js")
        #expect(try await sandbox.run("packtool diff old new --limit -1").status == 64)
        #expect(try await sandbox.run("packtool diff old new --limit 3 --json").status == 64)
    }

    @Test func verifyHasTheSameForms() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare(
            "packtool manifest old -o info.json --app a --base-url https://a.example --quiet")
        let text = try await sandbox.run("packtool verify info.json --build new")
        #expect(text.status == 1)
        #expect(text.lines.count { $0.hasPrefix("extra    n") } == 20)
        #expect(text.output.contains("… and 10 more added"))
        #expect(text.lines.contains("missing  assets/app.css"))
        #expect(text.lines.contains("changed  index.html"))
        #expect(text.lines.contains("renamed  lib.1a2b3c4d.js -> lib.5e6f7a8b.js"))
        #expect(text.lines.contains("renamed  assets/app.js -> assets/main.js"))
        #expect(text.errors.contains("1 missing, 30 extra, 1 changed, 2 renamed"))
        let github = try await sandbox.run("packtool verify info.json --build new/ --format github")
        #expect(github.status == 1 && github.lines.count == 10)
        #expect(github.lines.allSatisfy { $0.hasPrefix("::error file=") })
        #expect(
            github.lines.first?.hasPrefix("::error file=new/n1.txt,title=packtool verify::") == true
        )
        #expect(github.lines.last?.contains("25 not annotated here") == true)
        let markdown = try await sandbox.run(
            "packtool verify info.json --build new --format markdown")
        #expect(markdown.output.contains("| renamed | `assets/app.js` to `assets/main.js` |"))
        let json = try await JSONDocument(
            Array(sandbox.run("packtool verify info.json --build new --json").output.utf8))
        #expect(json["missing"]?.elements?.count == 3 && json["extra"]?.elements?.count == 32)
        #expect(json["renamed"]?.elements?.count == 2)
        for format in ["text", "github", "markdown", "json"] {
            #expect(
                try await sandbox.run("packtool verify info.json --build old --format \(format)")
                    .status
                    == 0)
        }
    }

    @Test func anOriginIsARelease() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare(
            """
            for release in 'old 1.0' 'new v@2'; do
                set -- $release
                packtool publish $1 --to cdn --app shop --base-url $URL --label $2 --quiet --no-check
            done
            packtool publish old --to cdn --app shop --base-url $URL --channel beta --quiet --no-check
            cp -r old 'cdn@odd'; echo odd > 'cdn@odd/odd.txt'
            """)
        let expected = try await sandbox.run("packtool diff old new").output
        let version = try await sandbox.run("packtool hash old").output.dropLast()
        for names in [
            "cdn@1.0 cdn", "cdn@\(version) cdn@v@2", "file://$PWD/cdn@1.0 new", "old cdn",
            "old cdn/",
        ] {
            let run = try await sandbox.run("packtool diff \(names)")
            #expect(run.output == expected, "\(names): \(run.errors)")
        }
        #expect(
            try await sandbox.run("packtool diff cdn new --channel beta").output == expected,
            "another channel's current release")
        // An existing directory takes precedence over a label.
        #expect(try await sandbox.run("packtool diff old cdn@odd").output.contains("odd.txt"))
        let unknown = try await sandbox.run("packtool diff cdn@no new --json")
        #expect(unknown.code == "origin.no-such-release", "\(unknown.all)")
        #expect(try await sandbox.run("packtool diff cdn new --channel none").status == 2)
        let simulated = try await sandbox.run("packtool simulate cdn@1.0 cdn")
        #expect(simulated.output == (try await sandbox.run("packtool simulate old new").output))
        let check = "packtool check new --profile basename-cache --hints --json --against"
        #expect(
            try await sandbox.run("\(check) cdn@1.0").output
                == sandbox.run("\(check) cdn/releases/\(version)/info.json").output)
    }

    @Test func aManifestWithoutHashesIsAnOldRelease() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare(
            """
            python3 - <<'END'
            import json, pathlib
            files = sorted(str(p.relative_to('old')) for p in pathlib.Path('old').rglob('*') if p.is_file())
            json.dump({'version': '17', 'files': ['https://a.example/shop/' + f for f in files]}, open('seed.json', 'w'))
            END
            """)
        let run = try await sandbox.run("packtool diff seed.json new")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.lines.first?.hasPrefix("17 -> ") == true)
        #expect(run.lines.contains { $0.hasPrefix("  ? index.html  ") })
        #expect(run.lines.contains("  - assets/app.css"))
        #expect(run.lines.contains { $0.hasPrefix("  > lib.1a2b3c4d.js -> lib.5e6f7a8b.js  ") })
        let stale = try await sandbox.run("packtool simulate seed.json new --client basename-cache")
        #expect(stale.status == 1 && stale.output.contains("stale     index.html"))
        #expect(stale.errors.contains("has no hashes"))
        #expect(try await sandbox.run("packtool check old --against seed.json").status == 0)
        #expect(try await sandbox.run("packtool diff old seed.json").status != 0, "not the new one")
    }
}
