package import PackGround
package import PackProfile
import PackURL
import PackWeb

/// The form of URLs written by a rewrite.
package struct RewriteTarget: Equatable, Sendable {
    /// The form of the app's own URLs after the rewrite.
    package enum Form: String, CaseIterable, Sendable {
        /// `customscheme://host/path`.
        case custom
        /// `//host/path`, which inherits the page's scheme.
        case protocolRelative = "protocol-relative"
    }

    package let profile: Profile
    package let form: Form

    /// - Throws: ``Failure`` if the profile's pages cannot be rewritten.
    package init(profile: Profile, form: Form) throws(Failure) {
        guard !profile.hosts.isEmpty else { throw .rewriteNoHost() }
        switch profile.pageOrigin {
        case .https: throw .rewriteSecurePages()
        case .dual: if form == .custom { throw .rewriteDualCustom() }
        case .custom: break
        }
        self.profile = profile
        self.form = form
    }

    /// The URL to write for a reference; `nil` to keep it.
    ///
    /// Only URLs loaded for the page and links to own pages change, and only if the package
    /// contains the target: other links, forms, metadata and names stay. Third-party URLs without a
    /// scheme get https, their previous scheme.
    func value(for reference: Reference, in document: DocumentContext) -> [UInt8]? {
        guard isRewritten(reference), let url = reference.resolution.url else { return nil }
        if reference.use == .inert { return prefix(reference, url, in: document) }
        if reference.htmlKind == .navigation || reference.htmlKind == .refresh {
            guard OwnLink.target(reference, in: document) != nil else { return nil }
        }
        if reference.isProtocolRelative {
            guard url.scheme == profile.canonicalScheme else { return nil }
            let trimmed = Array(reference.value.drop { $0 <= 0x20 })
            if !profile.ownsHost(url.host) { return Array("https:".utf8) + trimmed }
            return withoutPort(trimmed, url, in: document)
        }
        // Browsers would not load a URL with another port or a password from the package.
        guard case .otherOrigin = reference.resolution.outcome, reference.resolution.twin != nil,
            url.port == nil, !url.hasCredentials
        else { return nil }
        let rest = rest(of: reference.value, url)
        let custom = profile.canonicalScheme + [UInt8(ascii: ":")] + rest
        guard case .file = document.site.resolver.resolve(custom, from: document.url).outcome else {
            return nil
        }
        return form == .custom ? custom : rest
    }

    /// A URL from its `//` on: the parsed host without the default port, and the rest as written.
    ///
    /// Custom URLs are parsed differently: hosts keep capitals and ports, and `\` is not a slash.
    /// An unusually written URL is therefore replaced by its parsed form.
    private func rest(of value: [UInt8], _ url: URLRecord) -> [UInt8] {
        let parsed = Array(url.serialized().drop { $0 != UInt8(ascii: "/") })
        guard let host = url.host, Reference.scheme(of: value) != nil,
            let colon = value.firstIndex(of: UInt8(ascii: ":")),
            !value.contains(where: { $0 == UInt8(ascii: "\\") || $0 < 0x20 }),
            value[(colon + 1)...].starts(with: "//".utf8)
        else { return parsed }
        let written = value[(colon + 3)...]
        guard let slash = written.firstIndex(where: { "/?#".utf8.contains($0) }),
            written[slash] == UInt8(ascii: "/"), slash > written.startIndex
        else { return parsed }
        var tail = written[slash...]
        while tail.last == 0x20 { tail = tail.dropLast() }
        return Array("//".utf8) + host.serialized + tail
    }

    /// `//host:443/path` without the port, which is not the default in a custom-scheme page; `nil`
    /// without a port or a packaged file.
    private func withoutPort(
        _ value: [UInt8], _ url: URLRecord, in document: DocumentContext
    ) -> [UInt8]? {
        guard url.port == 443, !url.hasCredentials else { return nil }
        let secure = Array("https:".utf8) + value
        guard let parsed = URLRecord.parse(secure), parsed.port == nil else { return nil }
        let rest = rest(of: secure, parsed)
        let custom = profile.canonicalScheme + [UInt8(ascii: ":")] + rest
        guard document.site.resolver.resolve(custom, from: document.url).file != nil else {
            return nil
        }
        return rest
    }

    /// The profile's hosts that occur in a document's URLs.
    func hosts(in document: DocumentContext) -> Set<String> {
        var found: Set<String> = []
        for reference in document.references
        where reference.writtenScheme != nil || reference.isProtocolRelative {
            guard let host = reference.resolution.url?.host else { continue }
            found.insert(String(decoding: host.inLowerCase, as: UTF8.self))
        }
        return found.filter { profile.hosts.contains($0) }
    }

    /// The new key or prefix of an import map.
    ///
    /// Keys are not loaded but compared with rewritten URLs, so they must also change if the
    /// package has their files.
    private func prefix(
        _ reference: Reference, _ url: URLRecord, in document: DocumentContext
    ) -> [UInt8]? {
        guard url.isSpecial, reference.writtenScheme != nil, profile.ownsHost(url.host),
            url.port == nil, !url.hasCredentials
        else { return nil }
        let rest = url.serialized().drop { $0 != UInt8(ascii: ":") }
        let custom = profile.canonicalScheme + rest
        let isPackaged =
            url.path.last == UInt8(ascii: "/")
            ? document.hasFiles(below: url.path)
            : document.site.resolver.resolve(custom, from: document.url).file != nil
        guard isPackaged else { return nil }
        return form == .custom ? custom : Array(rest.dropFirst())
    }

    private func isRewritten(_ reference: Reference) -> Bool {
        if reference.kind == .data(.importMapKey) || reference.kind == .data(.importMap) {
            return true
        }
        guard
            reference.use.isFetched || reference.htmlKind == .navigation
                || reference.htmlKind == .refresh
        else { return false }
        switch reference.kind {
        case .html(let kind): return kind != .manifest && kind != .applicationCache
        case .css: return true
        case .data(let kind): return kind == .importMap || kind == .xmlStyleSheet
        case .script(let kind):
            switch kind {
            case .staticImport, .dynamicImport, .importScripts, .worker, .moduleURL,
                .workerModuleURL:
                return true
            default: return false
            }
        }
    }
}

