import PackWeb

extension Rule {
    /// Policies that block the package's own files.
    package static let cspBlocksCustom = Rule(
        "csp-blocks-custom", "the page's policy blocks packaged files", group: .security,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: """
                Applies each page's Content Security Policy (CSP) to its custom URLs and reports \
                the directives that block one.
                """,
            why: """
                A policy that was written for https names https hosts. `*` does not match every \
                scheme, and a host without a scheme means the page's scheme. A blocked URL is \
                never requested, and only the console shows it.
                """,
            sources: [
                .cite(.csp, "section 6.7.2"),
                .cite(.webkitSource, "ContentSecurityPolicySource.cpp"),
                .proof("csp-blocks-custom", "csp-self-custom", "csp-star-custom"),
            ],
            instead: "Add the scheme to the directive: `img-src 'self' customscheme:`.",
            detection: """
                The references of the page and of the packaged style sheets that it loads are \
                matched against the directive that applies to them, including fallbacks. Nonces, \
                and hashes on scripts with `integrity`, are assumed to match. URLs in scripts are \
                not checked.
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
        ],
        document: { document, sink in
            var work = CSPCheck.Work()
            for found in document.policies {
                for blocked in CSPCheck.blocked(by: found, in: document, &work) {
                    CSPCheck.report(blocked, found, document, &sink)
                }
            }
        })
}

private enum CSPCheck {
    /// A directive and the URLs that it blocks.
    struct Blocked {
        let directive: ContentSecurityPolicy.Directive
        var references: [Reference]
    }

    /// State shared by the policies of one page.
    struct Work {
        /// The number of comparisons of URLs with values that are left.
        var comparisons = 200_000
        /// The references of the style sheets that were read, by file index.
        var sheets: [Int: [Reference]] = [:]
    }

    static func blocked(
        by found: DocumentContext.Policy, in document: DocumentContext, _ work: inout Work
    ) -> [Blocked] {
        guard let page = document.url else { return [] }
        var result: [Blocked] = []
        let own = document.references.filter {
            $0.isEffective && $0.range.lowerBound >= found.start
                && !$0.traits.contains(.inNoscript) && !$0.traits.contains(.inTemplate)
        }
        for reference in own + styles(of: own, in: document, &work) {
            guard let url = reference.resolution.url,
                url.scheme == document.profile.canonicalScheme,
                let name = ContentSecurityPolicy.directiveName(for: reference),
                let directive = found.policy.directive(governing: name)
            else { continue }
            work.comparisons -= directive.values.count + 1
            guard work.comparisons > 0 else { break }
            guard !allows(directive, url, reference, page, document) else { continue }
            if let index = result.firstIndex(where: { $0.directive.name == directive.name }) {
                result[index].references.append(reference)
            } else {
                result.append(Blocked(directive: directive, references: [reference]))
            }
        }
        return result.sorted { $0.directive.range.lowerBound < $1.directive.range.lowerBound }
    }

    /// The maximum number of style sheets that are read for one page.
    private static let mostStyles = 64

    /// The references of the packaged style sheets that a page loads, including imported ones.
    private static func styles(
        of own: [Reference], in document: DocumentContext, _ work: inout Work
    ) -> [Reference] {
        let site = document.site
        var seen: Set<Int> = []
        var found: [Reference] = []
        var waiting = own
        while let reference = waiting.popLast(), seen.count < mostStyles {
            guard reference.isStyleSheet, let file = reference.resolution.file,
                site.files[file].kind == .css, seen.insert(file).inserted,
                let references = work.sheets[file] ?? read(file, in: site)
            else { continue }
            work.sheets[file] = references
            found += references
            waiting += references
        }
        return found.sorted { ($0.text, $0.range.lowerBound) < ($1.text, $1.range.lowerBound) }
    }

    private static func read(_ file: Int, in site: SiteIndex) -> [Reference]? {
        guard let content = try? site.content(of: file) else { return nil }
        return DocumentReader.read(site: site, index: file, kind: .css, bytes: content).references
    }

    private static func allows(
        _ directive: ContentSecurityPolicy.Directive, _ url: URLRecord, _ reference: Reference,
        _ page: URLRecord, _ document: DocumentContext
    ) -> Bool {
        if directive.name.hasPrefix("script"), let element = document.element(of: reference) {
            let words = directive.values.map { $0.lowercased() }
            // What a trusted script adds is not known here.
            if words.contains("'strict-dynamic'") { return true }
            if directive.hasHashOrNonce,
                document.has("nonce", element) || document.has("integrity", element)
            {
                return true
            }
        }
        return directive.values.contains {
            SourceExpression.matches($0, url, page: page, profile: document.profile)
        }
    }

    static func report(
        _ blocked: Blocked, _ found: DocumentContext.Policy, _ document: DocumentContext,
        _ sink: inout FindingSink
    ) {
        let count = blocked.references.count
        let first = blocked.references.first?.text ?? ""
        sink.report(
            at: found.text.sourceRange(of: blocked.directive.range),
            "\(blocked.directive.name) blocks '\(first)'"
                + (count > 1
                    ? " and \(count - 1) more packaged files" : ", a packaged file"),
            fix: fix(blocked.directive, found, document))
    }

    private static func fix(
        _ directive: ContentSecurityPolicy.Directive, _ found: DocumentContext.Policy,
        _ document: DocumentContext
    ) -> Fix? {
        let scheme = String(decoding: document.profile.canonicalScheme, as: UTF8.self)
        let values = directive.values.filter { $0.lowercased() != "'none'" } + ["\(scheme):"]
        let text = "\(directive.name) \(values.joined(separator: " "))"
        let edit = HTMLEdit(found.attribute, directive.range, value: Array(text.utf8))
        return document.edits([edit]).map {
            Fix(.safe, "let \(directive.name) allow \(scheme):", edits: $0)
        }
    }
}

extension Reference {
    fileprivate var isStyleSheet: Bool {
        htmlKind == .styleSheet || cssRole == .importedSheet
    }
}
