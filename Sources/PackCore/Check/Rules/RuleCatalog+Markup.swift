extension RuleCatalog {
    static let markup: [Rule] = [
        .srcsetPartiallyRewritten, .srcsetInvalid, .imagesrcsetMissed, .preloadMismatch,
        .metaAbsoluteHTTPS, .preconnectCustom, .namespaceRewritten, .rewrittenOutsideURL,
        .baseConflict, .baseFragmentSVG, .metaRefreshTarget, .iframeCustomInHTTPS,
        .iframeHTTPSInCustom, .formActionRelative, .navTargetMissing, .navCustomInHTTPS, .navHTTP,
        .pingCustom, .targetBlank, .aDownload, .appcache, .manifestLink, .missingCharset,
        .htmlParseUnsafe, .unresolvedPlaceholder,
    ]

    static let unbuiltMarkup: [UnbuiltRule] = [
        .init(
            "viewport-fit", .markup,
            "whether a page is shorter than the screen shows only when it is laid out"),
        .init("html-url-not-rewritten", .markup, "is not-from-package"),
    ]
}