extension DocumentContext {
    /// The maximum size of a rewritten file in bytes: a base of 1 KiB, repeated in many short URLs,
    /// would make it a hundred times as large.
    private static func sizeLimit(_ size: Int) -> Int {
        min(SiteSource.documentLimit, 16 * size + 1 << 20)
    }

    /// The edits that replace every reference by its new URL.
    ///
    /// - Throws: ``Failure/rewriteGrowsTooMuch(path:size:limit:)``.
    func edits(for target: RewriteTarget) throws(Failure) -> [ByteEdit] {
        let limit = Self.sizeLimit(bytes.count)
        var room = limit - bytes.count
        var result: [ByteEdit] = []
        var page: [HTMLEdit] = []
        for reference in references {
            guard let value = target.value(for: reference, in: self), value != reference.value
            else { continue }
            room -= value.count - reference.range.count
            guard room >= 0 else {
                throw .rewriteGrowsTooMuch(
                    path: path.description, size: bytes.count, limit: limit)
            }
            switch reference.holder {
            case .attribute(let number):
                if let html { page.append(HTMLEdit(html.references[number], value: value)) }
            case .fragmentCSS(let number, _):
                if let attribute = html?.fragments[number].attribute, let css = css(of: reference) {
                    page.append(
                        HTMLEdit(attribute, css.range, value: css.encoding(value)))
                } else {
                    result += edits(reference, to: value) ?? []
                }
            case .css, .literal: result += edits(reference, to: value) ?? []
            case .nested: break
            }
        }
        return result + (page.isEmpty ? [] : edits(page) ?? [])
    }
}
