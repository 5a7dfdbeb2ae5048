import PackWeb

extension Rule {
    /// A server request with a relative URL.
    static let jsRelativeAjax = Rule(
        "js-relative-ajax", "a request without a host goes to the handler, not to the server",
        group: .script,
        level: .customPages(.error),
        explanation: .init(
            what: """
                Finds fetch, XMLHttpRequest, jQuery, axios and EventSource with a relative URL for \
                which the package has no file, also in `new Request(…)`, in an instance of \
                axios with a base, and in `this.http.get(…)` of Angular.
                """,
            why: """
                In a custom-scheme page `/api/user` means `customscheme://…/api/user`: the handler \
                looks for a file, and its fallback request has neither the method nor the body nor \
                the headers of the original.
                """,
            sources: [
                .cite(.s004, "requests have to use http or https"),
                .cite(.s003, "startURLSchemeTask"), .issue(.capacitor, 1143),
                .proof("js-relative-ajax"),
            ],
            instead: """
                Write the absolute https URL, and have the server send Access-Control-Allow-Origin \
                for the page's web origin.
                """,
            detection: """
                The first argument is resolved against the page. A GET of a packaged file is fine, \
                and so is a prefix under which files are packaged. Requests to one service \
                (`/api/…`) are one finding; `check.api` names the paths that the app's handler \
                forwards. Literals, two literals that are added, and constants that are one \
                literal are checked; values in other variables are not known. Requests by other \
                names are not seen: a minifier renames `ky`, `useSWR`, `HttpLink` and the team's own \
                functions, so nothing tells their paths from routes. `http` as the name of a member \
                (`this.http.get`, `$http.get`) is a warning, since an interceptor may add the server. In a condition on \
                the page's protocol it is a hint, and so is a word without `/`, `.` and `?` in \
                `$.get`.
                """),
        examples: [
            .bad("app.js", "fetch(\"↓/api/u\")"),
            .bad("app.js", "x.open(\"POST\", \"↓api/login\")"),
            .bad("app.js", "fetch(`↓/api/${id}`); a.create({baseURL: \"↓/api\"})"),
            .good(
                "app.js",
                "fetch(\"https://api.example.com/u\"); fetch(\"/i18n/zh.json\"); fetch(`/i18n/${l}.json`)",
                others: ["i18n/zh.json": "{}"]),
            .good(
                "js/app.js", "fetch(\"data.json\")", "counts from the page, not from the script",
                others: [
                    "index.html": "<script src=js/app.js></script>", "data.json": "{}",
                ], profile: .pathStrict),
            .bad(
                "js/app.js", "fetch(\"↓data.json\")", "the second page has no such file beside it",
                others: [
                    "index.html": "<script src=js/app.js></script>", "data.json": "{}",
                    "sub/page.html": "<script src=../js/app.js></script>",
                ], profile: .pathStrict),
            .bad(
                "js/app.js", "fetch(\"↓data.json\")", "a worker's requests count from the worker",
                others: [
                    "index.html": "<script>new Worker(\"js/app.js\")</script>", "data.json": "{}",
                ], profile: .pathStrict),
            .bad(
                "app.js",
                "$.get(\"↓/a/a\"); jQuery.post('↓/b/b', c); $.getJSON(\"↓/d/d\"); $.ajax(\"↓/e/e\")"
            ),
            .bad("app.js", "$.get(\"↓title\")", "a hint: perhaps the member of a map"),
            .bad("app.js", "$(\"#x\").load(\"↓part.html #a\"); fetch(new Request(\"↓/api/u\"))"),
            .bad(
                "app.js",
                "const base = \"/api\", more = \"/srv\"; fetch(base + \"↓/users\"); fetch(`${more}↓/a`)"
            ),
            .bad(
                "app.js",
                "const api = axios.create({baseURL: \"/data\"}); api.get(\"↓/gone.json\")",
                others: ["data/a.json": "{}"]),
            .bad(
                "app.js",
                "this.http.get(\"↓/api/products\");this.httpClient.post(\"↓/b/c/\" + id, d)",
                "Angular: a warning"),
            .good(
                "app.js",
                "this.http.get(\"assets/config.json\");o.http.get(\"Content-Type\");http.get(\"/api/:id\",f);r.http.get(\"/api/:id\",f)",
                others: ["assets/config.json": "{}"]),
            .bad("app.js", "const base = \"/api/v2\"; get = u => fetch(↓base + u)"),
            .bad("app.js", "const base = \"/api/v2\"; get = u => fetch(`${↓base}/${u}`)"),
            .bad("app.js", "const base = location.origin + \"/api\"; fetch(base + \"↓/me\")"),
            .bad("app.js", "fetch(window.location.origin + \"↓/api/me\")"),
            .bad("app.js", "fetch(\"↓/da\" + \"ta/gone.json\")", others: ["data/a.json": ""]),
            .good(
                "app.js",
                "const base=\"/data\";fetch(base+\"/a.json\");m.get(\"/api\");$(\"a\").load(f);x.load(\"a.glb\");x=$([f],i).get(\"valueFormatter\")",
                others: ["data/a.json": "{}"]),
            .good(
                "app.js", "const base = \"/data/\"; fetch(base + u); fetch(o.origin + \"/api\")",
                others: ["data/a.json": "{}"]),
            .bad(
                "app.js",
                "function f(){const fetch=(u,o)=>window.fetch(u,o);fetch(\"↓/a/b\")} function g(){let fetch=n=>c.get(n)} fetch(\"↓/c/d\")"
            ),
            .bad(
                "app.js",
                "function fetch(u){x=new XMLHttpRequest;x.open(\"GET\",u);x.send()} fetch(\"↓/a/b\")",
                "for browsers without fetch"),
            .good(
                "app.js",
                "function f(){const fetch=async n=>(await c.fetch(n)).text;return fetch(\"gone.json\")}",
                "another function of that name"),
            .good(
                "app.js",
                "function f(){a=fetch(\"title\",x);function g(){return fetch(\"link\",x)}function fetch(n,w){return d(n,w)}}",
                "the same, declared after its calls"),
            .good(
                "app.js", "var w=\"/gone.json\";w=l(w,q);fetch(w)", "the name gets another value"),
            .bad(
                "app.js", "var w=\"gone.wasm\";h(w)||(w=l(w));fetch(↓w)", "the module of Emscripten"
            ),
            .good(
                "app.js", "m.locateFile=u;var w=\"gone.wasm\";h(w)||(w=l(w));fetch(w)",
                "a function says where the module is"),
            .good(
                "app.js",
                "d={loadPath:\"/locales/{{lng}}/{{ns}}.json\",addPath:\"/locales/add/{{lng}}/{{ns}}\"};i({loadPath:u})",
                "a library's default, and where the translations are"),
            .good(
                "app.js", "fetch(\"./api/u\");fetch(\"api/u\")",
                "the app's handler forwards what they resolve to",
                options: CheckOptions(api: ["/api/"])),
            .good("app.js", "fetch(u); fetch(\"data:,x\"); route(\"/api/u\")"),
            .good(
                "app.js", "fetch(\"{{ api }}/u\")",
                "a placeholder of a server template is its own finding"),
            .good("app.js", "a = {baseURL: \"undefined\" == typeof document ? \"\" : u}"),
        ],
        document: { document, sink in
            let kinds: Set<JavaScriptReference.Kind> = [
                .fetch, .request, .ajax, .ajaxBase, .eventSource,
            ]
            // The base of an instance is one finding, not one for each request.
            var bases: [[UInt8]] = []
            for reference in document.references {
                guard case .script(let kind) = reference.kind, kinds.contains(kind),
                    reference.mayMiss, !reference.isProtocolRelative,
                    reference.writtenScheme == nil, reference.value != Array("/".utf8),
                    !RelativeRequest.isForwarded(reference, document.site.options),
                    kind != .ajaxBase || !document.hasFiles(below: reference.value),
                    RootCheck.found(reference, in: document.site) == nil,
                    !Placeholder.isReported(reference, in: document.site)
                else { continue }
                if bases.contains(where: { reference.value.starts(with: $0) }) { continue }
                if kind == .ajaxBase { bases.append(reference.value) }
                sink.report(
                    reference, RelativeRequest.message(reference.text),
                    notes: document.site.hints(for: reference.resolution),
                    severity: reference.traits.contains(.guarded) ? .hint : nil,
                    cause: RelativeRequest.cause(reference.value, isPrefix: false, document.site),
                    setting: RelativeRequest.proposal(reference, document.site))
            }
            for fact in document.facts(.fetch, .request, .ajax, .ajaxBase, .eventSource)
            where fact.fact.extent == .prefix && !fact.isAbsolute {
                guard fact.fact.value.contains(UInt8(ascii: "/")), fact.fact.value.count > 2,
                    !document.hasFiles(below: fact.fact.value),
                    !RelativeRequest.isForwarded(fact.fact.value, document.site.options)
                else { continue }
                sink.report(
                    at: fact.range, RelativeRequest.message(fact.text),
                    severity: fact.isHarmless ? .hint : fact.fact.isTried ? .warning : nil,
                    cause: RelativeRequest.cause(fact.fact.value, isPrefix: true, document.site),
                    setting: RelativeRequest.proposal(
                        fact.fact.value, isPrefix: true, document.site))
            }
        })
}

