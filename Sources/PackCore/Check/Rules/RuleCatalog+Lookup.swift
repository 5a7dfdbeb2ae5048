extension RuleCatalog {
    static let lookup: [Rule] = [
        .missingFile, .pathMismatch, .fallbackPlainHTTP, .basenameCollision, .querySlash,
        .queryOnlyVersion, .fragmentInSubresource, .directoryURL, .caseMismatch,
        .percentEncodingName, .unicodeNormalization, .notFromPackage, .mixedAddressing,
        .apiURLRewritten, .unreferencedFile, .platformName, .seedClientNames,
    ]

    static let unbuiltLookup: [UnbuiltRule] = [
        .init(
            "fallback-url-unknown", .lookup,
            """
            publish puts every file of the build under its own path in site/, so path-mismatch \
            and missing-file already report the URLs that the fallback cannot find
            """)
    ]
}
