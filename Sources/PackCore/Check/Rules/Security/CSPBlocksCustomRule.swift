import PackWeb

extension Rule {
    /// Policies that block the package's own files.
    package static let cspBlocksCustom = Rule(
        "csp-blocks-custom", "the page's policy blocks what the page loads", group: .security,
        level: Level(
            "error; warning for pictures, fonts, media, forms and what large scripts do; hint for icons"
        ) { _ in .error }, fix: .safe,
        explanation: .init(
            what: """
                Applies each page's Content Security Policy (CSP) to what the page loads: its \
                scripts with their imports, requests and workers, style sheets with their \
                pictures and fonts, frames, forms and `base`. Reports the directives that block \
                something.
                """,
            why: """
                A policy that was written for https names https hosts. `*` and `'self'` do not \
                match `data:` and `blob:`, and a host without a scheme means the page's scheme. \
                A blocked URL is never requested, and only the console shows it.
                """,
            sources: [
                .cite(.csp, "section 6.7.2"),
                .cite(.webkitSource, "ContentSecurityPolicySource.cpp"),
                .proof("csp-blocks-custom", "csp-self-custom", "csp-star-custom"),
            ],
            instead: "Add the scheme to the directive: `img-src 'self' customscheme:`.",
            detection: """
                Policies in `meta` in the head, each for what follows it. The URLs of the page, of \
                the packaged style sheets that it loads, and of its scripts and the packaged \
                modules that they import are matched against the directive that applies, \
                including fallbacks; where WebKit differs from the standard, as WebKit does. \
                Nonces count for the script that has them and its imports, hashes for scripts \
                whose `integrity` they list. In scripts only URLs that are one literal are known; \
                what worker files and framed pages do is not subject to the page's policy.
                """),
        examples: [
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="↓img-src https:">
                <img src="a.png">
                """, others: ["a.png": ""]),
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="default-src 'self'; ↓script-src 'self'">
                <script src="//cdn.example.com/a.js"></script><img src="a.png">
                """, "'self' is one host", others: ["a.js": "", "a.png": ""],
                profile: Example.profile.with {
                    $0.hosts = ["www.example.com", "cdn.example.com"]
                }),
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="style-src 'self'; ↓font-src https:">
                <link rel="stylesheet" href="a.css">
                """, "the font that a style sheet loads",
                others: ["a.css": "@font-face { src: url(f.woff2) }", "f.woff2": ""]),
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="↓img-src 'none'">
                <img src="a.png">
                """, others: ["a.png": ""]),
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="↓img-src 'self'">
                <img src="data:image/png;base64,iVBORw0KGgo="><img src="a.png">
                """, "'self' does not match data:", others: ["a.png": ""]),
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="↓connect-src https://api.example.com">
                <script src="a.js"></script>
                """, "what a script of the page requests",
                others: ["a.js": "import './b.js'", "b.js": "fetch('data.json')"]),
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="↓script-src 'nonce-r1'">
                <script nonce="r1" src="a.js"></script><script src="b.js"></script>
                """, "one script has no nonce", others: ["a.js": "", "b.js": ""]),
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="↓script-src 'self' \
                'nonce-r1' 'strict-dynamic'">
                <script nonce="r1">import('./a.js')</script><script src="b.js"></script>
                """, "'strict-dynamic' takes 'self' back", others: ["a.js": "", "b.js": ""]),
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="↓worker-src 'self'">
                <script>
                const code = URL.createObjectURL(new Blob(["postMessage(1)"]))
                new Worker(code)
                </script>
                """, "a worker from a blob"),
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="↓base-uri 'none'"><base href="/m/">
                """),
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="↓script-src self">
                <script src="a.js"></script>
                """, "self without quotes is a host", others: ["a.js": ""]),
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="default-src 'self'; ↓img-src data:">
                <script src="a.js"></script>
                """, "what a script gives to an element",
                others: ["a.js": "const i = new Image(); i.src = 'a.png'", "a.png": ""]),
            .good(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="default-src 'self'; img-src *">
                <script src="a.js"></script><img src="a.png">
                """, "'self' is the page's own host, and * its own scheme",
                others: ["a.js": "", "a.png": ""]),
            .good(
                "index.html",
                """
                <img src="a.png">
                <meta http-equiv="Content-Security-Policy-Report-Only" content="img-src https:">
                <img src="a.png">
                """, "a report-only policy is ignored in a page", others: ["a.png": ""]),
            .good(
                "index.html",
                """
                <body><meta http-equiv="Content-Security-Policy" content="img-src https:">
                <img src="a.png">
                """, "a policy outside the head is ignored", others: ["a.png": ""]),
            .good(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="script-src 'nonce-r1'; img-src *">
                <script type="module" nonce="r1" src="a.js"></script><img src="data:,">
                """, "imports inherit the nonce; in img-src, WebKit's * matches data:",
                others: ["a.js": "import './b.js'", "b.js": ""]),
            .good(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="connect-src 'none'; script-src 'self'">
                <script src="a.js"></script>
                """, "a worker has a policy of its own",
                others: ["a.js": "new Worker('w.js')", "w.js": "fetch('data.json')"]),
            .good(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="script-src \
                'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='">
                <script src="a.js" integrity="sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=">\
                </script>
                """, others: ["a.js": "abc"]),
        ],
        document: { document, sink in
            for blocked in BlockedLoads.find(in: document) {
                sink.report(
                    at: blocked.found.text.sourceRange(of: blocked.directive.range),
                    blocked.message(document.profile), notes: blocked.notes(document.site),
                    fix: blocked.fix(document), severity: blocked.severity)
            }
        })
}

