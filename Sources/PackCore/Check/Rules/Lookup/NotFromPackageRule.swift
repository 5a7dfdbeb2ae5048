extension Rule {
    /// A packaged file that a page loads from the network.
    static let notFromPackage = Rule(
        "not-from-package", "a page loads a packaged file from the network", group: .lookup,
        level: .init("warning where hosts are configured") { $0.hosts.isEmpty ? nil : .warning },
        fix: .safe,
        explanation: .init(
            what: """
                Finds subresources of pages whose https URL is that of a packaged file: a URL that \
                was not rewritten.
                """,
            why: """
                The file is in the package, but the page requests it from the network: slow \
                online, missing offline. A script that is loaded by both URLs runs twice.
                """,
            sources: [
                .cite(.s003, "only custom URLs reach the handler"), .cite(.ruleStudy),
                .proof("not-from-package"),
            ],
            instead: """
                Write relative URLs in custom-scheme pages, and custom URLs in https pages. \
                `packtool rewrite` does this.
                """,
            detection: """
                Each https URL of a configured host is looked up in the package by its path. \
                Relative URLs in style sheets and scripts resolve against the file that contains \
                them.
                """),
        examples: [
            .bad(
                "index.html", "<script src=\"↓https://www.example.com/js/app.1a.js\"></script>",
                others: ["js/app.1a.js": ""]),
            .bad(
                "index.html", "<script src=\"↓/js/app.1a.js\"></script>",
                "a relative URL in an https page", others: ["js/app.1a.js": ""],
                profile: Example.profile.with(pageOrigin: .https)),
            .good(
                "index.html",
                "<script src=\"/js/app.1a.js\"></script><script src=\"//www.example.com/js/app.1a.js\"></script>",
                "both inherit the page's scheme", others: ["js/app.1a.js": ""]),
            .good(
                "index.html", "<script src=\"https://cdn.example.net/js/app.1a.js\"></script>",
                "another host", others: ["js/app.1a.js": ""]),
        ],
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
            && URLFault.of(reference, in: document.site) == nil
    }

    static func report(
        _ reference: Reference, _ document: DocumentContext, _ sink: inout FindingSink,
        _ message: String = "this file is in the package, but the page loads it from the network"
    ) {
        // In a page of another web origin the browser would block an active subresource there too.
        let isSafe = document.profile.pageOrigin == .custom
        sink.report(
            reference, message,
            notes: reference.resolution.twin.map {
                ["the package has it as '\(printable(document.site.path($0).bytes))'"]
            } ?? [],
            fix: reference.resolution.url.flatMap {
                ReferenceAddress.custom(of: $0, in: document.profile)
            }.flatMap { document.fix(isSafe ? .safe : .unsafe, reference, to: $0) })
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

    /// Where the lists start that have a candidate from the package.
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
