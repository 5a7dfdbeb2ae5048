import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A packaged file loaded from the network.
    static let notFromPackage = Rule(
        "not-from-package", group: .lookup,
        level: .init("warning if hosts are configured") { $0.hosts.isEmpty ? nil : .warning },
        fix: .safe,
        document: { document, sink in
            let packaged = SrcsetSiblings.packaged(in: document)
            for reference in document.references where reference.htmlKind != nil {
                guard NotFromPackage.isBypass(reference, document),
                    !SrcsetSiblings.isMixed(reference, document, packaged),
                    reference.htmlKind != .imagePreload
                        || !SrcsetSiblings.isSrcset(reference, document)
                else { continue }
                NotFromPackage.report(reference, document, &sink)
            }
        })
}

enum NotFromPackage {
    /// Whether a packaged subresource is loaded from the network.
    static func isBypass(_ reference: Reference, _ document: DocumentContext) -> Bool {
        reference.use.isFetched && reference.isEffective
            && reference.resolution.outcome == .otherOrigin && reference.resolution.twin != nil
            && reference.fault == nil
    }

    static func report(
        _ reference: Reference, _ document: DocumentContext, _ sink: inout FindingSink,
        _ message: String = "this file is in the package, but the page loads it from the network"
    ) {
        sink.report(
            reference, message,
            notes: (reference.resolution.twin.map {
                ["the package has it as '\(printable(document.site.path($0).bytes))'"]
            } ?? [])
                + (document.profile.pageOrigin == .https
                    ? [
                        """
                        in a page that is loaded over https no other URL helps: load the pages over \
                        the custom scheme ('page-origin: custom')
                        """
                    ] : []),
            fix: fix(reference, document))
    }

    /// A fix that loads the file from the package; `nil` if WebKit would block it as mixed content,
    /// or if browsers also get the page and no URL is correct for both.
    private static func fix(_ reference: Reference, _ document: DocumentContext) -> Fix? {
        guard let url = reference.resolution.url,
            let custom = ReferenceAddress.custom(of: url, in: document.profile)
        else { return nil }
        switch document.profile.pageOrigin {
        case .custom: return document.safeFix(reference, to: custom)
        case .https: return nil
        case .dual:
            // A root-relative path inherits the page's scheme in both cases.
            let path = String(custom.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
            guard document.resolve(Array(path.utf8)).file == reference.resolution.twin else {
                return nil
            }
            return document.fix(.unsafe, reference, to: path)
        }
    }
}

/// The candidates of one `srcset`.
enum SrcsetSiblings {
    static func isSrcset(_ reference: Reference, _ document: DocumentContext) -> Bool {
        guard case .attribute(let number) = reference.holder, let html = document.html else {
            return false
        }
        return html.references[number].syntax == .srcset
    }

    /// The offsets of `srcset` attributes with a candidate from the package.
    static func packaged(in document: DocumentContext) -> Set<Int> {
        guard let html = document.html else { return [] }
        var found: Set<Int> = []
        for reference in document.references where reference.resolution.file != nil {
            guard case .attribute(let number) = reference.holder else { continue }
            found.insert(html.references[number].attribute.range.lowerBound)
        }
        return found
    }

    /// Whether another candidate of the same attribute comes from the package.
    ///
    /// - Parameter packaged: The result of ``packaged(in:)`` for the document.
    static func isMixed(
        _ reference: Reference, _ document: DocumentContext, _ packaged: Set<Int>
    ) -> Bool {
        guard case .attribute(let number) = reference.holder, let html = document.html,
            html.references[number].syntax == .srcset
        else { return false }
        return packaged.contains(html.references[number].attribute.range.lowerBound)
    }
}