/// What one directive blocks because it lacks one source.
private struct BlockedLoads {
    let found: DocumentContext.Policy
    let directive: ContentSecurityPolicy.Directive
    let source: String
    var severity: Severity
    var actions: [PageAction]

    static func find(in document: DocumentContext) -> [BlockedLoads] {
        struct Key: Hashable {
            let policy: Int
            let directive: Int
            let source: String
        }
        var result: [BlockedLoads] = []
        var places: [Key: Int] = [:]
        for refused in PolicyCheck.refused(in: document) {
            guard case .load = refused.action.kind else { continue }
            let source = refused.action.source
            let key = Key(
                policy: refused.found.start, directive: refused.directive.range.lowerBound,
                source: source)
            if let place = places[key] {
                result[place].actions.append(refused.action)
                result[place].severity = max(result[place].severity, refused.action.severity)
            } else {
                places[key] = result.count
                result.append(
                    BlockedLoads(
                        found: refused.found, directive: refused.directive, source: source,
                        severity: refused.action.severity, actions: [refused.action]))
            }
        }
        return result.sorted {
            ($0.found.start, $0.directive.range.lowerBound)
                < ($1.found.start, $1.directive.range.lowerBound)
        }
    }

    private func isPackaged(_ profile: Profile) -> Bool {
        source.utf8.elementsEqual(profile.canonicalScheme + [UInt8(ascii: ":")])
    }

    func message(_ profile: Profile) -> String {
        let name = actions.first?.name ?? ""
        let more = actions.count - 1
        guard isPackaged(profile) else {
            return "\(directive.name) blocks '\(name)'"
                + (more > 0 ? " and \(counted(more, "more URL")): " : ": ")
                + "it does not allow \(source)"
        }
        return "\(directive.name) blocks '\(name)'"
            + (more > 0
                ? " and \(more) more packaged \(more == 1 ? "file" : "files")"
                : ", a packaged file")
    }

    /// The most places that are named.
    private static let mostNotes = 3

    /// What other files load.
    func notes(_ site: SiteIndex) -> [String] {
        actions.compactMap { action in
            action.file.map { "'\(action.name)' in '\(printable(site.path($0).bytes))'" }
        }.prefix(Self.mostNotes).map { $0 }
    }

    /// Lets the directive allow the custom scheme, where a scheme is enough.
    func fix(_ document: DocumentContext) -> Fix? {
        let profile = document.profile
        guard isPackaged(profile), !["base-uri", "form-action"].contains(directive.name),
            !directive.sources.keywords.contains(.strictDynamic)
        else { return nil }
        let scheme = String(decoding: profile.canonicalScheme, as: UTF8.self)
        let values = directive.values.filter { $0.lowercased() != "'none'" } + ["\(scheme):"]
        let text = "\(directive.name) \(values.joined(separator: " "))"
        let edit = HTMLEdit(found.attribute, directive.range, value: Array(text.utf8))
        return document.edits([edit]).map {
            Fix(.safe, "let \(directive.name) allow \(scheme):", edits: $0)
        }
    }
}
