import Foundation
import Synchronization
import TestSupport
import Testing

@testable import PackCommands

/// Every flag has an effect: adding it changes the output, the exit code or the written files.
@Suite struct FlagEffectTests {
    /// A command line, the flags to add one at a time, and alternative lines for some flags.
    struct Case: Sendable, CustomStringConvertible {
        let command: String
        /// The command line without the flag.
        let line: String
        /// The flag with its value.
        let flag: String

        var description: String { "\(line) \(flag)" }
    }

    private static func cases(_ line: String, _ flags: String...) -> [Case] {
        let command = String(line.split(separator: " ")[0])
        return flags.map { Case(command: command, line: line, flag: $0) }
    }

    static let all: [Case] = [
        cases("hash dist", "--listing", "--exclude *.css"),
        cases(
            "manifest dist", "--output m.json", "--package dist.zip", "--commit abc", "--app other",
            "--base-url https://b.example", "--profile capacitor", "--scheme other",
            "--launch page.html", "--exclude *.css"),
        cases(
            "package dist -o a.zip", "--exclude *.css", "--output b.zip", "--level max",
            "--reuse shop-before.zip"),
        cases(
            "publish dist --to new", "--to newer", "--label 1", "--commit abc", "--level max",
            "--reuse shop-before.zip", "--expires-in-days 5", "--dry-run", "--no-check",
            "--channel beta", "--app other", "--base-url https://b.example", "--profile cordova",
            "--scheme other", "--host shop.example.com",
            "--launch page.html", "--exclude page.html", "--feed capgo"),
        cases("publish broken --to new", "--page-origin https"),
        cases("publish now --to again", "--renew"),
        cases("publish next --to again --no-check", "--repair"),
        cases("publish dist --to new --no-check", "--require-origin"),
        cases(
            "publish dist --to new", "--rollout 10", "--rollout-salt a", "--min-native 3",
            "--max-native 3",
            "--mandatory", "--actor me"),
        cases("publish now --to again --base-url https://b.example", "--allow-identity-change"),
        cases(
            "publish next --to again --base-url https://b.example --no-check",
            "--allow-identity-change"),
        cases("publish next --to paused --no-check", "--resume", "--stay-paused"),
        cases(
            "promote ops --from beta", "--from canary", "--release 9", "--label x", "--deltas 0",
            "--rollout 10",
            "--rollout-salt a", "--min-native 3", "--max-native 3", "--mandatory",
            "--channel gamma", "--dry-run",
            "--actor me", "--expires-in-days 5"),
        cases("promote paused --from beta", "--resume", "--stay-paused"),
        cases("publish next --to paused --channel ended --no-check", "--reopen"),
        cases("promote paused --from beta --channel ended", "--reopen"),
        cases(
            "rollback ops", "--to-release 9", "--no-mandatory", "--channel beta", "--dry-run",
            "--actor me", "--expires-in-days 5"),
        cases("rollout ops 50", "--shrink"),
        cases(
            "rollout ops 50 --channel canary", "--channel beta", "--dry-run", "--actor me",
            "--expires-in-days 5"),
        cases(
            "pause ops", "--bypass", "--channel beta", "--dry-run", "--actor me",
            "--expires-in-days 5"),
        cases(
            "resume paused", "--channel beta", "--dry-run", "--actor me", "--expires-in-days 5"),
        cases("renew again", "--expires-in-days 5", "--channel beta"),
        cases("renew again --expires-in-days 9", "--dry-run", "--actor me"),
        cases("prune ops --keep 1 --grace-days 0", "--delay-hours 0", "--yes"),
        cases("prune ops --keep 1", "--grace-days 0"),
        cases("prune ops --grace-days 0", "--keep 1"),
        cases("prune ops", "--pin 1.0", "--unpin 1.0", "--abandon"),
        cases("prune ops --yes", "--dry-run"),
        cases("prune ops --pin 3.0 --channel beta", "--reason x"),
        cases("prune ops --pin 1.0", "--channel beta"),
        cases("history ops", "--limit 1", "--channel beta"),
        cases("explain ops --channel canary", "--native 3", "--channel beta", "--seen 9"),
        cases("explain ops --channel phones --native 3", "--platform android"),
        cases("explain ops --installed 1.0", "--client basename-cache"),
        cases("explain ops --installed 1.0", "--link 50mbit"),
        cases("explain ops --installed 1.0 --link 50mbit", "--cpu 0.01"),
        cases("explain signed", "--trust root/1.json"),
        cases("explain ops --channel canary --native 3", "--device x", "--installed 1.0"),
        cases("publish broken --to new", "--ignore missing-file", "--baseline known.json"),
        cases("publish dist --to new", "--max-warnings 0"),
        cases("schema", "--output s.json"),
        cases(
            "publish next --to cdn --no-check", "--deltas 0", "--delta-from $(packtool hash dist)"),
        cases(
            "publish next --to signed --no-check --sign-key plain.key", "--sign-with ./sign.sh",
            "--trust root/1.json"),
        cases(
            "publish next --to signed --no-check --sign-key own.key",
            "--passphrase-file pass.txt"),
        cases("publish next --to signed --no-check", "--sign-key plain.key"),
        cases("publish next --to signed --no-check --sign-key plain.key", "--propose next.json"),
        cases("publish --to signed --sign-key plain.key", "--pointer proposed.json"),
        cases("verify signed", "--trust root/1.json", "--format markdown"),
        cases(
            "verify http://127.0.0.1:9", "--channel beta", "--ca-file gone.pem",
            "--against nowhere"),
        cases("install signed --into device --device a", "--trust root/1.json"),
        cases("verify info.json", "--build dist-before", "--exclude *.css"),
        cases("verify info.json --build dist-before", "--format github", "--limit 1"),
        cases(
            "install cdn --into device --device a", "--into tablet", "--channel beta", "--device b"),
        cases("install ops --into device --device a --channel canary", "--native 3"),
        cases("install ops --into device --device a --channel phones --native 3", "--platform ios"),
        cases("install cdn --into device --device a", "--embedded offline"),
        cases("install --into phone", "--ready"), cases("explain", "--start phone"),
        cases("explain --start phone", "--embedded offline"),
        cases(
            "install http://127.0.0.1:9 --into device --device a", "--mirror http://127.0.0.1:9/b",
            "--ca-file gone.pem"),
        cases(
            "embed cdn -o app", "--output other", "--channel beta", "--reason x", "--no-pin"),
        cases("embed ops -o app --channel store", "--native 3"),
        cases("embed ops -o app --channel phones --native 3", "--platform ios"),
        cases("embed signed -o app", "--trust root/1.json"),
        cases(
            "embed http://127.0.0.1:9 -o app", "--mirror http://127.0.0.1:9/b",
            "--ca-file gone.pem"),
        cases("diff dist-before dist", "--format json", "--exclude *.css", "--limit 1"),
        cases("diff cdn-before dist", "--channel old"),
        cases("simulate cdn-before dist", "--channel old"),
        cases("diff http://127.0.0.1:9 dist", "--ca-file gone.pem"),
        cases("simulate http://127.0.0.1:9 dist", "--ca-file gone.pem"),
        cases("report http://127.0.0.1:9 dist", "--ca-file gone.pem"),
        cases("check dist --against http://127.0.0.1:9", "--ca-file gone.pem"),
        cases("delta http://127.0.0.1:9 dist -o d.zip", "--ca-file gone.pem"),
        cases("delta dist-before dist -o d.zip", "--output e.zip", "--exclude *.css"),
        cases("delta dist -o d.zip", "--from 1.0 --at cdn"),
        cases("delta dist-before", "--explain update.zip"),
        cases("delta dist-before dist -o d.zip --quiet", "--info info.json"),
        cases("check dist --format sarif", "--path-prefix web/dist"),
        cases("apply dist-before update.zip -o now", "--output then"),
        cases("apply dist-before update.zip -o applied", "--exclude *.css", "--info i.json"),
        cases(
            "check dist", "--format sarif", "--max-warnings 0", "--baseline accepted.json", "--fix",
            "--hints", "--dump-urls", "--save markdown=f.md", "--profile capacitor",
            "--host shop.example.com", "--page-origin https", "--launch other.html",
            "--exclude assets/*.css"),
        cases("check unread", "--strict-coverage"),
        cases("check broken --profile cordova", "--limit 1", "--color always"),
        cases("check dist", "--engine"), cases("report broken -o r.html", "--engine"),
        cases("check dist --engine --page-origin https", "--network"),
        cases("report broken -o r.html --engine --page-origin https", "--network"),
        cases("check dist --profile basename-cache", "--against cdn-before/info.json"),
        cases(
            "check broken", "--select large-file", "--ignore missing-file", "--scheme other"),
        cases("check dist --baseline new.json", "--update-baseline"),
        cases(
            "rewrite dist -o app --host shop.example.com", "--output other",
            "--form protocol-relative", "--dual", "--profile capacitor", "--scheme other",
            "--host www.example.com", "--page-origin dual", "--exclude page.html"),
        cases("rewrite rewritten -o app", "--reverse"),
        cases(
            "rules", "--markdown", "--profile capacitor", "--host a.example", "--page-origin dual"),
        cases(
            "simulate dist-before dist", "--client capacitor", "--package dist.zip",
            "--delta update.zip", "--exclude *.css"),
        cases(
            "resolve dist customscheme://a/cart", "--profile capacitor", "--scheme other"),
        cases("resolve dist customscheme://a/page.html", "--exclude page.html"),
        cases(
            "resolve dist --profile cordova app://localhost/cart", "--launch page.html"),
        cases(
            "init", "--app other", "--base-url https://b.example", "--profile capacitor",
            "--scheme other", "--host a.example", "--page-origin dual", "--launch page.html",
            "--channel beta", "--exclude *.css"),
        cases(
            "report dist-before dist --format json", "--level max", "--profile capacitor",
            "--host shop.example.com", "--page-origin https", "--launch other.html",
            "--exclude *.css"),
        cases("report now broken --format json", "--scheme other"),
        cases("report cdn-before dist --format json", "--channel old"),
        cases("report now broken", "--format markdown", "--save markdown=f.md"),
        cases("report broken now", "--output r.html"),
        cases("report broken -o r.html", "--findings text"),
        cases("report broken -o r.html --findings github", "--path-prefix web/dist"),
        cases("report gone broken -o r.html", "--allow-missing"),
        cases("check dist --against gone", "--allow-missing"),
        cases("report broken -o r.html --findings text --profile cordova", "--limit 1"),
        // The file already exists here.
        cases("init .", "--force"), cases("init s3://shop-cdn/shop", "--policy aws"), signed,
    ].flatMap { $0 }