enum RelativeRequest {
    static func message(_ text: String) -> String {
        "'\(text)' is requested from the handler, which has no such file"
    }

    /// Whether the app's handler forwards the request (`check.api`).
    static func isForwarded(_ value: [UInt8], _ options: CheckOptions) -> Bool {
        options.api.contains { value.starts(with: $0.utf8) }
    }

    /// Whether the handler forwards the request as it is written, or the address that it resolves to.
    static func isForwarded(_ reference: Reference, _ options: CheckOptions) -> Bool {
        isForwarded(reference.value, options)
            || reference.resolution.url.map { isForwarded($0.path, options) } ?? false
    }

    /// The setting for a request of known address: `api/init` is `/api/` of a page at the top.
    ///
    /// None for a relative path that names a file, which is more likely missing.
    static func proposal(_ reference: Reference, _ site: SiteIndex) -> SettingProposal? {
        let value = reference.value
        if value.first == UInt8(ascii: "/") { return proposal(value, isPrefix: false, site) }
        let path = value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard let name = path.split(separator: UInt8(ascii: "/")).last,
            !name.contains(UInt8(ascii: ".")),
            !RootCheck.isBelowOtherRoot(value, isPrefix: false, in: site)
        else { return nil }
        return reference.resolution.url.flatMap { proposal($0.path, isPrefix: false, site) }
    }

