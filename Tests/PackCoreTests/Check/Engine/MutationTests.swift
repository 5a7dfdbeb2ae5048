import Foundation
import PackCheck
import PackGround
import PackProfile
import PackRelease
import TestSupport
import Testing

/// The storefront has no findings; each mutation of it gives one finding at the correct location.
///
/// Mutations of later chapters are in separate files (`Mutations+….swift`).
struct MutationTests {
    struct Mutation: CustomTestStringConvertible, Sendable {
        let rule: String
        let file: String
        let old: String
        /// `↓` marks the expected location; there is no mark for a finding about the whole file.
        let new: String
        /// Additional files.
        let added: [String: String]
        /// The profile and options, if relevant.
        let setting: Setting
        var testDescription: String { "\(rule): \(new.prefix(60))\(added.keys.sorted())" }

        init(
            _ rule: String, _ old: String, _ new: String, in file: String = "index.html",
            adding added: [String: String] = [:], _ setting: Setting = Setting()
        ) {
            self.rule = rule
            self.file = file
            self.old = old
            self.new = new
            self.added = added
            self.setting = setting
        }

        /// Adds an unwanted file; `↓` in it marks the expected location.
        init(_ rule: String, adding file: String, _ content: String, _ setting: Setting = Setting())
        {
            self.init(rule, "", content, in: file, adding: [file: content], setting)
        }
    }

    struct Setting: Sendable {
        var profile = MutationTests.profile
        var options = CheckOptions()
        /// The deployed manifest.
        var previous: String?
        var junk: [String] = []
        var refused: [RefusedName] = []
        /// A file to remove.
        var removed: String?
        /// Other rules that also report the mutation.
        var also: Set<String> = []
    }

    static let clay = "src=\"./assets/icon-clay.MFMCRUUI.svg\""
    static let own = "shop.example.com/assets/icon-clay.MFMCRUUI.svg\""
    static let home = "href=\"./assets/home.LH33XPM2.css\""
    static let style = "assets/home.LH33XPM2.css"

    static func image(
        _ rule: String, _ url: String, _ setting: Setting = Setting()
    ) -> Mutation {
        Mutation(rule, clay, "src=\"\(url)", setting)
    }

    /// Inserts text at the start of the page's body.
    static func inserted(
        _ rule: String, _ text: String, _ setting: Setting = Setting()
    ) -> Mutation {
        Mutation(rule, "<body>", "<body>" + text, setting)
    }

