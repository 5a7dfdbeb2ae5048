import PackCheck
import PackProfile

/// Mutations of scripts, data and other parts of a page.
extension MutationTests {
    private static let https = Setting(profile: profile.with(pageOrigin: .https))
    private static let strict = Setting(
        profile: Profile.pathStrict.with { $0.hosts = ["shop.example.com"] })

    private static func script(
        _ rule: String, _ code: String, _ setting: Setting = Setting()
    ) -> Mutation {
        inserted(rule, "<script>\(code)</script>", setting)
    }

    /// An additional page.
    private static func page(_ rule: String, _ body: String) -> Mutation {
        Mutation(rule, adding: "kiln.html", "<!doctype html><meta charset=\"utf-8\">" + body)
    }

    static let scriptsAndData: [Mutation] = [
        script(
            "js-syntax-new", "x = ↓/(?<=a)b/",
            Setting(
                profile: profile.with {
                    $0.minimumIOS = .init(16)
                    $0.statesMinimum = true
                })),
        inserted(
            "css-feature-new", "<style>↓@scope (a) { b { color: red } }</style>",
            Setting(
                profile: profile.with {
                    $0.minimumIOS = .init(15)
                    $0.statesMinimum = true
                })),
        script("js-asset-literal", "x = \"↓https://shop.example.com/icons/icon-192.png\""),
        script("js-missing-file", "x = \"↓customscheme://shop.example.com/gone.js\""),
        script(
            "js-public-path",
            "n.u=e=>\"assets/\"+{1:\"main.WMSKDKTG\"}[e]+\".js\",n.p=\"↓https://cdn.example.org/\""),
        script(
            "js-chunk-missing", "n.u=↓e=>\"assets/\"+{1:\"gone\"}[e]+\".js\",n.p=\"/\""),
        script("js-asset-missing", "const x = \"↓/assets/gone-DK4fa1Qz.png\""),
        inserted(
            "js-import-type",
            "<script type=\"module\">import \"↓./assets/home.LH33XPM2.css\"</script>"),
        inserted(
            "js-amd-missing",
            "<script data-main=\"↓/js/gone\" src=\"/assets/main.WMSKDKTG.js\"></script>"),
        inserted("js-bare-import", "<script type=\"module\">import \"↓vue\"</script>"),
        script("js-dynamic-import", "import(\"↓./assets/gone.js\")"),
        script("js-unread-address", "const load = name => ↓import(name)"),
        script("js-worker", "new Worker(\"↓/gone.js\")"),
        inserted(
            "js-new-url",
            "<script type=\"module\">x = new URL(\"↓core.wasm\", import.meta.url)</script>"),
        script(
            "worker-cross-origin",
            "new Worker(\"↓customscheme://shop.example.com/assets/main.WMSKDKTG.js\")", https),
        script("js-relative-ajax", "fetch(\"↓/api/u\")"),
        script(
            "js-ajax-custom-nonget",
            "fetch(\"↓/assets/reviews.data.UQPYCUKG.json\", {method: \"PUT\"})"),
        script(
            "js-ajax-custom-from-https",
            "fetch(\"↓customscheme://shop.example.com/assets/reviews.data.UQPYCUKG.json\")", https),
        script("js-api-cors", "fetch(\"↓https://api.example.org/u\")"),
        script(
            "js-sync-xhr", "x.open(\"GET\", \"↓/assets/reviews.data.UQPYCUKG.json\", !1)"),
        script("js-location-protocol", "x = location.protocol + \"↓//api.example.org\""),
        script("js-location-origin", "x = location.↓origin + \"/api\""),
        script("js-url-protocol-setter", "u.protocol = \"↓https:\""),
        script("js-url-origin", "x = ↓new URL(u).origin === location.href"),
        script(
            "js-history-router",
            "function t(r,a){let{pathname:i}=r.location;return i+(a.state.↓usr||0)}"),
        script("js-pattern-missing", "i.src = \"↓gone/\" + name + \".png\""),
        script("js-shared-memory", "x = new ↓SharedArrayBuffer(8)"),
        script("js-absolute-test", "x = ↓/^https?:/.test(u)"),
        script("js-websocket-relative", "new WebSocket(\"↓/ws\")"),
        script("js-beacon", "navigator.sendBeacon(\"↓/log\", d)"),
        script(
            "js-serviceworker",
            "navigator.serviceWorker.register(\"↓/assets/main.WMSKDKTG.js\")"),
        script("js-cookie", "document.↓cookie = \"a=1\""),
        script("js-history-api", "history.pushState({}, \"\", \"↓/p2\")"),
        script("js-secure-context", "crypto.↓subtle.digest(a, b)"),
        script(
            "js-stops",
            "if (location.protocol !== \"https:\") { ↓throw new Error(\"open this in a browser\") }"
        ),
        script(
            "js-leaves-package",
            "if (location.protocol !== \"https:\") location.href = \"↓https://www.example.com/\""),
        script(
            "js-storage-origin", "↓localStorage.setItem(a, b)",
            Setting(profile: profile.with(pageOrigin: .dual))),
        script("js-canvas-taint", "c.↓toDataURL()", https),
        script("js-window-open", "window.open(\"↓https://example.org\")"),
        script(
            "js-document-write-script",
            "document.write(\"↓<script src=https://x.example.org/a.js></\" + \"script>\")",
            Setting(also: ["external-subresource"])),
        script("js-postmessage-origin", "f.postMessage(a, \"↓https://shop.example.com\")"),
        Mutation(
            "sourcemap-shipped", adding: "assets/kiln.3F9C2A71.js.map",
            "{\"version\":3,\"sources\":[\"a.ts\"],\"sourcesContent\":[\"let a\"],\"mappings\":\"\"}"
        ),
        Mutation(
            "sourcemap-comment", adding: "assets/kiln.3F9C2A71.js",
            "x = 1\n//# sourceMappingURL=↓gone.js.map"),
        inserted("importmap-invalid", "<script type=\"importmap\">↓{\"imports\":}</script>"),
        inserted(
            "importmap-unresolved",
            "<script type=\"importmap\">{\"imports\":{\"a\":\"↓./assets/gone.js\"}}</script><script type=\"module\">import \"a\"</script>"
        ),
        Mutation(
            "webmanifest-urls", adding: "kiln.webmanifest",
            "{\"start_url\":\"↓customscheme://shop.example.com/\"}"),
        inserted(
            "svg-external-use",
            "<svg><use href=\"↓customscheme://fonts.example.com/assets/icon-clay.MFMCRUUI.svg?#i\"/></svg>"
        ),
        Mutation(
            "svg-as-image", "", svgWithPicture, in: "assets/icon-clay.MFMCRUUI.svg",
            adding: ["assets/icon-clay.MFMCRUUI.svg": svgWithPicture],
            // The icons are artificial, but this one is valid now, so their shared finding names
            // another file.
            Setting(also: ["svg-not-well-formed"])),
        inserted(
            "json-state-url",
            "<script type=\"application/json\">{\"a\":\"↓https://shop.example.com/icons/icon-192.png\"}</script>"
        ),
        inserted(
            "data-missing-file",
            "<script type=\"application/json\">{\"src\":\"↓icons/gone.png\"}</script>"),
        Mutation(
            "svg-not-well-formed", "", "", in: "art/new.svg",
            adding: ["art/new.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\"><g>↓</svg>"],
            Setting(also: ["unreferenced-file"])),
        Mutation(
            "basename-cache-names", "", "", in: "zh/index.html",
            adding: ["zh/index.html": "<!doctype html><meta charset=\"utf-8\"><title>x</title>"],
            Setting(profile: strict.profile, also: ["unreferenced-file"])),
        Mutation(
            "script-charset", "<meta charset=\"utf-8\">",
            "<meta charset=\"windows-1251\"><script src=\"↓./js/late.js\"></script>",
            adding: ["js/late.js": "document.title = '\u{E9}'"]),
        Mutation(
            "encoding-not-read", "<meta charset=\"utf-8\">", "<meta charset=\"↓iso-2022-jp\">",
            Setting(also: ["unreferenced-file"])),
        inserted(
            "speculationrules-ignored",
            "<script type=\"speculationrules\">↓{\"prefetch\":[]}</script>"),
        page("manifest-link", "<link rel=\"manifest\" href=\"↓manifest.json\">"),
        inserted(
            "imagesrcset-missed",
            "<link rel=\"preload\" as=\"image\" imagesrcset=\"↓https://shop.example.com/icons/icon-192.png 1x\"><img srcset=\"./icons/icon-192.png 1x\">"
        ),
        page(
            "base-fragment", "<base href=\"/pages/\"><a href=\"↓#part\">Part</a>"),
        inserted(
            "css-inlined-base",
            "<style>a { background: url(↓wave.RX3B4PP6.svg) }</style>", strict),
        Mutation("unreferenced-file", "", "", in: ".", adding: ["kiln.3F9C2A71.png": "x"]),
        Mutation(
            "fallback-plain-http", clay, "src=\"↓./assets/customscheme.3F9C2A71.svg\"",
            adding: ["assets/customscheme.3F9C2A71.svg": emptySVG]),
    ]