    /// The first directory of a root-relative path: all requests to one service are one finding.
    static func service(_ value: [UInt8]) -> String? {
        guard value.first == UInt8(ascii: "/") else { return nil }
        let path = value.dropFirst()
        guard let end = path.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        return String(decoding: path[..<end], as: UTF8.self)
    }

    /// What requests have in common: the service, or a root that the package does not have.
    static func cause(_ value: [UInt8], isPrefix: Bool, _ site: SiteIndex) -> String? {
        guard RootCheck.isBelowOtherRoot(value, isPrefix: isPrefix, in: site) else {
            return service(value)
        }
        return service(value).map { "root \($0)" }
    }

    /// The setting by which the app's handler forwards all requests to the service.
    ///
    /// A path of one component is an element of its own, unless it is a file's.
    ///
    /// None where the package has the file under another root: it is no service's.
    static func proposal(
        _ value: [UInt8], isPrefix: Bool, _ site: SiteIndex
    ) -> SettingProposal? {
        guard !RootCheck.isBelowOtherRoot(value, isPrefix: isPrefix, in: site) else { return nil }
        if let service = service(value) {
            return SettingProposal("check.api", adding: ["/\(service)/"])
        }
        let path = value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard path.first == UInt8(ascii: "/"), path.count > 1, !path.contains(UInt8(ascii: "."))
        else { return nil }
        return SettingProposal("check.api", adding: [String(decoding: path, as: UTF8.self)])
    }
}