    /// All commands that change a channel, at an origin with a trust root.
    private static let signed: [Case] = [
        "promote signed --from beta", "rollback signed", "rollout signed 50 --channel beta",
        "pause signed", "resume signed --channel beta", "renew signed --expires-in-days 5",
    ].flatMap { line in
        [
            cases(line, "--sign-key plain.key"),
            cases("\(line) --sign-key plain.key", "--sign-with ./sign.sh", "--trust root/1.json"),
            cases("\(line) --sign-key own.key", "--passphrase-file pass.txt"),
            cases("\(line) --sign-key plain.key", "--propose next.json"),
        ].flatMap { $0 }
    }

    /// Pages whose findings depend on every property of a profile.
    static let project =
        HelpExample.project + """

            cp -r cdn cdn-before; packtool publish dist-before --to cdn-before --channel old --quiet
            seq 1 2000 | tee dist/assets/lib.txt > dist-before/assets/lib.txt
            packtool package dist-before -o shop-before.zip --level max --quiet
            cp -r dist now; packtool publish now --to again --quiet
            build unread; echo 'import(name)' > unread/assets/app.js
            build broken; cat > broken/index.html <<'END'
            <!doctype html><title>Broken</title><img src=gone.png>
            <img src="customscheme://shop.example.com/assets/app.css">
            END
            cat > dist/page.html <<'END'
            <!doctype html><title>Page</title><link rel=stylesheet href=assets/app.css>
            <img src="https://shop.example.com/assets/logo.png"><img src="//www.example.com/assets/logo.png">
            <img src="https://www.example.com/assets/logo.png">
            <a href="customscheme://shop.example.com/index.html">home</a><a href="other://x/index.html">o</a>
            <script src="http://cdn.example.net/a.js"></script>
            END
            printf '\\211PNG\\r\\n\\032\\n' > dist/assets/logo.png
            echo 'body { margin: 2px }' > dist/assets/app.css
            build next; echo 'console.log("sale")' > next/assets/app.js
            for origin in ops paused; do
                packtool publish dist-before --to $origin --label 1.0 --no-check --quiet
                packtool publish dist --to $origin --label 2.0 --no-check --quiet
                packtool publish next --to $origin --label 3.0 --channel beta --no-check --quiet
            done
            packtool publish next --to ops --channel canary --rollout 10 --min-native 3 --no-check --quiet
            packtool publish next --to ops --channel store --min-native 3 --no-check --quiet
            packtool publish next --to ops --channel phones --min-native ios=2 --min-native android=4 --no-check --quiet
            packtool pause paused --quiet
            packtool promote paused --from beta --channel ended --quiet; packtool channel close paused ended --quiet
            packtool package dist -o dist.zip --quiet
            packtool check dist --update-baseline --baseline accepted.json --quiet
            packtool check broken --update-baseline --baseline known.json --quiet
            packtool manifest dist -o info.json --quiet
            rm update.zip; packtool delta dist-before dist -o update.zip --info info.json --quiet
            packtool keys init --app shop --dir own --passphrase-file pass.txt --quiet
            mv own/release.key own.key; mv own/1.root.json own.json; mkdir signed
            openssl pkey -in own.key -passin file:pass.txt -out plain.key; chmod 600 plain.key
            packtool keys publish own.json --to signed --quiet
            packtool publish dist-before --to signed --sign-key plain.key --no-check --quiet
            packtool publish next --to signed --channel beta --sign-key plain.key --no-check --quiet
            packtool publish dist --to signed --channel beta --rollout 10 --sign-key plain.key --no-check --quiet
            packtool pause signed --channel beta --sign-key plain.key --quiet
            packtool publish dist --to signed --sign-key plain.key --no-check --quiet
            packtool pause signed --sign-key plain.key --propose proposed.json --quiet
            printf '#!/bin/sh\nexit 1\n' > sign.sh; chmod +x sign.sh
            packtool rewrite dist -o rewritten --host shop.example.com --quiet
            """

