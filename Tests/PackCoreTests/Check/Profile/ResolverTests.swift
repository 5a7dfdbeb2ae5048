import PackGround
import PackProfile
import TestSupport
import Testing

/// The table in section 1.2 of the rules: the names looked up by the deployed S003 client.
struct SeedClientTableTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let reference: String
        let lookedUp: String
        let outcome: String
        var testDescription: String { reference }

        init(_ reference: String, _ lookedUp: String, _ outcome: String) {
            self.reference = reference
            self.lookedUp = lookedUp
            self.outcome = outcome
        }
    }

    static let rows = [
        Row("customScheme://h/a/main.c609.js?v=1", "main.c609.js", "file a/main.c609.js"),
        Row("customScheme://h/x.js?next=/home/me", "me", "fallback http://h/x.js?next=/home/me"),
        Row("customScheme://h/x.js?u=https://b.com/y.js", "y.js", "file y.js"),
        Row("customScheme://h/s.svg#icon", "s.svg#icon", "fallback http://h/s.svg#icon"),
        Row("customScheme://h/f.eot?#iefix", "f.eot", "file f.eot"),
        Row("customScheme://h/f.svg#glyph", "f.svg#glyph", "fallback http://h/f.svg#glyph"),
        Row("customScheme://h/dir/", "", "crash reads-directory"),
        Row("customScheme://h/x.js/", "", "crash reads-directory"),
        Row("customScheme://h", "h", "fallback http://h/"),
        Row("customScheme://h/a b.png", "a%20b.png", "fallback http://h/a%20b.png"),
        Row(
            "customScheme://h/\u{56FE}.png", "%E5%9B%BE.png",
            "fallback http://h/%E5%9B%BE.png"),
        Row("customScheme://h/en/logo.png", "logo.png", "file en/logo.png"),
        Row("customScheme://h/zh/logo.png", "logo.png", "file zh/logo.png"),
    ]

    static let files = [
        "a/main.c609.js", "x.js", "y.js", "s.svg", "f.eot", "f.svg", "dir/page.html", "a b.png",
        "\u{56FE}.png", "en/logo.png", "zh/logo.png", "index.html",
    ]

    static func resolver(_ profile: Profile) throws -> Resolver {
        Resolver(profile: profile, listing: PackageListing(try files.map { try AssetPath($0) }))
    }

    static func describe(_ resolution: Resolution, _ resolver: Resolver) -> String {
        switch resolution.outcome {
        case .file(let index): "file \(resolver.listing.paths[index])"
        case .startPage(let index): "start page \(resolver.listing.paths[index])"
        case .startPageInstead: "start page instead"
        case .fallback: "fallback \(resolution.fallback?.href ?? "none")"
        case .otherOrigin: "other"
        case .notARequest(let reason): "nothing \(reason.rawValue)"
        case .crash(let crash): "crash \(crash.rawValue)"
        }
    }

    @Test(arguments: rows) func looksUpAsTheClientDoes(_ row: Row) throws {
        let resolver = try Self.resolver(.basenameCache.with(host: "h"))
        let resolution = resolver.resolve(row.reference.utf8, from: nil)
        #expect(resolution.lookedUp.map { String(decoding: $0, as: UTF8.self) } == row.lookedUp)
        #expect(Self.describe(resolution, resolver) == row.outcome)
    }

    /// "kUrlScheme=`customScheme`": the URL arrives in lower case, so `hasPrefix` is false.
    @Test(arguments: [
        "customScheme://h/gone.js", "customscheme://h/s.svg#icon", "CUSTOMSCHEME://h/none.png",
    ])
    func failsOnMissesWhereItsConstantHasCapitals(_ reference: String) throws {
        let profile = Profile.basenameCache.with {
            $0.scheme = "customScheme"
            $0.hosts = ["h"]
        }
        let resolver = try Self.resolver(profile)
        let resolution = resolver.resolve(reference.utf8, from: nil)
        #expect(resolution.outcome == .crash(.schemeNotRecognised))
        // Packaged files are still found.
        let found = resolver.resolve("customScheme://h/x.js".utf8, from: nil)
        #expect(Self.describe(found, resolver) == "file x.js")
    }

    @Test func replacesTheSchemeWhereverItStands() throws {
        let resolver = try Self.resolver(.basenameCache.with(host: "h"))
        let resolution = resolver.resolve("customscheme://h/customscheme-logo.png".utf8, from: nil)
        #expect(Self.describe(resolution, resolver) == "fallback http://h/http-logo.png")
    }
}

