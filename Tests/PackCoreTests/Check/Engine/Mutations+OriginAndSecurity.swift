import PackProfile

/// Mutations of origins and security.
extension MutationTests {
    private static let https = Setting(profile: profile.with(pageOrigin: .https))
    private static let strict = Setting(
        profile: Profile.pathStrict.with { $0.hosts = ["shop.example.com"] })
    private static let head = "<meta charset=\"utf-8\">"
    private static let abc = "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
    private static let fonts = "customscheme://fonts.example.com/assets/"

    private static func policy(_ rule: String, _ text: String) -> Mutation {
        Mutation(
            rule, head,
            head + "<meta http-equiv=\"Content-Security-Policy\" content=\"\(text)\">")
    }

    static let originAndSecurity: [Mutation] = [
        image(
            "protocol-relative-third-party", "↓//cdn.example.net/assets/icon-clay.MFMCRUUI.svg\""),
        image("protocol-relative-own", "↓//\(own)", https),
        image("root-mismatch", "↓/app/assets/icon-clay.MFMCRUUI.svg\"", strict),
        inserted(
            "mixed-content-active",
            "<script src=\"↓customscheme://shop.example.com/assets/main.WMSKDKTG.js\"></script>",
            https),
        inserted(
            "mixed-content-passive",
            "<img src=\"↓customscheme://shop.example.com/icons/icon-192.png\">", https),
        inserted(
            "iframe-custom-in-https",
            "<iframe src=\"↓customscheme://shop.example.com/pages/visit.html\"></iframe>", https),
        inserted(
            "nav-custom-in-https",
            "<a href=\"↓customscheme://shop.example.com/pages/visit.html\">x</a>", https),
        inserted("iframe-https-in-custom", "<iframe src=\"↓https://pay.example.net/\"></iframe>"),
        image("http-in-custom", "↓http://cdn.example.net/icon-clay.svg\""),
        inserted(
            "crossorigin-no-cors", "<img src=\"↓\(fonts)icon-clay.MFMCRUUI.svg\" crossorigin>"),
        Mutation(
            "frame-origin", adding: "kiln.html",
            "<!doctype html><meta charset=\"utf-8\"><iframe sandbox=\"allow-scripts\" "
                + "src=\"kiln.html\"></iframe><script type=\"module\" "
                + "src=\"↓./assets/main.WMSKDKTG.js\"></script>"),
        Mutation("integrity-stale", home, home + " integrity=\"↓\(abc)\""),
        Mutation(
            "integrity-format", home, home + " integrity=\"↓md5-kAFQmDzST7DWlj99KOF/cg==\""),
        inserted(
            "integrity-cross-origin",
            "<script src=\"https://cdn.example.net/l.js\" integrity=\"↓\(abc)\"></script>",
            Setting(also: ["external-subresource"])),
        inserted(
            "external-subresource", "<script src=\"↓https://cdn.example.net/l.js\"></script>"),
        Mutation(
            "integrity-importmap", head,
            head + "<script type=\"importmap\">{\"integrity\": {\"./assets/main.WMSKDKTG.js\": "
                + "\"↓\(abc)\"}}</script>"),
        policy("csp-blocks-custom", "default-src 'self'; ↓font-src https:; style-src 'self'"),
        Mutation(
            "csp-inline-hash", head,
            head + "<meta http-equiv=\"Content-Security-Policy\" content=\"style-src 'self' "
                + "'\(abc)'\"><style>↓a { color: red }</style>"),
        Mutation(
            "csp-blocks-eval", head,
            head + "<meta http-equiv=\"Content-Security-Policy\" content=\"↓script-src 'self' "
                + "'unsafe-inline'\"><script>eval(\"1\")</script>"),
        policy("csp-syntax", "↓image-src 'self'"),
        policy("csp-upgrade-insecure", "↓upgrade-insecure-requests"),
        Mutation(
            "header-policies-lost", adding: "_headers",
            "/*\n  ↓Content-Security-Policy: default-src 'self'\n"),
        inserted("referrer-missing", "<img src=\"↓https://img.example.org/a.png\">"),
        Mutation(
            "redirect-custom", adding: "_redirects",
            "/old ↓customscheme://shop.example.com/index.html 301\n"),
    ]
}
