extension RuleCatalog {
    static let lookup: [Rule] = [
        .missingFile, .pathMismatch, .fallbackPlainHTTP, .basenameCollision, .querySlash,
        .queryOnlyVersion, .fragmentInSubresource, .directoryURL, .caseMismatch,
        .percentEncodingName, .unicodeNormalization, .notFromPackage, .mixedAddressing,
        .apiURLRewritten, .unreferencedFile,
    ]

    static let unbuiltLookup: [UnbuiltRule] = [
        .init(
            "fallback-url-unknown", .lookup,
            """
            publish puts every file of the build under its own path in site/, so the URLs that the \
            fallback does not know are those of path-mismatch and missing-file
            """)
    ]
}