    static let mutations: [Mutation] = [
        image("missing-file", "↓./assets/icon-gone.svg\""),
        image("case-mismatch", "↓./assets/Icon-clay.MFMCRUUI.svg\""),
        image("path-mismatch", "↓./img/icon-clay.MFMCRUUI.svg\""),
        image("query-slash", "↓./assets/icon-clay.MFMCRUUI.svg?next=/home/me\""),
        image("fragment-in-subresource", "↓./assets/icon-clay.MFMCRUUI.svg#a\""),
        image("scheme-uppercase", "↓customScheme://\(own)"),
        image("double-scheme", "↓customscheme://https://\(own)"),
        image("scheme-missing-slashes", "↓customscheme:/assets/icon-clay.MFMCRUUI.svg\""),
        image("scheme-inconsistent", "↓customschem://\(own)"),
        image("scheme-syntax", "↓custom_scheme://\(own)"),
        image("custom-url-unparsable", "↓customscheme://ho st/icon-clay.MFMCRUUI.svg\""),
        image(
            "custom-host-case", "↓customscheme://SHOP.example.com/assets/icon-clay.MFMCRUUI.svg\""),
        image(
            "custom-host-idn", "↓customscheme://caf\u{E9}.example/assets/icon-clay.MFMCRUUI.svg\""),
        image(
            "custom-host-unknown", "↓customscheme://cdn.example.net/assets/icon-clay.MFMCRUUI.svg\""
        ),
        image(
            "custom-url-port",
            "↓customscheme://shop.example.com:443/assets/icon-clay.MFMCRUUI.svg\""),
        image("custom-url-credentials", "↓customscheme://me@\(own)"),
        image(
            "url-whitespace", "↓./assets/icon-clay.MFMCRUUI.svg\u{200B}\"",
            Setting(also: ["missing-file"])),
        image("url-backslash", "↓.\\assets\\icon-clay.MFMCRUUI.svg\""),
        image("not-from-package", "↓https://\(own)"),
        image("unresolved-placeholder", "↓%PUBLIC_URL%/assets/icon-clay.MFMCRUUI.svg\""),
        image(
            "html-parse-unsafe",
            "./assets/icon-clay.MFMCRUUI.svg\" ↓src=\"./assets/icon-box.6OHGMQVL.svg\""),
        Mutation(
            "srcset-invalid", "./assets/hero-small.AFWJP7TA.png 520w",
            "↓./assets/hero-small.AFWJP7TA.png 520w 1x"),
        Mutation(
            "srcset-partially-rewritten", "./assets/hero-large.CUSNUCRI.png 1040w",
            "↓https://shop.example.com/assets/hero-large.CUSNUCRI.png 1040w"),
        Mutation(
            "preload-mismatch", "href=\"./assets/karla-regular.2SESQUVB.woff2\" crossorigin",
            "href=\"↓./assets/karla-regular.2SESQUVB.woff2\""),
        Mutation(
            "meta-absolute-https", "content=\"https://shop.example.com/icons",
            "content=\"↓customscheme://shop.example.com/icons"),
        Mutation(
            "query-only-version", "href=\"./icons/icon-192.png\"",
            "href=\"↓./icons/icon-192.png?v=2\""),
        Mutation(
            "mixed-addressing", home,
            home + "><link rel=\"stylesheet\" href=\"↓./assets/home.LH33XPM2.css?x\""),
        Mutation(
            "namespace-rewritten", "xmlns=\"http://www.w3.org", "xmlns=\"↓customscheme://www.w3.org"
        ),
        Mutation("missing-charset", "<meta charset=\"utf-8\">", ""),
        Mutation(
            "nav-target-missing", "href=\"./pages/visit.html\">Visit<",
            "href=\"↓./pages/gone.html\">Visit<"),
        Mutation(
            "nav-leaves-package", "href=\"./pages/visit.html\">Visit<",
            "href=\"↓https://shop.example.com/pages/visit.html\">Visit<"),
        Mutation(
            "directory-url", "href=\"./pages/visit.html\">Visit<", "href=\"↓./pages/\">Visit<"),
        Mutation("appcache", "<html lang=\"en-GB\">", "<html manifest=\"↓x.appcache\">"),
        inserted("preconnect-custom", "<link rel=\"dns-prefetch\" href=\"↓//shop.example.com\">"),
        inserted("lazy-file-missing", "<img alt=\"\" data-src=\"↓gone.svg\">"),
        inserted("library-file-missing", "<model-viewer src=\"↓gone.glb\"></model-viewer>"),
        inserted("meta-refresh-target", "<meta http-equiv=refresh content=\"9;url=↓gone.html\">"),
        inserted("form-action-relative", "<form action=\"↓/login\" method=\"post\"></form>"),
        inserted(
            "api-url-rewritten", "<form action=\"↓customscheme://shop.example.com/login\"></form>"),
        inserted(
            "start-page-shown", "<a href=\"↓/pages/visit\">x</a>",
            Setting(profile: .capacitor, also: ["start-page-relative"])),
        inserted(
            "start-page-relative", "<a href=\"↓/products/3\">x</a>", Setting(profile: .capacitor)),
        Mutation(
            "start-page-other", "<body>", "<body><a href=\"↓/about\">x</a>", in: "pages/visit.html",
            Setting(profile: .capacitor.with { $0.launch = "pages/visit.html" })),
        Mutation(
            "platform-name", "<body>", "<body><script src=\"↓./js/my.cordova.js\"></script>",
            adding: ["js/my.cordova.js": "start()"], Setting(profile: .capacitor)),
        inserted("js-truncated", "<script>↓start({</script>"),
        inserted("nav-http", "<a href=\"↓http://example.com/\">x</a>"),
        inserted("ping-custom", "<a href=\"index.html\" ping=\"↓/t\">x</a>"),
        inserted("target-blank", "<a href=\"https://example.com/\" target=\"↓_blank\">x</a>"),
        inserted("a-download", "<a href=\"↓./icons/icon-192.png\" download>x</a>"),
        inserted("rewritten-outside-url", "<p>↓customscheme://shop.example.com/</p>"),
        inserted("base-conflict", "<base href=\"./index.html\"><base href=\"↓./pages/\">"),
        inserted(
            "ignore-without-reason", "<!-- ↓packtool-ignore missing-file -->"),
        inserted("unused-ignore", "<!-- ↓packtool-ignore missing-file -- old -->"),
        Mutation("css-missing-file", "url(./wave", "url(↓./wav", in: style),
        Mutation("css-escape", "url(./wave.RX3B4PP6.svg)", "↓url(./wa ve)", in: style),
        Mutation(
            "css-url-not-rewritten", "url(./wave.RX3B4PP6.svg)",
            "url(↓https://shop.example.com/assets/wave.RX3B4PP6.svg)", in: style),
        Mutation("css-charset", ".wave{", "↓@charset \"utf-8\";.wave{", in: style),
        Mutation(
            "font-cors", "url(./karla-bold.6CGX4BUV.woff2)",
            "url(↓customscheme://fonts.example.com/assets/karla-bold.6CGX4BUV.woff2)",
            in: "assets/base.PDTIHNZS.css"),
        Mutation(
            "css-cors-images", "url(./wave.RX3B4PP6.svg) ",
            "none;mask:url(↓customscheme://fonts.example.com/assets/wave.RX3B4PP6.svg) ", in: style),
        Mutation(
            "basename-collision", "", "", in: "pages/icon-clay.MFMCRUUI.svg",
            adding: ["pages/icon-clay.MFMCRUUI.svg": "<svg/>"]),
        Mutation("percent-encoding-name", "", "", in: "a b.png", adding: ["a b.png": "x"]),
        Mutation(
            "unicode-normalization", "", "", in: "cafe\u{301}.txt",
            adding: ["cafe\u{301}.txt": "x"]),
    ]

