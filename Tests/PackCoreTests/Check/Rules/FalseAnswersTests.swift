import PackCheck
import PackGround
import PackProfile
import Testing

/// Findings that were wrong, repeated or of the wrong severity.
struct FalseAnswersTests {
    private func report(
        _ files: [String: String], _ rules: String..., profile: Profile = .pathStrict
    ) async throws -> [Finding] {
        var memory: [AssetPath: [UInt8]] = [:]
        for (path, content) in files { memory[try AssetPath(path)] = Array(content.utf8) }
        var profile = profile
        profile.hosts = ["shop.example.com"]
        let site = SiteIndex(memory: memory, profile: profile)
        let chosen = rules.isEmpty ? RuleCatalog.all : rules.compactMap { RuleCatalog.rule($0) }
        return try await Checker(site: site, rules: chosen).check(jobs: 1).findings
    }

    private func lines(_ findings: [Finding]) -> [String] {
        findings.map { "\($0.severity.rawValue) \($0.rule) \($0.path)" }
    }

    @Test("a hash without letters is that of a packaged chunk, whatever the public path is")
    func digitsAsHash() async throws {
        let map = """
            var r={};r.u=e=>""+e+"."+({11:"abc1234",22:"4870347"})[e]+".js";r.p=document.body.id;\
            r.l=u=>{s.src=u};r.f={};r.f.j=e=>{r.l(r.p+r.u(e))};
            """
        let files = [
            "index.html": "<script src=build/b.js></script>", "build/b.js": map,
            "chunks/11.abc1234.js": "1", "chunks/22.4870347.js": "1",
        ]
        #expect(try await report(files, "js-chunk-missing").isEmpty)
        var gone = files
        gone["chunks/22.4870347.js"] = nil
        #expect(
            try await lines(report(gone, "js-chunk-missing"))
                == ["error js-chunk-missing build/b.js"])
    }

    @Test(
        "another host's file is no missing file",
        arguments: [
            "import(\"//cdn.example.org/a.js\")", "import x from \"//cdn.example.org/a.js\"",
            "new Worker(\"//cdn.example.org/a.js\")", "fetch(\"//api.example.org/a.json\")",
            "loadScript(\"//cdn.example.org/a.js\")",
        ])
    func otherHosts(_ script: String) async throws {
        let files = ["index.html": "<script type=module src=a.js></script>", "a.js": script]
        for profile in [Profile.pathStrict, .capacitor] {
            let found = try await report(files, profile: profile).filter { $0.severity > .warning }
            #expect(lines(found) == ["error protocol-relative-third-party a.js"])
        }
    }

    @Test func otherHostsOfImportMapsAndChunks() async throws {
        let page = """
            <script type=importmap>{"imports":{"x":"//cdn.example.org/x.js"}}</script>\
            <script type=module>import "x"</script>
            """
        let rules = try await report(["index.html": page]).filter { $0.severity == .error }
        #expect(rules.map(\.rule) == ["protocol-relative-third-party"])
        let map = "n.u=e=>\"js/\"+{1:\"aa11bb22\"}[e]+\".js\",n.p=\"//cdn.example.org/\""
        let chunks = try await report(["app.js": map]).filter { $0.severity == .error }
        #expect(chunks.map(\.rule) == ["js-public-path"])
    }

    @Test("the formats of a font are one finding")
    func fonts() async throws {
        let css = """
            @font-face{font-family:x;src:url(f.eot);src:url(f.eot?#i) format("embedded-opentype"),\
            url(f.woff2) format("woff2"),url(f.woff) format("woff"),url(f.ttf) format("truetype")}
            """
        let found = try await report(["css/a.css": css], "css-missing-file")
        #expect(found.filter { $0.severity == .error }.map(\.repeats.count) == [2])
        let two = try await report(
            ["css/a.css": css + css.replacing("f.", with: "g.")], "css-missing-file")
        #expect(two.count { $0.severity == .error } == 2)
        let other = try await report(["css/a.css": css, "css/f.ttf": "x"], "css-missing-file")
        #expect(other.filter { $0.severity > .hint }.map(\.severity) == [.warning])
    }

    @Test(
        "requests to one service are one finding",
        arguments: [
            "fetch(\"api/4/a\");fetch(\"api/4/b\");fetch(`api/4/${x}`)",
            "fetch(\"./api/a\");fetch(\"/api/b\")", "fetch(\"/login\");fetch(\"users?x=1\")",
        ])
    func services(_ script: String) async throws {
        let found = try await report(
            ["a.js": script, "b.js": script], "js-relative-ajax")
        #expect(found.count == 1, "\(lines(found))")
    }

    @Test func missingDataHasAFindingForEachFile() async throws {
        let found = try await report(
            ["a.js": "fetch(\"data/a.json\");fetch(\"data/b.json\")"], "js-relative-ajax")
        #expect(found.count == 2)
    }

    @Test(
        "a style sheet that only brings fonts is a warning",
        arguments: [
            ("https://fonts.googleapis.com/css2?family=Inter", Severity.warning),
            ("https://use.typekit.net/abc1234.css", .warning),
            ("https://fonts.bunny.net/css?family=inter", .warning),
            ("https://rsms.me/inter/inter.css", .warning),
            ("https://cdnjs.cloudflare.com/ajax/libs/font-awesome/6.0.0/css/all.min.css", .warning),
            ("https://cdn.jsdelivr.net/npm/bootstrap-icons@1/icons.css", .warning),
            ("https://cdn.jsdelivr.net/npm/@fontsource/inter/index.css", .warning),
            ("https://cdn.jsdelivr.net/npm/bootstrap@5/dist/css/bootstrap.min.css", .error),
            ("https://silicon.example.com/frontend/main.css", .error),
        ])
    func fontSheets(_ address: String, _ severity: Severity) async throws {
        let page = "<link rel=stylesheet href=\"\(address)\"><body>"
        let found = try await report(["index.html": page], "external-subresource")
        #expect(found.map(\.severity) == [severity])
        let isOfFonts = found.first?.message.hasPrefix("fonts of '") ?? false
        #expect(isOfFonts == (severity == .warning))
    }

    @Test(
        "an error handler replaces another host's file",
        arguments: [
            (
                "<script src=https://cdn.example.org/a.js onerror=\"this.src='a.js'\">",
                Severity.hint
            ),
            ("<script src=https://cdn.example.org/a.js onerror=\"this.src='b.js'\">", .warning),
            ("<script src=https://cdn.example.org/a.js onerror=\"retry()\">", .warning),
            ("<script src=https://cdn.example.org/a.js>", .error),
        ])
    func errorHandlers(_ tag: String, _ severity: Severity) async throws {
        let page = "\(tag)</script><body>"
        let found = try await report(["index.html": page, "a.js": "1"], "external-subresource")
        #expect(found.map(\.severity) == [severity])
    }

    @Test("a custom property's URL is relative to the style sheet that uses it")
    func customProperties() async throws {
        let sheets = [
            "css/a.css": ":root{--i:url(img/a.png)}", "theme/b.css": "a{background-image:var(--i)}",
        ]
        let rule = "css-missing-file"
        func found(_ more: [String: String]) async throws -> [Finding] {
            try await report(sheets.merging(more) { $1 }, rule)
        }
        let missed = try await found(["css/img/a.png": ""])
        #expect(lines(missed) == ["error css-missing-file css/a.css"])
        #expect(
            missed.first?.notes.first
                == "it is resolved against 'theme/b.css'")
        #expect(try await found(["theme/img/a.png": ""]).isEmpty)
        // Through another property, and from a page's style element.
        let through = ["theme/b.css": ":root{--j:var(--i)}", "c/c.css": "a{mask-image:var(--j)}"]
        #expect(try await found(through.merging(["c/img/a.png": ""]) { $1 }).isEmpty)
        #expect(try await !found(through.merging(["theme/img/a.png": ""]) { $1 }).isEmpty)
        let page = ["theme/b.css": "", "index.html": "<style>a{cursor:var(--i)}</style>"]
        #expect(try await found(page.merging(["img/a.png": ""]) { $1 }).isEmpty)
        #expect(try await found(page).count == 1)
        // A shorthand with nothing else resolves it where it is declared.
        for value in ["var(--i)", " var( --i ) !important"] {
            let whole = ["theme/b.css": "a{background:\(value)}"]
            #expect(try await found(whole.merging(["css/img/a.png": ""]) { $1 }).isEmpty)
            #expect(try await !found(whole.merging(["theme/img/a.png": ""]) { $1 }).isEmpty)
        }
        let mixed = ["theme/b.css": "a{background:var(--i) no-repeat}"]
        #expect(try await found(mixed.merging(["theme/img/a.png": ""]) { $1 }).isEmpty)
        // Nothing uses it.
        #expect(try await found(["theme/b.css": "a{background:var(--k)}"]).isEmpty)
        // Two themes that use the same name.
        let themes = ["theme/b.css": ":root{--i:url(img/b.png)}a{background-image:var(--i)}"]
        let files = ["css/img/a.png": "", "theme/img/b.png": "", "theme/img/a.png": ""]
        #expect(try await found(themes.merging(files) { $1 }).isEmpty)
    }

    @Test("a suggestion is the nearest file of that name")
    func nearest() async throws {
        let found = try await report(
            [
                "index.html": "<img src=shop/img/logo.png>", "a/logo.png": "",
                "b/img/logo.png": "", "shop/old/img/logo.png": "", "shop/x/logo.png": "",
            ], "missing-file")
        #expect(found.first?.notes.contains("did you mean 'shop/old/img/logo.png'?") == true)
    }

    @Test("Vite's preload helper may be in a script of its own")
    func preloadHelper() async throws {
        let helper = "const a=\"modulepreload\",b=function(e){return\"/shop/\"+e};"
        let lists = """
            const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["assets/c.js"])))=>i.map(\
            i=>d[i]);
            """
        let files = ["assets/p.js": helper, "assets/i.js": lists, "assets/c.js": "1"]
        let found = try await report(files, "js-public-path")
        #expect(lines(found) == ["warning js-public-path assets/p.js"])
        let styled = [
            "assets/i.js": lists.replacing("c.js\"", with: "c.js\",\"assets/c.css\""),
            "assets/c.css": "",
        ]
        let waits = try await report(files.merging(styled) { $1 }, "js-public-path")
        #expect(lines(waits) == ["error js-public-path assets/p.js"])
        let right = files.merging(["assets/p.js": helper.replacing("/shop/", with: "/")]) { $1 }
        #expect(try await report(right, "js-public-path").isEmpty)
    }

    @Test("a WebSocket with the page's scheme is an error where the page starts")
    func sockets() async throws {
        let socket = "new WebSocket(location.origin.replace(\"http\",\"ws\"))"
        func severities(_ script: String, _ profile: Profile = .capacitor) async throws
            -> [Severity]
        {
            try await report(["a.js": script], "js-websocket-relative", profile: profile)
                .map(\.severity)
        }
        #expect(try await severities(socket) == [.error])
        #expect(try await severities("function f(){\(socket)}") == [.warning])
        #expect(try await severities("try{\(socket)}catch(e){off()}") == [])
        #expect(try await severities("try{\(socket)}catch(e){console.log(e)}") == [.hint])
        #expect(try await severities("if(location.protocol==='https:')\(socket)") == [])
    }

    @Test("white space that browsers remove is no finding")
    func whiteSpace() async throws {
        let page = "<img src=\" a.png\n\"><img src=\"a\n.png\"><img src=\"\u{200B}a.png\">"
        let found = try await report(["index.html": page, "a.png": ""], "url-whitespace")
        #expect(found.map(\.place?.line) == [3])
    }

    @Test(
        "an image of a style rule counts as its selectors do",
        arguments: [
            ("a", Severity.error), (".box", .error), (".box .x", .hint), (".x, .box", .error),
            ("#main::before", .error), (".made", .warning), (".icon-red", .warning),
            (".never", .hint), (":not(.never)", .error), (".w\\/2", .error),
            ("@media screen{.x", .hint),
            (".box{.never", .error), (".made .never", .hint),
        ])
    func imagesOfSelectors(_ selector: String, _ severity: Severity) async throws {
        let files = [
            "index.html":
                "<link rel=stylesheet href=a.css><p id=main class='one box'><script src=a.js></script>",
            "a.css": "b{} \(selector){background:url(gone.png)}",
            "a.js": "p.className='made';p.className=`icon-${kind}`;/*box-x*/",
        ]
        let found = try await report(files, "css-missing-file")
        #expect(found.map(\.severity) == [severity], "\(found)")
    }

    @Test(
        "an address that may be another one is a warning, also in a script of its own",
        arguments: [
            ("i.src='gone.png'", Severity.error), ("const d='gone';i.src=d+'.png'", .error),
            ("i.src=x?'a.png':'gone.png'", .warning),
            ("const c={d:'gone'};i.src=c.d+'.png'", .warning),
        ])
    func likelyValues(_ script: String, _ severity: Severity) async throws {
        let page = "<!doctype html><script src=js/a.js></script>"
        let own = ["index.html": page, "js/a.js": script, "a.png": ""]
        #expect(try await report(own, "js-missing-file").map(\.severity) == [severity])
        let inline = ["index.html": "<script>\(script)</script>", "a.png": ""]
        #expect(try await report(inline, "js-missing-file").map(\.severity) == [severity])
    }

    @Test func hashedImagesOfScriptsAreErrors() async throws {
        func severities(_ image: String) async throws -> [Severity] {
            try await report(
                [
                    "index.html": "<link rel=stylesheet href=a.css><script src=a.js></script>",
                    "a.css": ".made{background:url(\(image))}", "a.js": "p.className='made'",
                ], "css-missing-file"
            ).map(\.severity)
        }
        #expect(try await severities("logo.3f2a91bc.png") == [.error])
        #expect(try await severities("/logo.png") == [.error])
        #expect(try await severities("img/logo.png") == [.warning])
    }

    @Test(
        "a font for other letters is needed by few texts",
        arguments: [
            ("U+0400-04FF", Severity.warning), ("U+0-7F", .error), ("U+4??, U+??", .error),
            ("u+0061", .error), ("U+0301, U+0400-045F", .warning), ("odd", .error),
        ])
    func fontsOfOtherLetters(_ range: String, _ severity: Severity) async throws {
        let files = [
            "a.css": "@font-face{font-family:a;src:url(gone.woff2);unicode-range:\(range)}"
        ]
        #expect(
            try await report(files, "css-missing-file").map(\.severity) == [severity])
    }

    @Test("an import map also names addresses")
    func mappedAddresses() async throws {
        let map = """
            <script type=importmap>{"imports":{"./a.js":"./a.1f.js","./lib/":"./lib-2/"}}</script>\
            <script type=module src=main.js></script>
            """
        let files = [
            "index.html": map, "main.js": "import './a.js';import './lib/b.js'", "a.1f.js": "",
            "lib-2/b.js": "",
        ]
        let rules = ["js-dynamic-import", "js-missing-file"]
        for rule in rules { #expect(try await report(files, rule).isEmpty) }
        let other = files.merging(["main.js": "import './c.js'"]) { $1 }
        #expect(try await report(other, "js-dynamic-import").count == 1)
        var gone = files
        gone["lib-2/b.js"] = nil
        #expect(try await report(gone, "js-dynamic-import").count == 1)
    }

    @Test("an entry of an import map counts if names are composed")
    func composedImports() async throws {
        func severities(_ script: String) async throws -> [Severity] {
            try await report(
                [
                    "index.html": """
                    <script type=importmap>{"imports":{"c/a":"./gone.js"}}</script>\
                    <script type=module>\(script)</script>
                    """
                ], "importmap-unresolved"
            ).map(\.severity)
        }
        #expect(try await severities("import 'c/a'") == [.error])
        #expect(try await severities("names.forEach(n=>import(n))") == [.warning])
        #expect(try await severities("f()") == [.hint])
    }

    @Test("a synchronous request only breaks old systems")
    func synchronousRequests() async throws {
        var old = Profile.pathStrict
        old.minimumIOS = Profile.IOSVersion(12)
        var new = old
        new.minimumIOS = Profile.IOSVersion(13)
        let files = ["a.js": "x.open('GET',u,!1)"]
        #expect(
            try await report(files, "js-sync-xhr", profile: old).map(\.severity) == [.error])
        #expect(try await report(files, "js-sync-xhr", profile: new).map(\.severity) == [.hint])
    }

    @Test(
        "a file of data counts where its member says that it is one",
        arguments: [
            ("{url:'data/gone.json'}", 1), ("const SCENE_PATH='14.json'", 1),
            ("{tree:'a/gone.json'}", 0),
            ("{url:'/api/gone.json'}", 0), ("f('data/gone.json')", 0), ("{sceneUrl:'gone.txt'}", 1),
        ])
    func namedData(_ script: String, _ count: Int) async throws {
        let found = try await report(
            [
                "a.js": "x(\(script.hasPrefix("c") ? "" : script));"
                    + (script.hasPrefix("c") ? script : "")
            ], "js-asset-missing")
        #expect(found.count == count, "\(found)")
    }
}
