import PackGround
import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// A page that depends on another host.
    static let externalSubresource = Rule(
        "external-subresource", group: .origin, level: .always(.warning),
        document: { document, sink in
            let head = ExternalFiles.headEnd(of: document)
            for reference in document.references
            where reference.isEffective && reference.use.isFetched && !reference.isRarelyMissed {
                guard reference.resolution.outcome == .otherOrigin,
                    reference.resolution.twin == nil, let url = reference.resolution.url,
                    reference.htmlKind != .frame, let host = url.host,
                    url.scheme.elementsEqual("https".utf8)
                        || document.profile.isIntercepted && host.isLocal && url.port != nil,
                    !document.site.options.expects(url),
                    reference.fault == nil
                else { continue }
                let name = String(decoding: host.serialized, as: UTF8.self)
                if ExternalFiles.isOfUnknownHost(reference, host, document) {
                    sink.report(
                        reference,
                        "the page loads its own files over https, and no setting names its host",
                        notes: [
                            """
                            set 'host' to the host that the pages are loaded from \
                            (--host www.example.com), so that packaged files are recognized
                            """
                        ], cause: "no host")
                } else if document.profile.ownsWebHost(host) {
                    guard document.profile.client.fallback == .none else { continue }
                    sink.report(
                        reference, "'\(reference.text)' is an own file that is not packaged",
                        severity: .error)
                } else {
                    let isOfFonts = ExternalFiles.bringsFonts(reference)
                    sink.report(
                        reference,
                        isOfFonts
                            ? """
                            fonts of '\(name)' are missing offline: text is shown in the fallback \
                            font, icons not at all
                            """
                            : "the page needs '\(name)', which is not there offline",
                        severity: ExternalFiles.severity(reference, document, head),
                        cause: isOfFonts ? "fonts of \(name)" : name,
                        // A development server's host is never intended.
                        setting: host.isLocal
                            ? nil : SettingProposal("check.external", adding: [name]))
                }
            }
        })
}

private enum ExternalFiles {
    /// Whether the URL is relative to an https page whose host is not configured.
    static func isOfUnknownHost(
        _ reference: Reference, _ host: URLHost, _ document: DocumentContext
    ) -> Bool {
        document.profile.pageOrigin == .https && document.profile.hosts.isEmpty
            && reference.writtenScheme == nil && !reference.isProtocolRelative
            && host.serialized.elementsEqual(Profile.unknownHost.utf8)
    }

    /// The offset of a page's body; the end of a page without one.
    static func headEnd(of document: DocumentContext) -> Int {
        guard document.kind == .html else { return 0 }
        let bytes = document.bytes
        for index in bytes.indices where bytes[index] == UInt8(ascii: "<") {
            let name = bytes[(index + 1)...].prefix(5)
            if name.count == 5, AssetPath.lowercasedASCII(Array(name)).starts(with: "body".utf8),
                let last = name.last, last <= 0x20 || last == UInt8(ascii: ">")
            {
                return index
            }
        }
        return bytes.count
    }

    /// Whether the next script of the page inserts a packaged replacement: `window.jQuery ||
    /// document.write(…)`.
    static func hasFallback(_ reference: Reference, _ document: DocumentContext) -> Bool {
        guard let html = document.html else { return false }
        let next = document.scripts.indices.first {
            guard let number = document.scripts[$0].fragment else { return false }
            let fragment = html.fragments[number]
            return fragment.range.lowerBound > reference.range.upperBound
                && !document.has("src", html.elements[fragment.element])
        }
        guard let next, let number = document.scripts[next].fragment,
            html.fragments[number].range.lowerBound < reference.range.upperBound + 200
        else { return false }
        let range = html.fragments[number].range
        let writes = document.scriptReferences[next].references.contains {
            $0.kind == .documentWrite && $0.isGuarded
        }
        return writes
            && document.references.contains {
                range.contains($0.range.lowerBound) && $0.kind == .script(.asset)
                    && $0.resolution.file != nil
            }
    }

    /// The severity for an element with an `error` handler; `nil` without one.
    ///
    /// It is a hint if the handler loads a packaged file.
    static func errorHandler(of element: HTMLElement, _ document: DocumentContext) -> Severity? {
        guard document.has("onerror", element) else { return nil }
        let isPackaged = document.references.contains {
            guard case .script = $0.kind else { return false }
            return element.tag.contains($0.range.lowerBound) && $0.resolution.file != nil
        }
        return isPackaged ? .hint : .warning
    }

    /// Whether a file is a font, or a style sheet that only brings fonts or icons.
    static func bringsFonts(_ reference: Reference) -> Bool {
        switch reference.kind {
        case .css(.fontSource), .html(.fontPreload): true
        case .html(.styleSheet), .css(.importedSheet): isOfFonts(reference)
        default: false
        }
    }

    /// Whether a style sheet only brings fonts or icons, by its address.
    private static func isOfFonts(_ reference: Reference) -> Bool {
        guard let url = reference.resolution.url, let host = url.host else { return false }
        if fontHosts.contains(String(decoding: host.inLowerCase, as: UTF8.self)) { return true }
        let words = (host.inLowerCase + url.path).split {
            !(0x30...0x39).contains($0) && !(0x61...0x7A).contains($0 | 0x20)
        }.map { String(decoding: $0, as: UTF8.self).lowercased() }
        return words.contains {
            $0.hasPrefix("font") || $0.hasSuffix("font") || $0.hasSuffix("fonts")
                || $0.hasSuffix("icons") || iconWords.contains($0)
        }
    }

    /// Words of addresses of icon fonts; other words may also end with `icon`.
    private static let iconWords: Set<String> = ["devicon", "icon", "remixicon"]

    /// Hosts that only serve fonts, without the word in their addresses.
    private static let fontHosts: Set<String> = [
        "cloud.typography.com", "cloud.webtype.com", "fast.typography.com", "i.icomoon.io",
        "p.typekit.net", "rsms.me", "use.typekit.net",
    ]

    /// The severity, by the effect of the missing file on the page.
    static func severity(
        _ reference: Reference, _ document: DocumentContext, _ head: Int
    ) -> Severity {
        if reference.traits.contains(.inTemplate) { return .hint }
        switch reference.kind {
        case .html(.script), .html(.styleSheet):
            guard let element = document.element(of: reference) else { return .warning }
            let isLate =
                document.has("async", element) || document.has("defer", element)
                || document.has("disabled", element)
                || document.keyword("media", of: element) == "print"
            if reference.kind == .html(.script), hasFallback(reference, document) { return .hint }
            if let rescue = errorHandler(of: element, document) { return rescue }
            // Without its fonts and icons, a page shows others.
            if reference.kind == .html(.styleSheet), isOfFonts(reference) { return .warning }
            return !isLate && reference.range.lowerBound < head ? .error : .warning
        case .html(.moduleScript), .html(.fontPreload), .html(.modulePreload),
            .css(.importedSheet), .css(.fontSource), .script, .data(.importMap):
            // A file loaded later by a script may be optional.
            return reference.kind == .script(.asset) ? .hint : .warning
        default: return .hint
        }
    }
}