    /// Pages and style sheets of the storefront; all other files are present but empty.
    private static let files: [String: [UInt8]] = {
        let root = Checkout.path + "/examples/storefront/dist/1.1.0"
        var files: [String: [UInt8]] = [:]
        for name in FileManager.default.enumerator(atPath: root)?.allObjects ?? [] {
            guard let name = name as? String,
                let data = FileManager.default.contents(
                    atPath: root + "/" + name)
            else { continue }
            let isRead = name.hasSuffix(".html") || name.hasSuffix(".css")
            files[name] = isRead ? Array(data) : Array("\(name)".utf8)
        }
        return files
    }()

    static let profile = Profile.basenameCache.with {
        $0.hosts = ["shop.example.com", "fonts.example.com"]
    }

    private func findings(
        _ files: [String: [UInt8]], _ setting: Setting = Setting()
    ) async throws -> [Finding] {
        var memory: [AssetPath: [UInt8]] = [:]
        for (name, content) in files { memory[try AssetPath(name)] = content }
        let site = SiteIndex(
            memory: memory, leftOut: LeftOut(junk: setting.junk), refused: setting.refused,
            profile: setting.profile,
            previous: try setting.previous.map {
                try ManifestCoding.decode(Array($0.utf8), path: "info.json")
            }, options: setting.options)
        return try await Checker(site: site, rules: RuleCatalog.all).check(jobs: 1).findings
    }

    /// The findings of the whole storefront, shared by most mutations.
    private actor Whole {
        private var known: [(Setting, Task<[Finding], any Error>)] = []

        func findings(
            _ setting: Setting, _ check: @escaping @Sendable (Setting) async throws -> [Finding]
        ) async throws -> [Finding] {
            let earlier = known.first {
                $0.0.profile == setting.profile && $0.0.options == setting.options
            }
            if let earlier { return try await earlier.1.value }
            let task = Task { try await check(setting) }
            known.append((setting, task))
            return try await task.value
        }
    }

    private static let whole = Whole()

    /// The contents of scripts and pictures are artificial, and some names have no hash.
    private static let madeUp: Set<String> = [
        "mime-content-mismatch", "svg-not-well-formed", "unhashed-mutable",
    ]

