import Foundation
import PackGround
import PackOrigin
import PackRelease
import PackVerify
import TestSupport
import Testing

/// Verifies correct and slightly wrong servers over HTTP.
@Suite struct HTTPVerifierTests {
    typealias Change = @Sendable (ServedTransport.Question, inout ServedTransport.Reply) -> Void

    /// Two releases with a delta, at least an hour old.
    static func origin() async throws -> Playground {
        let playground = try Playground()
        try await playground.publish(["index.html": "<h1>1</h1>", "a.js": "one"], label: "1.0")
        try await playground.publish(["index.html": "<h1>2</h1>", "a.js": "two", "b": "same"])
        return playground
    }

    static func files(_ playground: Playground) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for path in try playground.publicFiles() {
            files[path] = try playground.read("origin/\(path)")
        }
        return files
    }

    static func verify(
        _ files: [String: [UInt8]], _ playground: Playground, after seconds: Int = 3600,
        webOrigins: [String] = [], source: (any OriginStore)? = nil, depth: Int = 4,
        change: @escaping Change = { _, _ in }
    ) async throws -> (Verification, [String]) {
        let transport = ServedTransport(files, change: change)
        let store = HTTPStore(
            try HTTPAddress(ServedTransport.address),
            client: HTTPClient(transport, random: { 0.5 }), scratch: playground.path)
        var request = HTTPVerifier.Request(
            channel: .production,
            now: Timestamp(seconds: Playground.now.seconds + seconds), jobs: 2,
            scratch: try Directory.open(playground.path))
        request.webOrigins = webOrigins
        request.source = source
        request.depth = depth
        let result = try await HTTPVerifier(store, request, random: { 0.5 }).verify()
        return (result, transport.paths)
    }

    @Test func aGoodServer() async throws {
        let playground = try await Self.origin()
        let files = try Self.files(playground)
        let (result, paths) = try await Self.verify(
            files, playground, webOrigins: ["customscheme://shop.example.com"]
        ) { _, _ in }
        #expect(result.findings.isEmpty && result.notes.isEmpty)
        #expect(result.channels.first?.sequence == 2)
        #expect(result.channels.first?.recorded == 2)
        #expect(result.releases == 2)
        // The package of the previous release is only requested with HEAD.
        #expect(result.packages.count == 1)
        #expect(result.objects.count == 5)
        #expect(result.siteFiles.count == 3)
        // Only names from pointers are requested, except one random name.
        #expect(Set(paths).subtracting(files.keys).count == 1)
        // All files of the current release were requested.
        #expect(Set(files.keys).subtracting(paths).isEmpty)
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let code: String
        let severity: AuditFinding.Severity
        let testDescription: String
        let bad: Change
        let good: Change

        init(
            _ code: String, _ severity: AuditFinding.Severity, _ name: String,
            _ bad: @escaping Change, _ good: @escaping Change
        ) {
            self.code = code
            self.severity = severity
            testDescription = name
            self.bad = bad
            self.good = good
        }
    }

    private static func set(_ field: String, _ value: String?, on part: String) -> Change {
        { question, reply in
            if question.path.contains(part), reply.status < 300 { reply.fields[field] = value }
        }
    }

    static let wrong: [Wrong] = [
        Wrong(
            "http.not-cached", .warning, "a short life of a package",
            set("Cache-Control", "max-age=3600", on: "package.zip"),
            set("Cache-Control", "max-age=60, s-maxage=31536000", on: "package.zip")),
        Wrong(
            "http.cached-too-long", .warning, "no lifetime of a pointer",
            set("Cache-Control", nil, on: "pointer.json"),
            set("Cache-Control", "no-store", on: "pointer.json")),
        Wrong(
            "http.cached-too-long", .error, "an immutable pointer",
            set("Cache-Control", "max-age=60, immutable", on: "pointer.json"),
            set("Cache-Control", "max-age=60", on: "pointer.json")),
        Wrong(
            "http.cached-too-long", .warning, "a stale page for a day",
            set("Cache-Control", "max-age=60, stale-while-revalidate=86400", on: "site/"),
            set("Cache-Control", "max-age=60, stale-while-revalidate=30", on: "site/")),
        Wrong(
            "http.wrong-type", .error, "a script as text",
            set("Content-Type", "text/plain", on: "a.js"),
            set("Content-Type", "Application/JavaScript ; charset=UTF-8", on: "a.js")),
        Wrong(
            "http.wrong-type", .warning, "a manifest as text",
            set("Content-Type", "text/plain", on: "/info.json"),
            // Servers may choose the media type of unknown file types.
            set("Content-Type", "application/x-anything", on: "objects/0")),
        Wrong(
            "http.transformed", .error, "an encoding nobody asked for",
            set("Content-Encoding", "br", on: "a.js"),
            set("Content-Encoding", "identity", on: "a.js")),
        Wrong(
            "http.page-for-file", .error, "a page for everything",
            { question, reply in
                if reply.status == 404 {
                    reply = .init(status: 200, fields: ["Content-Type": "text/html"], body: [60])
                }
            },
            { _, reply in if reply.status == 404 { reply.status = 403 } }),
        Wrong(
            "http.negative-cached", .warning, "a 404 for a year",
            { _, reply in
                if reply.status == 404 { reply.fields["Cache-Control"] = "max-age=31536000" }
            },
            { _, reply in
                if reply.status == 404 { reply.fields["Cache-Control"] = "max-age=5" }
            }),
        Wrong(
            "http.status", .error, "a 418",
            { question, reply in
                if question.path.hasSuffix("info.json"), question.path.hasPrefix("releases/") {
                    reply.status = 418
                }
            }, { _, _ in }),
        Wrong(
            "http.no-cors", .warning, "CORS for another",
            { _, reply in reply.fields["Access-Control-Allow-Origin"] = "https://b.example" },
            { question, reply in
                reply.fields["Access-Control-Allow-Origin"] = question.fields["origin"]
            }),
        Wrong(
            "http.redirect", .warning, "a redirect to the same host",
            { question, reply in
                if question.path.hasSuffix("package.zip"), !question.isFresh {
                    reply.status = 302
                    reply.fields["Location"] = "\(ServedTransport.address)/\(question.path)?x"
                }
            }, { _, _ in }),
    ]

    @Test(arguments: wrong) func namesWhatIsWrong(_ wrong: Wrong) async throws {
        let playground = try await Self.origin()
        let files = try Self.files(playground)
        let pages = ["customscheme://shop.example.com"]
        let (bad, _) = try await Self.verify(
            files, playground, webOrigins: pages, change: wrong.bad)
        #expect(
            bad.findings.map(\.code) == [wrong.code]
                && bad.findings.allSatisfy { $0.severity == wrong.severity },
            "\(bad.findings)")
        #expect(bad.isSound == (wrong.severity == .warning))
        let (good, _) = try await Self.verify(
            files, playground, webOrigins: pages, change: wrong.good)
        #expect(good.findings.isEmpty, "\(good.findings)")
    }

    /// Each file, with one bit changed, missing, or one byte short.
    @Test(arguments: ["flip", "gone", "short"]) func findsAllDamage(_ damage: String) async throws {
        let playground = try await Self.origin()
        let files = try Self.files(playground)
        let current = try await Self.verify(files, playground) { _, _ in }.0.channels.first?.version
        for path in files.keys.sorted() {
            var other = files
            if damage == "flip" { other[path]?[(files[path]?.count ?? 0) / 2] ^= 1 }
            if damage == "gone" { other[path] = nil }
            if damage == "short" { _ = other[path]?.popLast() }
            // An older package is not read completely, and no hash covers earlier log entries, so
            // only their content is checked.
            let isOlder =
                path.hasSuffix("package.zip")
                && path != current.map { "releases/\($0)/package.zip" }
            let isEntry = path.hasSuffix("log/1.json")
            do {
                let (result, _) = try await Self.verify(other, playground) { _, _ in }
                if damage != "gone", isEntry || isOlder { continue }
                #expect(!result.isSound, "\(damage) \(path)")
            } catch let error as Failure where error.code.isOf("origin") {
                #expect(path.hasSuffix("pointer.json") && damage == "gone", "\(error)")
            }
        }
    }

    @Test func oneCauseIsOneFinding() async throws {
        let playground = try await Self.origin()
        let (result, _) = try await Self.verify(try Self.files(playground), playground) {
            question, reply in
            if question.path.hasPrefix("objects/") {
                reply.fields["Cache-Control"] = "private"
                reply.fields["Age"] = "7"
                reply.fields["CF-Ray"] = "abc-FRA"
            }
        }
        #expect(result.findings.count == 1)
        #expect(result.findings.first?.paths.count == 5)
        #expect(result.findings.first?.evidence == "age 7, cf-ray abc-FRA")
        #expect(result.findings.first?.remedy.contains("docs/guide/origin.md") == true)
    }

    @Test func aRedirectOfAllFilesIsOneFinding() async throws {
        let playground = try await Self.origin()
        let files = try Self.files(playground)
        let (result, _) = try await Self.verify(files, playground) { question, reply in
            guard !question.isFresh, reply.status < 300 else { return }
            reply.status = 301
            reply.fields["Location"] = "https://me:secret@cdm.example.com/shop/\(question.path)?x"
        }
        let found = result.findings.filter { $0.code == "http.redirect" }
        #expect(
            found.map(\.problem) == ["is redirected to another host ('https://cdm.example.com')"])
        #expect((found.first?.paths.count ?? 0) > 5)
    }

    /// Regression: an earlier page longer than the current one was not read completely and was
    /// reported as damaged.
    @Test func anEarlierPageThatWasLongerIsAnEarlierPage() async throws {
        let playground = try Playground()
        try await playground.publish(["index.html": "<h1>the first one</h1>"], label: "1.0")
        try await playground.publish(["index.html": "<h1>2</h1>"])
        let files = try Self.files(playground)
        let problems = [
            "<h1>the first one</h1>": "is of an earlier release",
            "<h1>another one</h1>": "is longer than it must be",
            "<h1>this was in no release</h1>": "is longer than it must be",
        ]
        for (body, problem) in problems {
            let (result, _) = try await Self.verify(files, playground) { question, reply in
                if question.path == "site/index.html" { reply.body = Array(body.utf8) }
            }
            #expect(result.findings.map(\.problem) == [problem])
        }
    }

    @Test func aPointerIsStaleAfterTwoMinutes() async throws {
        let playground = try await Self.origin()
        let files = try Self.files(playground)
        let old = files["channels/production/log/1.json"]
        let change: Change = { question, reply in
            if question.path.hasSuffix("pointer.json"), !question.isFresh, let old {
                reply.body = old
                reply.fields["Age"] = "5310"
            }
        }
        let (late, _) = try await Self.verify(files, playground, after: 121, change: change)
        #expect(late.findings.map(\.code) == ["http.stale"])
        #expect(
            late.findings.first?.problem
                == "has sequence 1 (age 5,310 s) as clients get it, and 2 past the caches, "
                + "published 121 seconds ago")
        let (soon, _) = try await Self.verify(files, playground, after: 120, change: change)
        #expect(soon.findings.isEmpty && soon.notes.count == 1)
        // The checked release is the newer one.
        #expect(soon.channels.first?.sequence == 2)
    }
}
