import PackGround
import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// A preload that is never used.
    static let preloadMismatch = Rule(
        "preload-mismatch", group: .markup, level: .always(.warning), fix: .safe,
        document: { document, sink in
            for reference in document.references where reference.isEffective {
                guard let kind = reference.htmlKind, let element = document.element(of: reference)
                else { continue }
                switch kind {
                case .fontPreload where !document.has("crossorigin", element):
                    sink.report(
                        reference, "fonts are fetched with CORS, this preload is not",
                        fix: Preload.addition(" crossorigin", to: element))
                case .preload where document.keyword("as", of: element)?.isEmpty ?? true:
                    sink.report(reference, "without 'as' the browser ignores the preload")
                case .preload, .fontPreload, .modulePreload, .imagePreload:
                    // imagesrcset-missed reports candidates loaded from the network.
                    guard
                        !(SrcsetSiblings.isSrcset(reference, document)
                            && NotFromPackage.isBypass(reference, document)),
                        let other = Preload.otherURL(of: reference, in: document)
                    else { continue }
                    sink.report(
                        reference, "the page requests this file by another URL",
                        notes: ["elsewhere: \(other)"])
                default: break
                }
            }
        })
}

private enum Preload {
    /// Adds an attribute at the end of a start tag.
    static func addition(_ text: String, to element: HTMLElement) -> Fix? {
        guard let last = element.attributes.last?.range.upperBound else { return nil }
        return Fix(.safe, "add '\(text.dropFirst())'", edits: [ByteEdit(last..<last, text)])
    }

    /// The URL with which the page requests the same file; `nil` if a request matches the preload.
    static func otherURL(of preload: Reference, in document: DocumentContext) -> String? {
        guard let target = preload.resolution.file ?? preload.resolution.twin,
            let url = preload.resolution.url?.serialized(includingFragment: false)
        else { return nil }
        var other: String?
        for reference in document.references where reference.isEffective {
            switch reference.htmlKind {
            case .script, .moduleScript, .styleSheet, .image, .svgImage: break
            default: continue
            }
            guard reference.resolution.file ?? reference.resolution.twin == target,
                let its = reference.resolution.url?.serialized(includingFragment: false)
            else { continue }
            if its == url { return nil }
            other = printable(its)
        }
        return other
    }
}
