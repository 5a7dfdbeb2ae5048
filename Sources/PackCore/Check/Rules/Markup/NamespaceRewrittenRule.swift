import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A namespace name that was rewritten like a URL.
    static let namespaceRewritten = Rule(
        "namespace-rewritten", group: .markup, level: .customScheme(.error), fix: .safe,
        document: { document, sink in
            let custom = document.profile.canonicalScheme
            for reference in document.references where reference.use == .identifier {
                guard reference.writtenScheme == custom else { continue }
                let isW3 = reference.value.firstRange(of: Array("www.w3.org/".utf8)) != nil
                sink.report(
                    reference, "this is a name, not an address; rewritten, it has no meaning",
                    fix: SchemeSpelling.replacing(reference, with: isW3 ? "http" : "https").flatMap
                    {
                        document.safeFix(reference, to: $0)
                    })
            }
            if let range = document.html?.doctype?.systemID {
                let name = document.bytes[within: range].drop { $0 <= 0x20 }
                guard Reference.scheme(of: Array(name)) == custom else { return }
                let scheme = name.startIndex..<(name.startIndex + custom.count)
                sink.report(
                    at: range, "the doctype's identifier is a name, not an address",
                    fix: Fix(.safe, "write 'http'", edits: [ByteEdit(scheme, "http")]))
            }
        })
}