    /// All commands outside of groups; JSONPageTests and KeysTests run those of `channel` and `keys`.
    private static let commands = HelpTests.runnable.filter { !$0.contains(" ") }

    /// Every flag has a case here, except the flags common to all commands.
    @Test func everyFlagHasACase() throws {
        let covered = Set(
            Self.all.flatMap { test in
                test.flag.split(separator: " ").filter { $0.hasPrefix("--") }
                    .map { "\(test.command) \($0)" }
            })
        let common: Set = ["--json", "--quiet", "--verbose", "--config", "--version", "--help"]
        var taken: Set<String> = []
        for command in Self.commands {
            for match in try HelpTests.help(command).matches(of: /\n  (?:-o, )?(--[a-z-]+)/) {
                let flag = String(match.1)
                if !common.contains(flag) { taken.insert("\(command) \(flag)") }
            }
        }
        // Needs a terminal: see InitQuestionsTests.
        taken.remove("init --yes")
        // These need a server and are tested in Tests/Rigs/Remote.
        taken.subtract([
            "verify --all", "verify --depth", "verify --conditional-writes", "publish --cache",
            "publish --verify-cdn", "publish --cdn-wait",
        ])
        // These need an engine and are tested in Tests/Rigs/Engine.
        taken.subtract([
            "check --pages", "check --engine-time", "report --pages", "report --engine-time",
        ])
        // Saves time: see HashFileTests.
        taken.remove("publish --no-cache")
        taken = taken.filter {
            !$0.hasPrefix("serve ") && !$0.hasPrefix("open ") && !$0.hasSuffix(" --endpoint")
                && !$0.hasSuffix(" --region")
                && !$0.hasSuffix(" --no-conditional-writes") && !$0.hasSuffix(" --verify-all")
                && !$0.hasSuffix(" --trust-sizes")
        }
        #expect(taken.subtracting(covered) == [], "a flag without a case")
        #expect(covered.subtracting(taken) == [], "a case without its flag")
    }

