import PackProfile

extension Rule {
    /// A packaged file that a style sheet loads from the network.
    static let cssURLNotRewritten = Rule(
        "css-url-not-rewritten", group: .styles,
        level: .init("warning if hosts are configured") { $0.hosts.isEmpty ? nil : .warning },
        fix: .safe,
        document: { document, sink in
            for reference in document.references where reference.cssRole != nil {
                guard NotFromPackage.isBypass(reference, document) else { continue }
                NotFromPackage.report(
                    reference, document, &sink,
                    "this file is in the package, but the style sheet loads it from the network")
            }
        })
}
