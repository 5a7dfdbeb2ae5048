import PackGround
import PackProfile
import PackWeb

/// Rules about `integrity` attributes; IntegrityImportMapRule covers import maps.
extension Rule {
    /// Hashes that differ from the packaged files.
    package static let integrityStale = Rule(
        "integrity-stale", group: .security, level: .always(.error), fix: .safe,
        document: { document, sink in
            for reference in document.references {
                guard let file = reference.resolution.file,
                    let (attribute, value) = SecurityModel.integrity(reference, in: document)
                else { continue }
                let integrity = SubresourceIntegrity(value.utf8)
                guard let strongest = integrity.strongest,
                    let digest = document.site.integrityDigest(of: file, strongest),
                    !integrity.accepts(digest: digest)
                else { continue }
                let right = strongest.expression(digest: digest)
                sink.report(
                    at: SecurityModel.range(of: attribute),
                    """
                    '\(printable(document.site.path(file).bytes))' does not match this hash: \
                    browsers discard \
                    it
                    """,
                    notes: ["its \(strongest.rawValue) hash is \(right)"],
                    fix: document.edits([
                        HTMLEdit(attribute, nil, value: Array(right.utf8))
                    ]).map { Fix(.safe, "write the file's hash", edits: $0) })
            }
        })

    /// Hashes on other web origins without the CORS request required to check them.
    static let integrityCrossOrigin = Rule(
        "integrity-cross-origin", group: .security, level: .always(.error),
        document: { document, sink in
            for reference in document.references {
                guard let (attribute, value) = SecurityModel.integrity(reference, in: document),
                    SubresourceIntegrity(value.utf8).strongest != nil,
                    // Modules are always loaded with CORS.
                    reference.htmlKind != .moduleScript, reference.htmlKind != .modulePreload,
                    let element = document.element(of: reference),
                    !document.has("crossorigin", element),
                    SecurityModel.isOtherPackagedOrigin(reference, in: document)
                        || SecurityModel.isOtherWebOrigin(reference, in: document)
                else { continue }
                sink.report(
                    at: SecurityModel.range(of: attribute),
                    "'\(reference.text)' has another web origin and no `crossorigin`: browsers "
                        + "block it")
            }
        })

    /// Hashes not understood by browsers.
    static let integrityFormat = Rule(
        "integrity-format", group: .security, level: .always(.warning),
        document: { document, sink in
            for reference in document.references {
                guard let (attribute, value) = SecurityModel.integrity(reference, in: document),
                    let first = SubresourceIntegrity(value.utf8).ignored.first
                else { continue }
                sink.report(
                    at: SecurityModel.range(of: attribute),
                    "'\(printable(first.utf8))' is not a valid integrity hash; browsers ignore it")
            }
        })
}