    private static let emptySVG = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"
    private static let svgWithPicture =
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"↓hero-small.AFWJP7TA.png\"/></svg>"
    private static let dual = profile.with(pageOrigin: .dual)
    private static let token = CheckOptions(userAgentToken: "ShopApp")

    static let switching: [Mutation] = [
        // In browsers, a custom URL in an https page is also mixed content.
        Mutation(
            "ua-guard-missing", "href=\"./icons/icon-192.png\"",
            "href=\"↓customscheme://shop.example.com/icons/icon-192.png\"",
            Setting(profile: dual, also: ["mixed-content-passive"])),
        Mutation(
            "ua-token-mismatch", "<meta charset=\"utf-8\">",
            "<meta charset=\"utf-8\"><script>s = navigator.userAgent.indexOf(\"↓shopApp\") >= 0 "
                + "? \"customscheme:\" : \"https:\"</script>", Setting(options: token)),
        script(
            "ua-bootstrap-order",
            "s = navigator.↓userAgent.includes(\"ShopApp\") ? \"customscheme:\" : \"https:\"",
            Setting(profile: dual, options: token)),
        script(
            "ua-ipad",
            "s = /* app */ navigator.userAgent.indexOf(\"↓iPhone\") >= 0 ? \"customscheme:\" : \"https:\""
        ),
    ]
}
