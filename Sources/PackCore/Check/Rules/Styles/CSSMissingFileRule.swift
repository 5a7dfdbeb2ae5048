import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A subresource of a style sheet that the handler does not find.
    static let cssMissingFile = Rule(
        "css-missing-file", group: .styles, level: .always(.error),
        document: { document, sink in
            for reference in document.references {
                guard let role = reference.cssRole, reference.use == .subresource,
                    LookupModel.isPlainMiss(reference, in: document.site),
                    InlinedBase.meant(reference, document) == nil
                else { continue }
                sink.report(
                    reference, LookupModel.missMessage(reference, in: document.site),
                    notes: InlinedBase.isOfBase(reference, document)
                        ? ["from the page itself, without its base, the file is found"]
                        : document.site.hints(for: reference.resolution),
                    severity: role == .customProperty ? .warning : nil,
                    cause: InlinedBase.isOfBase(reference, document)
                        ? "base" : reference.resolution.lookedUp.map { "file " + printable($0) })
            }
        })
}
