import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// A server request with a relative URL.
    static let jsRelativeAjax = Rule(
        "js-relative-ajax", group: .script, level: .boundPages(.error),
        document: { document, sink in
            let kinds: Set<JavaScriptReference.Kind> = [
                .fetch, .request, .ajax, .ajaxBase, .eventSource,
            ]
            // The base of an instance is reported once, not for each request.
            var bases: [[UInt8]] = []
            for reference in document.references {
                guard case .script(let kind) = reference.kind, kinds.contains(kind),
                    reference.mayMiss, !reference.isProtocolRelative,
                    reference.writtenScheme == nil, reference.value != Array("/".utf8),
                    !RelativeRequest.isForwarded(reference, document.site.options),
                    kind != .ajaxBase || !document.hasFiles(below: reference.value),
                    RootCheck.found(reference, in: document.site) == nil,
                    !Placeholder.isReported(reference)
                else { continue }
                if bases.contains(where: { reference.value.starts(with: $0) }) { continue }
                if kind == .ajaxBase { bases.append(reference.value) }
                sink.report(
                    reference, RelativeRequest.message(reference.text),
                    notes: document.site.hints(for: reference.resolution),
                    severity: reference.traits.contains(.guarded)
                        ? .hint : document.severityOnline(reference.value),
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
                    severity: fact.isHarmless
                        ? .hint
                        : document.severityOnline(fact.fact.value)
                            ?? (fact.fact.isTried ? .warning : nil),
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

    /// Whether the handler forwards the request as written, or as resolved.
    static func isForwarded(_ reference: Reference, _ options: CheckOptions) -> Bool {
        isForwarded(reference.value, options)
            || reference.resolution.url.map { isForwarded($0.path, options) } ?? false
    }

    /// The setting for a request with a known path: `/api/` for `api/init` in a top-level page.
    ///
    /// `nil` for a relative path to a file, which is more likely missing.
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

    /// The first directory of a root-relative path.
    static func service(_ value: [UInt8]) -> String? {
        guard value.first == UInt8(ascii: "/") else { return nil }
        let path = value.dropFirst()
        guard let end = path.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        return String(decoding: path[..<end], as: UTF8.self)
    }

    /// The cause shared by requests, which are one finding: the service, or a wrong root.
    ///
    /// The service of `/api/users`, `api/4/help` and `./api/x` is their first directory. A name
    /// alone, as `/login`, is one of the server itself. A relative path to a file has no service.
    static func cause(_ value: [UInt8], isPrefix: Bool, _ site: SiteIndex) -> String? {
        if RootCheck.isBelowOtherRoot(value, isPrefix: isPrefix, in: site) {
            return service(value).map { "root \($0)" }
        }
        if let service = service(value) { return service }
        let slash = UInt8(ascii: "/")
        var path = value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        while path.starts(with: "./".utf8) { path = path.dropFirst(2) }
        let isRoot = path.first == slash
        if isRoot { path = path.dropFirst() }
        let parts = path.split(separator: slash, omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, !first.isEmpty,
            isPrefix || !last.contains(UInt8(ascii: ".")), !first.contains(UInt8(ascii: "."))
        else { return nil }
        if parts.count > 1 { return String(decoding: first, as: UTF8.self) }
        return isPrefix ? nil : "names of the server"
    }

    /// The setting that makes the app's handler forward all requests to the service.
    ///
    /// For a path with a single component this is the path itself. `nil` if the path contains a
    /// dot, or if the package has the file under another root: then it is not a service.
    static func proposal(
        _ value: [UInt8], isPrefix: Bool, _ site: SiteIndex
    ) -> SettingProposal? {
        guard !RootCheck.isBelowOtherRoot(value, isPrefix: isPrefix, in: site) else { return nil }
        // The whole root is not a service.
        let isBelow = value.starts(with: site.profile.root.utf8)
        let root = isBelow ? site.profile.root : "/"
        if let service = service(Array(value.dropFirst(root.utf8.count - 1))) {
            return SettingProposal("check.api", adding: ["\(root)\(service)/"])
        }
        let path = value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard path.first == UInt8(ascii: "/"), path.count > 1, !path.contains(UInt8(ascii: "."))
        else { return nil }
        return SettingProposal("check.api", adding: [String(decoding: path, as: UTF8.self)])
    }
}
