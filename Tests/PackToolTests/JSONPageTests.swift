import Foundation
import TestSupport
import Testing

/// `docs/json.md` lists exactly the members that commands print with `--json`.
@Suite struct JSONPageTests {
    /// A section of the page, and command lines that together print all of its members.
    struct Case: Sendable, CustomStringConvertible {
        let section: String
        let lines: [String]
        var description: String { section }
    }

    /// The lines of the sections that the examples of the help do not print in full.
    private static let lines = [
        "hash": ["hash dist --listing"],
        "manifest": ["manifest dist -o m.json"],
        "delta": ["delta dist-before dist -o d.zip", "delta one --explain moves.zip"],
        "diff": ["diff dist-before dist", "diff seed.json dist", "diff one two"],
        "init": ["init project", "init pages --config pages.yaml"],
        "check": [
            "check broken", "check pages", "check dist",
            "check broken --profile basename-cache --profile cordova-android",
        ],
        "rules": ["rules"],
        "resolve": [
            "resolve dist customscheme://a/page.html customscheme://a/gone.png data:,a",
            "resolve dist --profile basename-cache customscheme://a/gone.png",
        ],
        "simulate": [
            "simulate dist-before dist",
            "simulate dist-before dist --package dist.zip --delta update.zip",
            "simulate one two --client basename-cache",
            "simulate cdn broken --client basename-cache", "simulate one info.json",
        ],
        "report": ["report bigger next", "report one two"],
        "publish": [
            "publish two --to big --no-check",
            "publish next --to ops --rollout 10 --no-check --dry-run",
        ],
        "promote, rollback, rollout, pause, resume, renew, channel close": [
            "promote ops --from beta", "pause ops", "renew again --expires-in-days 3",
            "rollback ops", "resume paused", "rollout ops 50 --channel canary",
            "channel close ops canary",
        ],
        "status": ["status ops", "status signed", "status damaged"],
        "history": ["history promoted", "history ops", "history damaged", "history pruned"],
        "explain": [
            "explain ops --client basename-cache", "explain ops --installed 1.0",
            "explain --start updated",
        ],
        "verify of an origin": ["verify ops", "verify damaged"],
        "verify of an https address": [
            "verify http://127.0.0.1:PORT --channel beta", "verify http://127.0.0.1:PORT",
        ],
        "verify of a manifest": ["verify info.json --build next", "verify one.json --build two"],
        "prune": ["prune pinned --keep 1 --grace-days 0", "prune ops --keep 1 --grace-days 0"],
        "prune --abandon": ["prune ops --abandon"],
        "prune --pin": ["prune ops --pin 1.0 --reason store"],
        "install": [
            "install cdn --into updated", "install signed --into tablet --trust own.json",
            "install --ready --into updated",
        ],
        "embed": ["embed cdn -o shell", "embed signed -o signed-shell --trust own.json"],
        "serve": ["serve cdn --listen 127.0.0.1:0"],
        "keys show": ["keys show own/release.key.pub"],
        "keys sign": ["keys sign proposed.json --sign-key plain.key --trust own.json"],
        "keys check": [
            "keys check own.json", "keys check floor.json --previous own.json",
            "keys check promotion.json --trust own.json",
        ],
        "schema": ["schema --output s.json"],
    ]

    static let cases = ((try? page.get().keys.sorted()) ?? [])
        .filter { !elsewhere.contains($0) }
        .map { Case(section: $0, lines: lines[$0] ?? examples($0)) }

    /// The help's examples of the commands in a section's title.
    private static func examples(_ section: String) -> [String] {
        section.components(separatedBy: ", ").filter(HelpTests.runnable.contains)
            .flatMap(HelpExample.lines)
    }

    /// Sections that this suite cannot trigger.
    static let elsewhere: Set<String> = [
        // For buckets: Tests/Rigs/Remote/s3.py.
        "verify --conditional-writes",
        // Needs a display: Tests/Rigs/Engine.
        "open",
    ]

    /// Members that this suite cannot trigger.
    static let printedElsewhere: [String: Set<String>] = [
        // With an engine: Tests/Rigs/Engine.
        "check": [
            "findings[].engine", "opened.engine", "opened.milliseconds", "opened.left",
            "opened.pages[].url", "opened.pages[].file", "opened.pages[].milliseconds",
            "opened.pages[].firstPaint", "opened.pages[].stopped",
        ],
        "report": ["pages[].name", "pages[].note"],
        // With `--verify-cdn`: Tests/Rigs/Remote/cases.py. For repairs: RepairTests.
        "publish": ["cdn", "repairs[].path", "repairs[].what"],
        // For buckets: Tests/Rigs/Remote/s3.py.
        "verify of an origin": Set(
            ["code", "severity", "problem", "paths", "answer", "help"].map { "findings[].\($0)" }),
    ]

