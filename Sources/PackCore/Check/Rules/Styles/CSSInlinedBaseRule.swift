import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// CSS moved into a page without adjusting its URLs.
    static let cssInlinedBase = Rule(
        "css-inlined-base", group: .styles, level: .always(.error), fix: .unsafe,
        document: { document, sink in
            // A single cause, because one tool inlined them all.
            for reference in document.references {
                guard reference.cssRole != nil, reference.use == .subresource,
                    let meant = InlinedBase.meant(reference, document)
                else { continue }
                let path = document.site.path(meant)
                sink.report(
                    reference, "relative to its style sheet this was '\(printable(path.bytes))'",
                    notes: document.site.hints(for: reference.resolution),
                    fix: ReferenceAddress.of(path, insteadOf: reference, in: document.site)
                        .flatMap { document.fix(.unsafe, reference, to: $0) }, cause: "inlined")
            }
        })
}

enum InlinedBase {
    /// Whether the page's `base` is the cause: the file exists relative to the page's own URL.
    static func isOfBase(_ reference: Reference, _ document: DocumentContext) -> Bool {
        guard document.html?.base != nil, case .fragmentCSS = reference.holder else { return false }
        let resolution = document.site.resolver.resolve(reference.value, from: document.url)
        return resolution.file != nil
    }

    /// The file that a URL in a page's CSS finds from a directory of style sheets but not from the
    /// page.
    static func meant(_ reference: Reference, _ document: DocumentContext) -> Int? {
        guard case .fragmentCSS = reference.holder, reference.writtenScheme == nil,
            !reference.traits.contains(.late),
            reference.resolution.isMiss, !reference.value.starts(with: "/".utf8),
            LookupModel.isPlainMiss(reference, in: document.site), !isOfBase(reference, document)
        else { return nil }
        let site = document.site
        var seen: Set<[UInt8]> = []
        for file in site.files where file.kind == .css {
            let directory = Array(file.path.directories.last ?? [])
            guard seen.insert(directory).inserted, let base = site.profile.url(of: file.path) else {
                continue
            }
            let resolution = site.resolver.resolve(reference.value, from: base)
            if let found = resolution.file, found == resolution.twin { return found }
        }
        return nil
    }
}
