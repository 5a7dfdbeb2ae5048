import PackGround
import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// A link that opens the start page although the intended page is packaged.
    static let startPageShown = Rule(
        "start-page-shown", group: .markup, level: StartPage.level(.warning),
        document: { document, sink in
            for reference in document.references
            where reference.use.opensPage && reference.isEffective {
                guard reference.resolution.isStartPage,
                    let meant = StartPage.meant(reference.resolution, in: document.site)
                else { continue }
                sink.report(
                    reference,
                    "'\(reference.text)' opens the start page, not the page of that name",
                    notes: ["the package has '\(printable(document.site.path(meant).bytes))'"],
                    cause: "start page")
            }
        })

    /// A start page that breaks when opened under its routes.
    static let startPageRelative = Rule(
        "start-page-relative", group: .markup, level: StartPage.level(.warning),
        document: { document, sink in
            guard document.kind == .html, document.baseURL == document.url,
                document.path.bytes.elementsEqual(document.profile.startPage.utf8),
                let code = document.references.first(where: { StartPage.isRelativeCode($0) })
            else { return }
            for reference in document.references
            where reference.use == .navigation && reference.htmlKind != nil {
                guard reference.resolution.isStartPage, let url = reference.resolution.url,
                    document.profile.packagePath(of: url)?.contains(UInt8(ascii: "/")) == true
                else { continue }
                sink.report(
                    reference,
                    "opened as '\(reference.text)', the start page does not find '\(code.text)'",
                    cause: "start page")
            }
        })
}

extension Rule {
    /// Routes defined by another page than the start page.
    static let startPageOther = Rule(
        "start-page-other", group: .markup,
        level: .init("warning if the start page is not the launch page (capacitor)") {
            $0.client.indexFile == .startPage && $0.startPage != $0.launch ? .warning : nil
        },
        document: { document, sink in
            guard document.path.bytes.elementsEqual(document.profile.launch.utf8) else { return }
            for reference in document.references
            where reference.use.opensPage && reference.isEffective {
                guard reference.resolution.isStartPage,
                    StartPage.meant(reference.resolution, in: document.site) == nil
                else { continue }
                sink.report(
                    reference,
                    "'\(reference.text)' opens '\(document.profile.startPage)', not this page",
                    cause: "start page")
            }
        })
}

private enum StartPage {
    /// Applies only if the handler has a start page.
    static func level(_ severity: Severity) -> Rule.Level {
        .init("\(severity.rawValue) if a start page answers (capacitor, cordova)") {
            $0.client.indexFile == .startPage ? severity : nil
        }
    }

    /// The page whose path lacks its extension.
    static func meant(_ resolution: Resolution, in site: SiteIndex) -> Int? {
        guard
            var path = resolution.url.flatMap({ site.profile.packagePath(of: $0) }).map(Array.init)
        else { return nil }
        path = PercentEncoding.decode(path)
        while path.last == UInt8(ascii: "/") { path.removeLast() }
        guard !path.isEmpty else { return nil }
        let page = ["", ".html", ".htm", "/index.html"].lazy.compactMap {
            site.listing.index(of: path + Array($0.utf8))
        }.first
        return page == resolution.file ? nil : page
    }

    /// Whether a script or style sheet is relative to the page's directory.
    static func isRelativeCode(_ reference: Reference) -> Bool {
        switch reference.htmlKind {
        case .script, .moduleScript, .styleSheet: break
        default: return false
        }
        return reference.resolution.file != nil && reference.writtenScheme == nil
            && reference.value.first(where: { $0 > 0x20 }) != UInt8(ascii: "/")
    }
}
