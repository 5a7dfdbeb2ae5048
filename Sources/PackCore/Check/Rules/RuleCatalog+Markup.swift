extension RuleCatalog {
    static let markup: [Rule] = [
        .srcsetPartiallyRewritten, .srcsetInvalid, .imagesrcsetMissed, .preloadMismatch,
        .metaAbsoluteHTTPS, .preconnectCustom, .namespaceRewritten, .rewrittenOutsideURL,
        .baseConflict, .baseFragment, .metaRefreshTarget, .iframeCustomInHTTPS,
        .iframeHTTPSInCustom, .formActionRelative, .navTargetMissing, .navLeavesPackage,
        .navCustomInHTTPS, .navHTTP, .pingCustom, .targetBlank, .aDownload, .appcache,
        .manifestLink, .missingCharset,
        .encodingNotRead,
        .htmlParseUnsafe, .unresolvedPlaceholder, .startPageShown, .startPageRelative,
        .startPageOther, .lazyFileMissing,
    ]

    static let unbuiltMarkup: [UnbuiltRule] = [
        UnbuiltRule(
            "base-fragment-svg", .markup,
            "the engine draws `#id` in SVG and CSS alike under every base; base-fragment finds links"
        ),
        .init(
            "viewport-fit", .markup,
            "only a layout engine can tell whether a page is shorter than the screen"),
        .init("html-url-not-rewritten", .markup, "covered by not-from-package"),
    ]
}