    /// A fixed time for all runs, so that identical lines give identical results.
    static let moment = {
        let now = "\(Int(Date().timeIntervalSince1970))"
        return ["SOURCE_DATE_EPOCH": now, "PACKTOOL_CLOCK": now]
    }()

    private static let shared = PreparedSandbox(project, environment: moment)

    /// The output of a run and the files it writes.
    private static func outcome(_ line: String) async throws -> (run: Run, all: [String]) {
        let sandbox = try await shared.copy()
        if line.hasPrefix("init"), !line.hasPrefix("init ."), !line.contains("s3:") {
            try await sandbox.prepare("rm packtool.yaml")
        }
        let run = try await sandbox.run("packtool \(line)", environment: moment, timeout: 120)
        let said = (run.output + run.errors)
            .replacing(/time +[0-9.]+ s/, with: "").replacing(sandbox.path, with: "")
            // Progress on a slow machine.
            .replacing(/(?m)^[a-z ]+: .* after [0-9]+ s\n/, with: "")
            // `prune` uses the local clock, and two runs may fall into different hours.
            .replacing(/from [0-9T:-]{19}Z on/, with: "")
        return try (run, ["\(run.status)", said] + sandbox.tree())
    }

    /// Caches the result of each line without flags.
    private final class Lines: Sendable {
        private let outcomes = Mutex<[String: [String]]>([:])

