import PackGround
import PackPages
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The answers from files.
struct PageAnswerTests {
    @Test func aFileHasTypeLengthTagAndAccess() async throws {
        try await PageSample.with { (sample) async throws in
            let answer = try ReadAnswer(
                sample.sources().plan(PageSample.request("/index.html?a#b")))
            #expect(answer.status == 200 && answer.body == PageSample.index)
            #expect(
                answer.fields == [
                    "Content-Type": "text/html", "Content-Length": "\(PageSample.index.count)",
                    "ETag": "\"1\"", "Cache-Control": "no-cache", "Accept-Ranges": "bytes",
                    "Access-Control-Allow-Origin": "*",
                    "Access-Control-Expose-Headers": "Accept-Ranges, Content-Range, ETag",
                ])
            let script = try ReadAnswer(sample.sources().plan(PageSample.request("/a/digits.js")))
            #expect(script.fields["Content-Type"] == "text/javascript")
            #expect(try sample.status("/a%20b.png") == 200)
        }
    }

    @Test func aRangeIsAPart() async throws {
        try await PageSample.with { (sample) async throws in
            let plan = { (method: String, headers: [String: String]) in
                try ReadAnswer(
                    sample.sources().plan(PageSample.request("/a/digits.js", method, headers)))
            }
            let part = try plan("GET", ["range": "bytes=2-4"])
            #expect(part.status == 206 && part.text == "234")
            #expect(part.fields["Content-Range"] == "bytes 2-4/10")
            #expect(part.fields["Content-Length"] == "3")
            let none = try plan("GET", ["Range": "bytes=10-"])
            #expect(none.status == 416 && none.fields["Content-Range"] == "bytes */10")
            #expect(none.fields["Access-Control-Allow-Origin"] == "*")
            // Only GET has ranges.
            #expect(try plan("HEAD", ["Range": "bytes=2-4"]).status == 200)
            #expect(try plan("GET", ["Range": "bytes=2-4", "If-Range": "\"1\""]).status == 206)
            #expect(try plan("GET", ["Range": "bytes=2-4", "If-Range": "\"0\""]).status == 200)
            #expect(try plan("GET", ["Range": "bytes=2-4", "If-Range": "W/\"1\""]).status == 200)
        }
    }

    @Test func aKnownTagIsNotModified() async throws {
        try await PageSample.with { (sample) async throws in
            for tag in ["\"1\"", "W/\"1\"", "\"0\", \"1\"", "*"] {
                for method in ["GET", "HEAD"] {
                    let answer = try ReadAnswer(
                        sample.sources().plan(
                            PageSample.request("/index.html", method, ["If-None-Match": tag])))
                    #expect(answer.status == 304 && answer.body.isEmpty)
                    #expect(answer.fields["ETag"] == "\"1\"")
                }
            }
            let other = PageSample.request("/index.html", "GET", ["If-None-Match": "\"0\""])
            #expect(try ReadAnswer(sample.sources().plan(other)).status == 200)
        }
    }

    @Test func headHasNoBody() async throws {
        try await PageSample.with { (sample) async throws in
            let answer = try ReadAnswer(
                sample.sources().plan(PageSample.request("/index.html", "HEAD")))
            #expect(answer.status == 200 && answer.body.isEmpty)
            #expect(answer.fields["Content-Length"] == "\(PageSample.index.count)")
            let missing = try ReadAnswer(sample.sources().plan(PageSample.request("/b", "HEAD")))
            #expect(missing.status == 404 && missing.body.isEmpty)
        }
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "get", ""]) func othersAreNotAllowed(
        _ method: String
    ) async throws {
        try await PageSample.with { (sample) async throws in
            let answer = try ReadAnswer(
                sample.sources().plan(PageSample.request("/index.html", method)))
            #expect(answer.status == 405 && answer.fields["Allow"] == "GET, HEAD")
        }
    }

    /// `/` is not the launch page, as in the check's model.
    @Test(arguments: [
        "", "/", "/a", "/a/", "/index.html/", "/b", "/../index.html%00", "/a%5Cdigits.js", "/%FF",
    ]) func othersAreMissing(_ path: String) async throws {
        try await PageSample.with { (sample) async throws in
            #expect(try sample.status(path) == 404)
        }
    }

    @Test func linksAndSpecialFilesAreNotFollowed() async throws {
        try await PageSample.with { (sample) async throws in
            let outside = try sample.folder.makeFolder("release")
            try outside.write([1], as: "in.js")
            #expect(symlink("../index.html", outside.file("out.html")) == 0)
            #expect(symlink("in.js", outside.file("in.html")) == 0)
            #expect(symlink("..", outside.file("up")) == 0)
            #expect(mkfifo(outside.file("pipe"), 0o600) == 0)
            let inner = PageSample(folder: outside)
            #expect(try inner.status("/in.js") == 200)
            for path in ["/out.html", "/in.html", "/up/index.html", "/pipe", "/%2e%2e/index.html"] {
                #expect(try inner.status(path) == 404, "\(path)")
            }
            for path in ["/..%2Findex.html", "/x/..%2f..%2findex.html", "//..%2Findex.html"] {
                #expect(try inner.status(path) == 404, "\(path)")
            }
        }
    }

    @Test func otherOriginsNeedPermission() async throws {
        try await PageSample.with { (sample) async throws in
            let sources = try sample.sources { $0.access = .origins(["https://a.example"]) }
            let fields = { (origin: String?) in
                try ReadAnswer(
                    sources.plan(
                        PageSample.request(
                            "/index.html", "GET", origin.map { ["Origin": $0] } ?? [:]))
                ).fields
            }
            let allowed = try fields("https://A.example")
            #expect(allowed["Access-Control-Allow-Origin"] == "https://A.example")
            #expect(allowed["Vary"] == "Origin")
            for origin in [nil, "https://b.example", "null"] {
                let other = try fields(origin)
                #expect(other["Access-Control-Allow-Origin"] == nil && other["Vary"] == "Origin")
            }
        }
    }

    @Test func theLongestPrefixOfTheHostAnswers() async throws {
        try await PageSample.with { (one) async throws in
            try await PageSample.with { (two) async throws in
                try one.folder.write([1], as: "shared/a.js")
                try two.folder.write([2], as: "a.js")
                try two.folder.write([3], as: "only.js")
                let sources = PageSources(
                    scheme: "CustomScheme",
                    [
                        try one.source(), try two.source(prefix: "/shared/", version: "2"),
                        try two.source(host: "Help.example.com", version: "3"),
                    ])
                let body = { (url: String) in
                    try ReadAnswer(sources.plan(PageRequest(url: url))).body
                }
                let shop = "customscheme://shop.example.com"
                #expect(try body("\(shop)/index.html") == PageSample.index)
                #expect(try body("\(shop)/shared/a.js") == [2])
                #expect(try body("\(shop)/shared/only.js") == [3])
                // The first source has this file, the longest prefix does not.
                try one.folder.write([4], as: "shared/b.js")
                #expect(
                    try ReadAnswer(sources.plan(PageRequest(url: "\(shop)/shared/b.js"))).status
                        == 404)
                #expect(try body("customscheme://help.EXAMPLE.com/a.js") == [2])
                for url in [
                    "customscheme://other.example.com/a.js", "https://shop.example.com/a.js",
                ] {
                    #expect(try ReadAnswer(sources.plan(PageRequest(url: url))).status == 404)
                }
                for url in ["", "no url", "customscheme:/index.html", "customscheme:index.html"] {
                    #expect(try ReadAnswer(sources.plan(PageRequest(url: url))).status == 404)
                }
            }
        }
    }

    @Test func theLaunchURLNamesThePage() async throws {
        try await PageSample.with { (sample) async throws in
            let launch = { (bypass: Bool) in
                try sample.sources(bypass: bypass) { $0.launch = "a b.html" }.launchURL
            }
            #expect(try launch(false) == "customscheme://shop.example.com/a%20b.html")
            #expect(try launch(true) == "https://shop.example.com/a%20b.html")
        }
    }

    @Test func wrongSourcesAreRefused() async throws {
        try await PageSample.with { (sample) async throws in
            let refused = { (make: () throws -> PageSource) in
                do {
                    _ = try make()
                    return "none"
                } catch let error as PageError { return error.code }
            }
            for prefix in ["", "app/", "/app"] {
                #expect(
                    try refused { try sample.source(prefix: prefix) } == "pages.invalid-source")
            }
            for version in ["", "a\"", "a b", "\n"] {
                #expect(
                    try refused { try sample.source(version: version) } == "pages.invalid-source")
            }
            for network in ["http://a.example/", "https://", "https://a.example/?a", "a"] {
                #expect(
                    try refused { try sample.source(network: network) } == "pages.invalid-source")
            }
            #expect(
                try refused {
                    try PageSource(host: "a", directory: sample.folder.file("no"), version: "1")
                } == "pages.unreadable")
        }
    }
}

extension PageSample {
    func status(_ path: String) throws -> Int {
        try ReadAnswer(sources().plan(Self.request(path))).status
    }
}
