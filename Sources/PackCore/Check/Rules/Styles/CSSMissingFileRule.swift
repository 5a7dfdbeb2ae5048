import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A subresource of a style sheet that the handler does not find.
    static let cssMissingFile = Rule(
        "css-missing-file", group: .styles, level: .always(.error),
        document: { document, sink in
            for reference in document.references {
                guard reference.cssRole != nil, reference.use == .subresource,
                    reference.traits.contains(.late) && reference.resolution.file != nil
                        || LookupModel.isPlainMiss(reference, in: document.site),
                    InlinedBase.meant(reference, document) == nil
                else { continue }
                sink.report(
                    reference, LookupModel.missMessage(reference, in: document.site),
                    notes: InlinedBase.isOfBase(reference, document)
                        ? ["from the page itself, without its base, the file is found"]
                        : document.site.hints(for: reference.resolution),
                    cause: InlinedBase.isOfBase(reference, document)
                        ? "base"
                        : FontSources.first(of: reference, in: document).resolution.lookedUp.map {
                            "file " + printable($0)
                        })
            }
        })
}

/// The sources of one font; the web view loads the first one with a file.
private enum FontSources {
    /// The first source that the web view requests, which stands for all of them; for another
    /// reference itself.
    static func first(of reference: Reference, in document: DocumentContext) -> Reference {
        guard reference.cssRole == .fontSource, !reference.traits.contains(.unasked),
            let declaration = declaration(of: reference, in: document)
        else { return reference }
        return document.references.first {
            $0.cssRole == .fontSource && !$0.traits.contains(.unasked)
                && self.declaration(of: $0, in: document) == declaration
        } ?? reference
    }

    private static func declaration(
        of reference: Reference, in document: DocumentContext
    ) -> [Int]? {
        switch reference.holder {
        case .css(let index): document.css.map { [$0.references[index].declaration] }
        case .fragmentCSS(let fragment, let index):
            document.styles.first { $0.fragment == fragment }.map {
                [fragment, $0.css.references[index].declaration]
            }
        default: nil
        }
    }
}