        func outcome(_ line: String) async throws -> [String] {
            if let known = outcomes.withLock({ $0[line] }) { return known }
            let made = try await FlagEffectTests.outcome(line).all
            outcomes.withLock { $0[line] = made }
            return made
        }
    }

    private static let lines = Lines()

    @Test(arguments: all) func aFlagActs(_ test: Case) async throws {
        let with = try await Self.outcome("\(test.line) \(test.flag)")
        #expect(with.run.status != 64, "\(with.run.errors)")
        #expect(try await Self.lines.outcome(test.line) != with.all)
    }

    /// Complements ``aFlagActs(_:)``: without the flag, two runs of a line are identical.
    @Test(arguments: Soak.sample(Set(all.map(\.line)).sorted(), 30))
    func aLineAloneIsTheSameTwice(_ line: String)
        async throws
    {
        #expect(try await Self.outcome(line).all == Self.lines.outcome(line))
    }

    /// The flags common to all commands.
    // `serve` does not exit; see Tests/Rigs/Remote.
    @Test(arguments: commands.filter { $0 != "serve" })
    func theCommonFlagsAct(_ command: String) async throws {
        let line = try #require(
            Self.all.first { $0.command == command }?.line ?? HelpExample.lines(of: command).first)
        let json = try await Self.outcome("\(line) --json").run
        #expect(throws: Never.self) { try JSONDocument(json.bytes) }
        // `init` writes the file read by the other commands.
        let missing = command == "init" ? "conf/gone.yaml" : "gone.yaml"
        #expect(try await Self.outcome("\(line) --config \(missing)").run.status == 2)
    }
}