    @Test func theStorefrontIsClean() async throws {
        #expect(Self.files.count > 40)
        let findings = try await findings(Self.files)
            .filter { $0.severity > .hint && !Self.madeUp.contains($0.rule) }
        #expect(findings.isEmpty, "\(findings.map { "\($0.rule) \($0.path) \($0.message)" })")
    }

    @Test(
        arguments: mutations + originAndSecurity + mediaAndNames + scriptsAndData + switching)
    func oneBreakIsOneFinding(_ mutation: Mutation) async throws {
        var files = Self.files
        for (name, content) in mutation.added {
            files[name] = Array(content.replacing("\u{2193}", with: "").utf8)
        }
        if let removed = mutation.setting.removed { files[removed] = nil }
        let text: String? =
            mutation.old.isEmpty
            ? mutation.added[mutation.file]
            : try {
                let content = String(decoding: try #require(files[mutation.file]), as: UTF8.self)
                let range = try #require(
                    content.range(of: mutation.old), "'\(mutation.old)' is not there")
                return content[..<range.lowerBound] + mutation.new + content[range.upperBound...]
            }()
        var mark: Int?
        if let text {
            var bytes: [UInt8] = []
            for scalar in text.unicodeScalars {
                if scalar == Example.mark {
                    mark = bytes.count
                } else {
                    bytes += Array(String(scalar).utf8)
                }
            }
            files[mutation.file] = bytes
        }
        let known = Set(
            try await Self.whole.findings(Self.plain(mutation.setting)) {
                try await findings(Self.files, $0)
            }.filter { $0.severity > .hint || $0.rule == mutation.rule }.map(Self.key))
        let found = try await findings(files, mutation.setting)
            .filter { $0.severity > .hint || $0.rule == mutation.rule }
            .filter { !known.contains(Self.key($0)) && !mutation.setting.also.contains($0.rule) }
        #expect(
            found.map(\.rule) == [mutation.rule],
            "\(found.map { "\($0.rule) \($0.path) \($0.message)" })")
        #expect(found.first?.path == mutation.file)
        #expect(found.first?.range?.lowerBound == mark)
        if let place = found.first?.place, let mark, let content = files[mutation.file] {
            let before = content[..<mark]
            let line = before.count { $0 == 0x0A } + 1
            let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            #expect(place.line == line)
            #expect(place.column == mark - start + 1)
        }
    }

    /// The setting without the mutation.
    private static func plain(_ setting: Setting) -> Setting {
        Setting(
            profile: setting.profile.with { $0.launch = "index.html" }, options: setting.options)
    }

    private static func key(_ finding: Finding) -> String {
        // The counts of a finding are in its notes.
        "\(finding.rule) \(finding.path) \(finding.message) \(finding.notes)"
    }

    /// Every rule about the build alone has a mutation; the exceptions are listed with reasons.
    @Test func everyRuleHasAMutation() {
        let all =
            Self.mutations + Self.originAndSecurity + Self.mediaAndNames + Self.scriptsAndData
            + Self.switching
        let broken = Set(all.map(\.rule))
        let missing = RuleCatalog.all.map(\.id).filter {
            !broken.contains($0) && Self.withoutMutation[$0] == nil
        }
        #expect(missing.isEmpty, "\(missing)")
        #expect(Self.withoutMutation.keys.allSatisfy { !broken.contains($0) })
        print("mutations: \(all.count) of \(broken.count) rules, of \(RuleCatalog.all.count)")
    }

    static let withoutMutation = [
        "scheme-reserved": "judges the profile, not the build",
        "entry-not-root": "judges where all files lie",
        "engine-missing": "needs an engine: Tests/Rigs/Engine",
        "engine-refused": "needs an engine: Tests/Rigs/Engine",
        "engine-exception": "needs an engine: Tests/Rigs/Engine",
        "engine-blank": "needs an engine: Tests/Rigs/Engine",
        "engine-stopped": "needs an engine: Tests/Rigs/Engine",
        "engine-route": "needs an engine: Tests/Rigs/Engine",
    ]
}
