import PackWeb

extension Rule {
    /// A new window not opened by apps.
    static let targetBlank = Rule(
        "target-blank", group: .markup, level: .always(.warning), fix: .unsafe,
        document: { document, sink in
            var places: [(Range<Int>, Bool)] = []
            for reference in document.references
            where reference.htmlKind == .navigation || reference.htmlKind == .formSubmission {
                guard let element = document.element(of: reference),
                    document.keyword("target", of: element) == "_blank",
                    let attribute = document.attribute("target", of: element)
                else { continue }
                places.append((attribute.value, element.isInNoscript))
            }
            guard let (first, isInNoscript) = places.first(where: { !$0.1 }) ?? places.first else {
                return
            }
            sink.report(
                at: first, "this link does nothing in many apps",
                notes: places.count == 1 ? [] : ["\(places.count - 1) more on this page"],
                severity: isInNoscript ? .hint : nil, cause: "new window")
        })

    /// A download not started by the web view.
    static let aDownload = Rule(
        "a-download", group: .markup, level: .always(.warning),
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .navigation {
                guard let element = document.element(of: reference),
                    document.has("download", element)
                else { continue }
                sink.report(reference, "few apps can save '\(reference.text)'")
            }
        })

    /// An application cache manifest.
    static let appcache = Rule(
        "appcache", group: .markup, level: .always(.warning), fix: .safe,
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .applicationCache {
                guard let element = document.element(of: reference),
                    let attribute = document.attribute("manifest", of: element)
                else { continue }
                sink.report(
                    reference, "browsers ignore this attribute", fix: document.removal(attribute))
            }
        })

    /// A web app manifest ignored by the web view.
    static let manifestLink = Rule(
        "manifest-link", group: .markup, level: .always(.hint),
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .manifest {
                sink.report(reference, "a web view does not read it")
            }
        })
}
