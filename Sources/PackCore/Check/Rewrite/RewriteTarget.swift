import PackWeb

/// What a rewrite writes in place of URLs.
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

    /// - Throws: ``RewriteError`` if the profile's pages cannot be rewritten.
    package init(profile: Profile, form: Form) throws(RewriteError) {
        guard !profile.hosts.isEmpty else { throw .noHost }
        switch profile.pageOrigin {
        case .https: throw .securePages
        case .dual: if form == .custom { throw .dualNeedsProtocolRelative }
        case .custom: break
        }
        self.profile = profile
        self.form = form
    }

    /// The URL to write for a reference; `nil` if it stays.
    ///
    /// Only URLs that a browser loads for the page change, and only if the package answers the new
    /// URL: links, forms, metadata and names stay.
    /// Third-party URLs without a scheme get https, which they had before.
    func value(for reference: Reference, in document: DocumentContext) -> [UInt8]? {
        guard isRewritten(reference), let url = reference.resolution.url else { return nil }
        if reference.use == .inert { return prefix(reference, url, in: document) }
        let trimmed = Array(reference.value.drop { $0 <= 0x20 })
        if reference.isProtocolRelative {
            let isForeign =
                url.scheme == profile.canonicalScheme && !profile.ownsHost(url.host)
            return isForeign ? Array("https:".utf8) + trimmed : nil
        }
        guard case .otherOrigin = reference.resolution.outcome, reference.resolution.twin != nil
        else { return nil }
        let written = Reference.scheme(of: trimmed)
        let source = written == nil ? url.serialized() : trimmed
        guard let colon = source.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let rest = source[(colon + 1)...]
        guard rest.starts(with: "//".utf8) else { return nil }
        let custom = profile.canonicalScheme + [UInt8(ascii: ":")] + rest
        guard case .file = document.site.resolver.resolve(custom, from: document.url).outcome else {
            return nil
        }
        return form == .custom ? custom : Array(rest)
    }

    /// The keys and prefixes of an import map: nothing loads them, but they are compared with URLs
    /// that are rewritten, so they must change too if the package has the files that they name.
    private func prefix(
        _ reference: Reference, _ url: URLRecord, in document: DocumentContext
    ) -> [UInt8]? {
        guard url.isSpecial, reference.writtenScheme != nil, profile.ownsHost(url.host) else {
            return nil
        }
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
        guard reference.use.isFetched else { return false }
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
    /// The edits that make every reference spell its new URL.
    func edits(for target: RewriteTarget) -> [ByteEdit] {
        var result: [ByteEdit] = []
        var page: [HTMLEdit] = []
        for reference in references {
            guard let value = target.value(for: reference, in: self), value != reference.value
            else { continue }
            switch reference.holder {
            case .attribute(let number):
                if let html { page.append(HTMLEdit(html.references[number], value: value)) }
            case .fragmentCSS(let number, let css):
                if let attribute = html?.fragments[number].attribute {
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
