import PackPages
import TestSupport
import Testing

/// Requests to the network, redirects and cookies.
struct PageFetchTests {
    private func plan(
        _ request: PageRequest, bypass: Bool = false, network: String? = "https://www.example.com/m"
    ) async throws -> PagePlan {
        try await PageSample.with { (sample) async throws in
            let source = try sample.source(
                { $0.missing = .network }, prefix: "/app/", network: network)
            return PageSources(scheme: "customscheme", [source], bypassesPackages: bypass)
                .plan(request)
        }
    }

    private func fetched(_ request: PageRequest) async throws -> PageFetch {
        try fetch(await plan(request))
    }

    private func headers(_ fetch: PageFetch) -> [String: String] {
        Dictionary(fetch.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    @Test(arguments: [
        ("/app/api/a?b=c#d", "https://www.example.com/m/api/a?b=c"),
        ("/app/", "https://www.example.com/m/"), ("/app", "https://www.example.com/m/"),
        ("/app/a%20b", "https://www.example.com/m/a%20b"),
        ("/app//evil.example/a", "https://www.example.com/m//evil.example/a"),
        ("/app/x\\..\\..\\..\\a", "https://www.example.com/m/x%5C..%5C..%5C..%5Ca"),
        ("/app/%2e%2e/%2e%2e/a", nil), ("/other", nil),
    ]) func aMissingFileHasAnHTTPSURL(_ path: String, _ url: String?) async throws {
        let plan = try await plan(PageSample.request(path))
        guard let url else {
            #expect(try ReadAnswer(plan).status == 404)
            return
        }
        #expect(try fetch(plan).url == url)
    }

    @Test func packagedFilesAreAnsweredFromThePackage() async throws {
        #expect(try await ReadAnswer(plan(PageSample.request("/app/index.html"))).status == 200)
        let bypassed = try await plan(PageSample.request("/app/index.html"), bypass: true)
        #expect(try fetch(bypassed).url == "https://www.example.com/m/index.html")
        let same = try await plan(
            PageSample.request("/app/index.html"), bypass: true, network: nil)
        #expect(try fetch(same).url == "https://shop.example.com/app/index.html")
    }

    /// Bypassing does not depend on the policy for missing files.
    @Test func bypassNeedsNoPolicy() async throws {
        try await PageSample.with { (sample) async throws in
            let sources = try sample.sources(bypass: true)
            for method in ["GET", "HEAD", "POST"] {
                let found = try fetch(sources.plan(PageSample.request("/index.html", method)))
                #expect(found.url == "https://shop.example.com/index.html")
                #expect(found.method == method)
            }
        }
    }

    @Test func methodBodyAndHeadersArePassedOn() async throws {
        var request = PageSample.request(
            "/app/index.html", "POST",
            [
                "Content-Type": "application/json", "X-A": "b", "Cookie": "secret=1", "Host": "x",
                "Accept-Encoding": "gzip", "Content-Length": "2", "Authorization": "Bearer a",
                "Origin": "customscheme://shop.example.com",
                "Referer": "customscheme://shop.example.com/app/a.html?b",
            ])
        request.hasBody = true
        let found = try await fetched(request)
        #expect(found.method == "POST" && found.sendsBody && found.sendsCookies)
        #expect(
            headers(found) == [
                "Content-Type": "application/json", "X-A": "b", "Authorization": "Bearer a",
                "Origin": "https://www.example.com",
                "Referer": "https://www.example.com/m/a.html?b",
            ])
    }

    @Test func pagesOfOthersGetNoCookies() async throws {
        for (headers, page, isOwn) in [
            ([:], nil, true), ([:], "customscheme://shop.example.com/app/index.html", true),
            (["Origin": "https://evil.example"], nil, false), (["Origin": "null"], nil, false),
            ([:], "https://evil.example/", false), ([:], "no url", false),
        ] as [([String: String], String?, Bool)] {
            var request = PageSample.request("/app/api", "GET", headers)
            request.page = page
            let found = try await fetched(request)
            #expect(found.sendsCookies == isOwn, "\(headers) \(page ?? "none")")
            #expect(self.headers(found)["Origin"] == headers["Origin"])
        }
    }

    @Test func aLostBodyIsAnErrorForThePage() async throws {
        let form = ["Content-Type": "multipart/form-data; boundary=a"]
        let answer = try await ReadAnswer(plan(PageSample.request("/app/up", "POST", form)))
        #expect(answer.status == 502)
        #expect(try await fetched(PageSample.request("/app/up", "POST")).sendsBody == false)
        var request = PageSample.request("/app/up", "POST", form)
        request.hasBody = true
        #expect(try await fetched(request).sendsBody)
    }

    // MARK: Redirects

    private func step(
        _ fetch: PageFetch, _ status: Int, _ location: String?
    ) -> PageFetch.Step {
        let headers =
            [PageHeader("Set-Cookie", "a=b")]
            + (location.map { [PageHeader("location", $0)] } ?? [])
        return fetch.received(PageHead(status: status, headers: headers))
    }

    private func followed(_ step: PageFetch.Step) throws -> PageFetch {
        guard case .follow(let next) = step else { throw Unexpected(plan: "\(step)") }
        return next
    }

    @Test(arguments: [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"),
        (308, "POST", "POST"), (301, "PUT", "PUT"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"),
        (302, "GET", "GET"),
    ]) func redirectsAreFollowed(_ status: Int, _ method: String, _ next: String) async throws {
        var request = PageSample.request(
            "/app/api/a", method, ["Content-Type": "text/plain", "Authorization": "a", "X": "y"])
        request.hasBody = !["GET", "HEAD"].contains(method)
        let found = try followed(step(try await fetched(request), status, "../b?c#d"))
        #expect(found.url == "https://www.example.com/m/b?c" && found.method == next)
        #expect(found.sendsBody == (next == method && request.hasBody))
        #expect((headers(found)["Content-Type"] == nil) == (next != method))
        #expect(headers(found)["Authorization"] == "a" && headers(found)["X"] == "y")
        #expect(found.sendsCookies)
    }

    @Test func anotherHostGetsNoCredentials() async throws {
        let request = PageSample.request("/app/a", "GET", ["Authorization": "a", "X": "y"])
        let found = try followed(step(try await fetched(request), 302, "https://cdn.example.com/a"))
        #expect(!found.sendsCookies && headers(found) == ["X": "y"])
        // Nor does the first host after the detour.
        let back = try followed(step(found, 302, "https://www.example.com/m/a"))
        #expect(!back.sendsCookies)
    }

    @Test func redirectsLeadToHTTPSAndEnd() async throws {
        let first = try await fetched(PageSample.request("/app/a"))
        for location in [
            "http://www.example.com/", "customscheme://shop.example.com/app/index.html",
            "https://", "javascript:1",
        ] {
            guard case .fail(let error) = step(first, 302, location) else {
                Issue.record("\(location)")
                continue
            }
            #expect(error.code == "pages.redirect")
        }
        var fetch = first
        for number in 0..<20 { fetch = try followed(step(fetch, 307, "/\(number)")) }
        guard case .fail(let error) = step(fetch, 307, "/m/") else {
            Issue.record("no end")
            return
        }
        #expect(error.code == "pages.redirects")
    }

    @Test(arguments: [
        ("/m/b/?c=d&e#f", "customscheme://shop.example.com/app/b/?c=d&amp;e#f"),
        ("https://login.example.com/\"x<", "https://login.example.com/%22x%3C"),
        ("http://www.example.com/m/b", "http://www.example.com/m/b"),
        ("customscheme://shop.example.com/app/b", "customscheme://shop.example.com/app/b"),
        ("https://www.example.com/elsewhere", "https://www.example.com/elsewhere"),
    ]) func aPageOpensTheTarget(_ location: String, _ url: String) async throws {
        for (method, status) in [("GET", 301), ("GET", 308), ("POST", 302), ("POST", 303)] {
            let request = PageSample.request("/app/old", method, isMainDocument: true)
            guard case .answer(let answer) = step(try await fetched(request), status, location)
            else {
                Issue.record("\(method) \(status)")
                continue
            }
            let read = try ReadAnswer(.answer(answer))
            #expect(read.status == 200 && read.fields["Content-Type"] == "text/html; charset=utf-8")
            #expect(read.text.contains("content=\"0;url=\(url)\""), "\(read.text)")
        }
        // The body would be lost.
        let post = PageSample.request("/app/old", "POST", isMainDocument: true)
        let found = try followed(step(try await fetched(post), 307, "/m/b"))
        #expect(found.method == "POST")
    }

    @Test func otherAnswersAreDelivered() async throws {
        let first = try await fetched(PageSample.request("/app/a"))
        for (status, location) in [(200, "/b"), (404, nil), (304, nil), (302, nil), (300, "/b")] {
            guard case .deliver(let head) = step(first, status, location) else {
                Issue.record("\(status)")
                continue
            }
            #expect(head.status == status)
            #expect(!head.headers.contains { $0.name == "Set-Cookie" })
        }
        let head = PageHead(
            status: 200,
            headers: [
                PageHeader("Content-Encoding", "gzip"), PageHeader("Content-Length", "9"),
                PageHeader("ETag", "\"a\""), PageHeader("content-type", "text/html; charset=gbk"),
            ])
        guard case .deliver(let found) = first.received(head) else {
            Issue.record("not delivered")
            return
        }
        #expect(found.headers.map(\.name) == ["ETag", "content-type"])
        #expect(found.mediaType == "text/html")
    }

    // MARK: Cookies

    @Test(arguments: [
        ("www.example.com", "/", "https://www.example.com/a", true),
        ("www.example.com", "/", "https://example.com/", false),
        ("example.com", "/", "https://www.example.com/", false),
        (".example.com", "/", "https://www.example.com/", true),
        (".Example.com", "/", "https://example.com/", true),
        (".example.com", "/", "https://badexample.com/", false),
        (".0.0.1", "/", "https://127.0.0.1/", false),
        ("www.example.com", "/a", "https://www.example.com/a", true),
        ("www.example.com", "/a", "https://www.example.com/a/b", true),
        ("www.example.com", "/a/", "https://www.example.com/a/b", true),
        ("www.example.com", "/a", "https://www.example.com/ab", false),
        ("www.example.com", "/a/", "https://www.example.com/a", false),
        ("www.example.com", "", "https://www.example.com/", true),
    ]) func cookiesFitByDomainAndPath(
        _ domain: String, _ path: String, _ url: String, _ fits: Bool
    ) {
        let cookie = PageCookie(name: "a", value: "b", domain: domain, path: path)
        #expect((PageCookie.header([cookie], for: url, now: 0) == "a=b") == fits)
    }

    @Test func longerPathsComeFirstAndExpiredCookiesNot() {
        let cookie = { (name: String, path: String, expires: Double?) in
            PageCookie(name: name, value: "1", domain: "h", path: path, expires: expires)
        }
        let cookies = [
            cookie("a", "/", nil), cookie("b", "/x", 11), cookie("c", "/", 10),
            cookie("d", "/", 12),
        ]
        #expect(PageCookie.header(cookies, for: "https://h/x", now: 10) == "b=1; a=1; d=1")
        #expect(PageCookie.header([], for: "https://h/x", now: 10) == nil)
    }
}