/// The other clients, and references that make no request.
struct ResolverTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let profile: Profile
        let reference: String
        let outcome: String
        var testDescription: String { "\(profile.name): \(reference)" }

        init(_ profile: Profile, _ reference: String, _ outcome: String) {
            self.profile = profile
            self.reference = reference
            self.outcome = outcome
        }
    }

    private static let capacitor = Profile.capacitor
    private static let strict = Profile.pathStrict.with(host: "h")
    private static let underApp = strict.with { $0.root = "/app/" }

    static let cases: [Case] = [
        Case(capacitor, "a%20b.png", "file a b.png"),
        Case(capacitor, "capacitor://localhost/en/logo.png?x=/y#z", "file en/logo.png"),
        Case(capacitor, "/route/without/dot", "start page instead"),
        Case(capacitor, "/release.d/notes", "start page instead"),
        Case(capacitor, "/.hidden", "start page instead"),
        Case(capacitor, "/release/v2.1", "fallback none"),
        Case(capacitor, "//en///logo.png", "fallback none"),
        Case(capacitor, "/en//logo.png", "file en/logo.png"),
        Case(capacitor, "/gone.js", "fallback none"),
        // `url.path` has no trailing slash, and the file system merges slashes.
        Case(capacitor, "/x.js/", "file x.js"),
        Case(capacitor, "/x.js//", "file x.js"),
        Case(.cordova, "app://localhost//x.js", "file x.js"),
        Case(.cordova, "/en/logo.png/", "file en/logo.png"),
        Case(strict, ".//x.js", "file x.js"),
        Case(strict, "/x.js/", "fallback none"),
        // `!stringToLoad.contains("cordova.js")`: an empty script, also if a file has the name.
        Case(capacitor, "/cordova.js", "nothing platform"),
        Case(capacitor, "/vendor/cordova.json", "nothing platform"),
        Case(.cordova, "/vendor/cordova.json", "fallback none"),
        // Files of the device, and requests forwarded by the framework.
        Case(capacitor, "/_capacitor_file_/var/a.jpg", "nothing platform"),
        Case(capacitor, "/_capacitor_https_interceptor_/h/api", "nothing platform"),
        Case(.cordova, "/_app_file_/var/a", "nothing platform"),
        Case(.cordova, "/_capacitor_file_/a", "start page instead"),
        Case(capacitor, "/%E4.png/route", "fallback none"),
        Case(capacitor, "/", "start page instead"),
        Case(.cordova, "app://localhost/zh/logo.png", "file zh/logo.png"),
        Case(strict, "en/logo.png", "file en/logo.png"),
        Case(strict, "logo.png", "fallback none"),
        Case(strict, "en/", "fallback none"),
        Case(strict, "../../en/./logo.png", "file en/logo.png"),
        Case(strict, "//h/en/logo.png", "file en/logo.png"),
        Case(underApp, "/app/en/logo.png", "file en/logo.png"),
        Case(underApp, "/en/logo.png", "fallback none"),
        Case(
            strict.with { $0.client.indexFile = .directory }, "/", "file index.html"),
        Case(
            strict.with { $0.client.fallback = .https }, "/gone.js", "fallback https://h/gone.js"),
        Case(strict.with { $0.client.query = .keep }, "x.js?v=1", "fallback none"),
        Case(strict.with { $0.client.fragment = .keep }, "s.svg#i", "fallback none"),
        Case(strict, "https://h/en/logo.png", "other"),
        Case(strict.with(pageOrigin: .https), "en/logo.png", "other"),
        Case(strict, "wss://h/ws", "other"),
        Case(strict, "", "nothing empty"), Case(strict, " \n", "nothing empty"),
        Case(strict, "#a", "nothing fragment"), Case(strict, "data:,x", "nothing local"),
        Case(strict, "blob:x", "nothing local"), Case(strict, "about:blank", "nothing local"),
        Case(strict, "javascript:void 0", "nothing script"),
        Case(strict, "mailto:a@b", "nothing app-scheme"),
        Case(strict, "weixin://x", "nothing app-scheme"),
        Case(strict, "customscheme://h\\p", "nothing unparsable"),
        Case(strict, "custom_scheme://h/x", "fallback none"),
    ]

    /// Handlers of Android: `WebViewLocalServer.java`, `SystemWebViewClient.java` and
    /// `WebViewAssetLoader.java`.
    static let android: [Case] = [
        Case(.capacitorAndroid, "a%20b.png?x#y", "file a b.png"),
        Case(.capacitorAndroid, "/route/without/dot", "start page instead"),
        Case(.capacitorAndroid, "/release.d/notes", "start page instead"),
        // A dot anywhere in the last component is an extension.
        Case(.capacitorAndroid, "/.hidden", "fallback none"),
        Case(.capacitorAndroid, "/release/v2.1", "fallback none"),
        Case(.capacitorAndroid, "/x.js/", "fallback none"),
        Case(.capacitorAndroid, "/v1.2/%2f", "start page instead"),
        Case(.capacitorAndroid, "/cordova.js", "nothing platform"),
        Case(.capacitorAndroid, "/favicon.ico", "nothing platform"),
        Case(.capacitorAndroid, "/vendor/cordova.js", "fallback none"),
        Case(.capacitorAndroid, "/_capacitor_file_/a", "nothing platform"),
        Case(.capacitorAndroid, "https://cdn.example.com/x.js", "other"),
        Case(.capacitorAndroid, "https://localhost:8443/x.js", "other"),
        Case(.capacitorAndroid, "capacitor://localhost/x.js", "nothing app-scheme"),
        Case(.cordovaAndroid, "/", "file index.html"),
        Case(.cordovaAndroid, "/route", "fallback none"),
        Case(.cordovaAndroid, "/cordova.js", "nothing platform"),
        Case(.assetLoader, "en/logo.png", "file en/logo.png"),
        Case(.assetLoader, "/assets/en/logo.png", "file en/logo.png"),
        Case(.assetLoader, "/en/logo.png", "fallback none"),
        Case(.assetLoader, "/assets/", "fallback none"),
        Case(.intercept.with(host: "h"), "en/logo.png", "file en/logo.png"),
        Case(.intercept.with(host: "h"), "/gone.js", "fallback https://h/gone.js"),
        Case(.intercept.with(host: "h"), "HTTPS://H/x.js", "file x.js"),
        Case(.intercept.with(host: "h"), "http://h/x.js", "other"),
        Case(.intercept.with(host: "h"), "\\en\\logo.png", "file en/logo.png"),
    ]

    @Test(arguments: cases + android) func resolves(_ item: Case) throws {
        let resolver = try SeedClientTableTests.resolver(item.profile)
        let document = item.profile.url(of: try AssetPath("index.html"))
        let resolution = resolver.resolve(item.reference.utf8, from: document)
        #expect(SeedClientTableTests.describe(resolution, resolver) == item.outcome)
    }

    /// `Router.swift` of Capacitor: the start page for each path without an extension, even if a
    /// file has the path.
    @Test(arguments: ["/about", "/", "/x/y", "/LICENSE"])
    func opensTheStartPageInNavigationsOnly(_ path: String) throws {
        let files = ["index.html", "about.html", "LICENSE"].compactMap { try? AssetPath($0) }
        let resolver = Resolver(profile: .capacitor, listing: PackageListing(files))
        let page = Profile.capacitor.url(of: try AssetPath("about.html"))
        let opened = resolver.resolve(path.utf8, from: page, for: .navigation)
        #expect(opened.isStartPage)
        #expect(opened.file.map { resolver.listing.paths[$0].description } == "index.html")
        let loaded = resolver.resolve(path.utf8, from: page)
        #expect(loaded.isMiss && loaded.file == nil)
    }

    /// Capacitor's start page is always `index.html`, Cordova's is the launch page.
    @Test(arguments: [(Profile.capacitor, "index.html"), (.cordova, "start.html")])
    func knowsWhichPageIsTheStartPage(_ profile: Profile, _ page: String) throws {
        let files = ["index.html", "start.html"].compactMap { try? AssetPath($0) }
        let profile = profile.with { $0.launch = "start.html" }
        let resolver = Resolver(profile: profile, listing: PackageListing(files))
        let opened = resolver.resolve(
            "/route".utf8, from: profile.url(of: try AssetPath("start.html")), for: .navigation)
        #expect(opened.isStartPage)
        #expect(opened.file.map { resolver.listing.paths[$0].description } == page)
    }

    @Test func knowsTheFileThatAnHTTPSURLNames() throws {
        let resolver = try SeedClientTableTests.resolver(Self.strict)
        let own = resolver.resolve("https://h/en/logo.png?x#y".utf8, from: nil)
        #expect(own.twin.map { resolver.listing.paths[$0].description } == "en/logo.png")
        #expect(resolver.resolve("https://other/en/logo.png".utf8, from: nil).twin == nil)
        // Without hosts, no web host is known to be one's own.
        let unknown = try SeedClientTableTests.resolver(.pathStrict)
        #expect(unknown.resolve("https://h/en/logo.png".utf8, from: nil).twin == nil)
    }

    @Test func neverTrapsWhateverItIsGiven() throws {
        let resolver = try SeedClientTableTests.resolver(.basenameCache)
        var noise = Noise(seed: 4)
        let document = Profile.basenameCache.url(of: try AssetPath("a/b.html"))
        for length in 0..<400 {
            let bytes = noise.bytes(length % 40)
            for text in [bytes, Array("customscheme:".utf8) + bytes] {
                let resolution = resolver.resolve(text, from: document)
                // A request that reaches the handler has a URL and a name.
                #expect(!resolution.isMiss || resolution.url != nil && resolution.lookedUp != nil)
            }
        }
    }
}