    @Test(arguments: cases)
    func theSectionHasTheMembersThatArePrinted(_ test: Case) async throws {
        let wanted = try #require(Self.page.get()[test.section])
        try #require(!test.lines.isEmpty, "no command line prints this section")
        var seen: Set<String> = []
        for line in test.lines {
            let document = try await Self.document(of: line)
            #expect(
                document["error"] == nil, "\(line): \(document["error"]?["message"]?.text ?? "")")
            seen.formUnion(Self.members(of: document, ""))
        }
        let unknown = seen.filter { member in !wanted.contains { Self.covers($0, member) } }
        #expect(unknown.sorted() == [], "printed and not on the page")
        let unseen = wanted.filter { member in !seen.contains { Self.covers($0, member) } }
        #expect(
            Set(unseen) == Self.printedElsewhere[test.section] ?? [], "on the page and not printed")
    }

    @Test func everyTableIsOfASection() throws {
        let named = Set(Self.lines.keys).union(Self.elsewhere).union(Self.printedElsewhere.keys)
        #expect(named.subtracting(try Self.page.get().keys) == [])
    }

    /// Every command has a section.
    @Test func everyCommandHasASection() throws {
        let sections = try Self.page.get().keys.flatMap { $0.components(separatedBy: ", ") }
        for command in HelpTests.runnable {
            let isThere = sections.contains { $0 == command || $0.hasPrefix(command + " ") }
            #expect(isThere, "\(command)")
        }
    }

    @Test func anErrorHasItsMembers() async throws {
        let sandbox = try await Self.project.copy()
        let run = try await sandbox.run("packtool hash gone --json")
        let error = try JSONDocument(run.bytes)
        #expect(error.keys == ["error"])
        let text = try Self.text()
        for key in error["error"]?.keys ?? [] { #expect(text.contains("| `error.\(key)` |")) }
        for key in ["code", "message", "unaffected", "help", "live"] {
            #expect(text.contains("| `error.\(key)` |"))
        }
    }

    // MARK: The page

    private static func text() throws -> String {
        let url = URL(fileURLWithPath: Checkout.path + "/docs/json.md")
        return try String(contentsOf: url, encoding: .utf8)
    }

    /// The members of each section, by title.
    private static let page = Result { try read(text()) }

    private static func read(_ text: String) throws -> [String: Set<String>] {
        var parts: [String: [(path: String, about: String)]] = [:]
        for part in text.components(separatedBy: "<a id=\"").dropFirst() {
            let body = part.components(separatedBy: "\n## ")[0]
            parts[String(part.prefix { $0 != "\"" })] = rows(body)
        }
        var sections: [String: Set<String>] = [:]
        for section in text.components(separatedBy: "\n### ").dropFirst() {
            let lines = section.components(separatedBy: "\n## ")[0].components(separatedBy: "\n")
            var found: Set<String> = []
            for line in lines where line.hasPrefix("All print") {
                for row in parts[anchor(line) ?? ""] ?? [] { found.insert(row.path) }
            }
            for row in rows(lines.joined(separator: "\n")) {
                found.formUnion(expanded(row, parts))
            }
            sections[lines[0]] = found
        }
        for path in sections["promote, rollback, rollout, pause, resume, renew, channel close"]
            ?? []
        where path.hasSuffix("[]") {
            let row = (path: path, about: "(#offer)")
            sections["promote, rollback, rollout, pause, resume, renew, channel close"]?.formUnion(
                expanded(row, parts))
        }
        return sections
    }

    private static func rows(_ text: String) -> [(path: String, about: String)] {
        text.matches(of: /(?m)^\| `([^`]+)` \| (.*) \|$/).map { (String($0.1), String($0.2)) }
    }

    private static func anchor(_ text: String) -> String? {
        text.firstMatch(of: /\(#([a-z-]+)\)/).map { String($0.1) }
    }

    /// A row, or the members of the section it refers to.
    private static func expanded(
        _ row: (path: String, about: String), _ parts: [String: [(path: String, about: String)]]
    ) -> Set<String> {
        guard let part = anchor(row.about).flatMap({ parts[$0] }) else { return [row.path] }
        // "see [offer]" describes one member.
        if row.about.hasPrefix("see ") { return [row.path] }
        return part.reduce(into: []) { found, inner in
            found.formUnion(expanded((row.path + "." + inner.path, inner.about), parts))
        }
    }

    // MARK: Printed members

    /// Whether a path names a member or one of its ancestors.
    ///
    /// Values that are `null` or empty have no members.
    private static func covers(_ path: String, _ member: String) -> Bool {
        path == member || path.hasPrefix(member + ".") || path.hasPrefix(member + "[]")
            || member.hasPrefix(path + ".")
                && (opaque.contains(path) || path.hasSuffix("].platforms"))
    }

    /// Members whose own members are data, such as the settings written by `init`.
    private static let opaque: Set<String> = ["set", "proposed", "platforms"]

    private static func members(of document: JSONDocument, _ path: String) -> Set<String> {
        if let elements = document.elements {
            let inner = elements.reduce(into: Set<String>()) { found, element in
                found.formUnion(members(of: element, path + "[]"))
            }
            // An array of strings is one member.
            return inner.isEmpty || inner == [path + "[]"] ? [path] : inner
        }
        guard !document.keys.isEmpty else { return [path] }
        return document.keys.reduce(into: []) { found, key in
            if let value = document[key] {
                found.formUnion(members(of: value, path.isEmpty ? key : path + "." + key))
            }
        }
    }

    private static func document(of line: String) async throws -> JSONDocument {
        let sandbox = try await project.copy()
        let run: Run
        if line.hasPrefix("serve") || line.contains("PORT") {
            let client = line.hasPrefix("serve") ? "cat said" : "packtool \(line) --json"
            run = try await sandbox.run(
                """
                packtool serve \(line.hasSuffix("PORT") ? "damaged" : "ops") --listen 127.0.0.1:0 --json > said 2> errors & server=$!
                trap 'kill $server' EXIT
                until grep -q '^}' said; do sleep 0.05; done
                PORT=$(grep -o '127.0.0.1:[0-9]*' said | head -1 | cut -d: -f2)
                \(client.replacing("PORT", with: "$PORT"))
                """, environment: FlagEffectTests.moment)
        } else {
            run = try await sandbox.run(
                "packtool \(line) --json", environment: FlagEffectTests.moment, timeout: 120)
        }
        return try JSONDocument(run.bytes)
    }

    private static let project = PreparedSandbox(
        FlagEffectTests.project + """

            printf '{"version": "1", "files": ["assets/app.js", "gone.js"]}' > seed.json
            for side in one two; do
                build $side; seq 1 9000 > $side/assets/moved-$side.txt
                (seq 1 9000; echo $side) > $side/assets/chunk-$(echo $side | md5sum | cut -c1-8).js
                echo $side > $side/assets/$side.txt; echo "/* $side */" >> $side/assets/app.css
            done
            packtool manifest one -o one.json --quiet
            packtool delta one two -o moves.zip --quiet
            packtool publish one --to big --label 1 --quiet
            cp -r big bigger; packtool publish two --to bigger --label 2 --quiet
            packtool install cdn-before --into updated --quiet
            packtool promote signed --from beta --channel store --sign-key plain.key --propose promotion.json --quiet
            packtool keys root own.json -o floor.json --floor production=1 --quiet
            echo x > "broken/a b.js"
            build pages; echo 'fetch("/api/cart")' >> pages/assets/app.js
            for page in a b c; do echo '<!doctype html><title>P</title><img src=none.png>' > pages/$page.html; done
            mkdir -p project/dist project/node_modules; cp -r dist/. project/dist/
            echo '{"devDependencies": {"vite": "6"}}' > project/package.json
            cp -r ops promoted; packtool promote promoted --from beta --quiet
            cp -r ops damaged; rm damaged/objects/*/app.js
            echo x > damaged/channels/beta/pointer.json; echo x > damaged/channels/production/log/1.json
            cp -r ops pinned; packtool prune pinned --pin 1.0 --reason store --quiet
            echo x > pinned/foreign.txt
            cp -r bigger pruned; packtool prune pruned --keep 1 --grace-days 0 --delay-hours 0 --yes --quiet
            mkdir fresh
            """, environment: FlagEffectTests.moment)
}
