import PackWeb

extension Rule {
    /// Code that scripts make at run time, against the page's policy.
    static let cspBlocksEval = Rule(
        "csp-blocks-eval", "the page's policy blocks code or styles made at run time",
        group: .security,
        level: Level("error; warning for what large scripts do") { _ in .error },
        explanation: .init(
            what: """
                Finds `eval`, `new Function`, `setTimeout` with a text, WebAssembly, \
                `setAttribute("style", …)` and `style` elements that scripts fill, in the scripts \
                of a page whose Content Security Policy (CSP) does not allow them.
                """,
            why: """
                As soon as a policy has `script-src` or `default-src`, these throw unless it says \
                'unsafe-eval' (for WebAssembly 'wasm-unsafe-eval' is enough). In development, \
                where the policy is often missing, they work.
                """,
            sources: [
                .cite(.csp, "section 4.4"), .cite(.webkitSource, "ContentSecurityPolicy.cpp"),
                .proof("csp-blocks-eval"),
            ],
            instead: """
                Build without `eval` (webpack's `devtool: "eval"`, templates that are compiled at \
                run time), or add the keyword to the directive.
                """,
            detection: """
                The scripts of the page and the packaged modules that they import. What is tried \
                (`try`), and `Function("return this")`, is left out. In scripts above 64 KiB, which \
                are taken for libraries, it is not known whether the page gets there: a warning. \
                WebKit lets WebAssembly be compiled but not instantiated.
                """),
        examples: [
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="↓script-src 'self'">
                <script src="a.js"></script>
                """, others: ["a.js": "const f = new Function('a', 'return a * 2')"]),
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="↓default-src 'self' 'unsafe-inline'">
                <script>setTimeout("start()", 100); eval(text)</script>
                """),
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="↓script-src 'self'">
                <script type="module" src="a.js"></script>
                """, others: ["a.js": "WebAssembly.instantiateStreaming(fetch('m.wasm'))"]),
            .good(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="script-src 'self' 'unsafe-eval'">
                <script src="a.js"></script>
                """, others: ["a.js": "eval(text); WebAssembly.instantiate(bytes)"]),
            .good(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="script-src 'self'; \
                script-src-elem 'self'">
                <script src="a.js"></script><script src="b.js"></script>
                """, "tried; a method of that name; a function; what is never reached",
                others: [
                    "a.js": "try { new Function('') } catch { slow() }",
                    "b.js": """
                    class A { eval(x) { return x } }
                    const all = globalThis ?? Function('return this')()
                    setTimeout(() => all.eval2('x'), 10); model.eval('x')
                    """,
                ]),
            .good(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="script-src-elem 'self'; img-src *">
                <script src="a.js"></script>
                """, "script-src-elem is not about eval", others: ["a.js": "eval('1')"]),
        ],
        document: { document, sink in
            for blocked in BlockedCode.find(in: document) {
                sink.report(
                    at: blocked.found.text.sourceRange(of: blocked.directive.range),
                    blocked.message, notes: blocked.notes(document.site),
                    severity: blocked.actions.map(\.severity).max())
            }
        })
}

/// What one directive blocks because it lacks one keyword.
private struct BlockedCode {
    let found: DocumentContext.Policy
    let directive: ContentSecurityPolicy.Directive
    let keyword: String
    var actions: [PageAction]

    static func find(in document: DocumentContext) -> [BlockedCode] {
        var result: [BlockedCode] = []
        for refused in PolicyCheck.refused(in: document) {
            let keyword: String
            switch refused.action.kind {
            case .codeFromString: keyword = "'unsafe-eval'"
            case .webAssembly: keyword = "'wasm-unsafe-eval'"
            case .style: keyword = "'unsafe-inline'"
            case .text: keyword = "text"
            case .trustedPolicy: keyword = "policy"
            default: continue
            }
            if let place = result.firstIndex(where: {
                $0.found.start == refused.found.start && $0.keyword == keyword
                    && $0.directive.range == refused.directive.range
            }) {
                result[place].actions.append(refused.action)
            } else {
                result.append(
                    BlockedCode(
                        found: refused.found, directive: refused.directive, keyword: keyword,
                        actions: [refused.action]))
            }
        }
        return result
    }

    var message: String {
        let more = actions.count - 1
        if keyword == "text" {
            return "\(directive.name) blocks text for '\(actions.first?.name ?? "")'"
                + (more > 0 ? " and \(counted(more, "more place"))" : "")
                + ": since iOS 26 it must be a trusted type"
        }
        if keyword == "policy" {
            return "\(directive.name) does not name the policy '\(actions.first?.name ?? "")'"
        }
        return "\(directive.name) blocks '\(actions.first?.name ?? "")'"
            + (more > 0 ? " and \(counted(more, "more call"))" : "") + ": it lacks \(keyword)"
    }

    /// The first files that do it.
    func notes(_ site: SiteIndex) -> [String] {
        var seen: Set<Int> = []
        return actions.compactMap(\.file).filter { seen.insert($0).inserted }.prefix(3)
            .map { "in '\(printable(site.path($0).bytes))'" }
    }
}
