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
                let place = SelectorUse.place(of: reference, in: document)
                sink.report(
                    reference, LookupModel.missMessage(reference, in: document.site),
                    notes: (InlinedBase.isOfBase(reference, document)
                        ? ["from the page itself, without its base, the file is found"]
                        : document.site.hints(for: reference.resolution))
                        + SelectorUse.notes(place),
                    severity: SelectorUse.severity(place, reference),
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

/// Whether an element of the package has the names of a rule's selectors.
private enum SelectorUse {
    static func place(
        of reference: Reference, in document: DocumentContext
    ) -> NamesInUse.Place {
        guard [.image, .mask, .svgResource].contains(reference.cssRole),
            let selectors = selectors(of: reference, in: document)
        else { return .page }
        return document.site.namesInUse.place(of: selectors, in: document.site)
    }

    private static func selectors(
        of reference: Reference, in document: DocumentContext
    ) -> [UInt8]? {
        switch reference.holder {
        case .css(let index):
            guard let range = document.css?.references[index].selectors else { return nil }
            return Array(document.bytes[within: range])
        case .fragmentCSS(let fragment, let index):
            guard let style = document.styles.first(where: { $0.fragment == fragment }),
                let range = style.css.references[index].selectors
            else { return nil }
            return Array(style.text.bytes[within: range])
        default: return nil
        }
    }

    /// The severity, unless it is that of the rule.
    static func severity(_ place: NamesInUse.Place, _ reference: Reference) -> Severity? {
        switch place {
        case .page: return nil
        case .nowhere: return .hint
        case .script:
            // A bundler writes hashed names, and copies the files. Of a library's own style sheet,
            // an app may use a part.
            let name = reference.value.split(separator: UInt8(ascii: "/")).last ?? []
            let isOwn =
                reference.value.first == UInt8(ascii: "/") || reference.writtenScheme != nil
                || ContentHash.isIn(Array(name))
            return isOwn ? nil : .warning
        }
    }

    static func notes(_ place: NamesInUse.Place) -> [String] {
        switch place {
        case .page: []
        case .script: ["no page has an element with the class or id; a script may make one"]
        case .nowhere: ["no page and no script names the class or id of its rule"]
        }
    }
}
