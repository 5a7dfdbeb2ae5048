/// All rules in the order of `docs/rules.md`.
package enum RuleCatalog {
    /// All implemented rules.
    package static let all: [Rule] =
        scheme + lookup + markup + styles + data + script + origin + security + media + names
        + switching + engine + check

    /// The rule with an id.
    package static func rule(_ id: String) -> Rule? { all.first { $0.id == id } }

    /// New ids by old ones, which comments, baselines, scripts and `packtool.yaml` may still contain.
    package static let renamed = ["seed-client-names": "basename-cache-names"]

    private static let scheme: [Rule] = [
        .schemeSyntax, .schemeReserved, .schemeUppercase, .schemeInconsistent,
        .doubleScheme, .schemeMissingSlashes, .customURLUnparsable, .customHostCase,
        .customHostIDN, .customHostUnknown, .customURLPort, .customURLCredentials,
        .urlWhitespace, .urlBackslash,
    ]

    private static let lookup: [Rule] = [
        .missingFile, .pathMismatch, .fallbackPlainHTTP, .basenameCollision, .querySlash,
        .queryOnlyVersion, .fragmentInSubresource, .directoryURL, .caseMismatch,
        .percentEncodingName, .unicodeNormalization, .notFromPackage, .mixedAddressing,
        .apiURLRewritten, .unreferencedFile, .platformName, .basenameCacheNames,
    ]

    private static let markup: [Rule] = [
        .srcsetPartiallyRewritten, .srcsetInvalid, .imagesrcsetMissed, .preloadMismatch,
        .metaAbsoluteHTTPS, .preconnectCustom, .namespaceRewritten, .rewrittenOutsideURL,
        .baseConflict, .baseFragment, .metaRefreshTarget, .iframeCustomInHTTPS,
        .iframeHTTPSInCustom, .formActionRelative, .navTargetMissing, .navLeavesPackage,
        .navCustomInHTTPS, .navHTTP, .pingCustom, .targetBlank, .aDownload, .appcache,
        .manifestLink, .missingCharset, .encodingNotRead, .htmlParseUnsafe,
        .unresolvedPlaceholder, .startPageShown, .startPageRelative, .startPageOther,
        .lazyFileMissing, .libraryFileMissing,
    ]

    private static let styles: [Rule] = [
        .cssMissingFile, .cssURLNotRewritten, .cssInlinedBase, .cssEscape, .fontCORS,
        .cssCORSImages, .cssCharset, .cssFeatureNew,
    ]

    private static let data: [Rule] = [
        .importmapUnresolved, .importmapInvalid, .webmanifestUrls, .svgExternalUse,
        .svgAsImage, .svgNotWellFormed, .jsonStateURL, .dataMissingFile, .speculationrulesIgnored,
    ]

    private static let script: [Rule] = [
        .jsTruncated, .jsSyntaxNew, .jsAssetLiteral, .jsMissingFile, .jsAssetMissing,
        .jsPatternMissing, .jsPublicPath,
        .jsChunkMissing, .jsDynamicImport, .jsUnreadAddress, .jsBareImport, .jsAMDMissing,
        .jsImportType,
        .jsWorker, .jsNewURL, .workerCrossOrigin, .jsRelativeAjax, .jsAjaxCustomNonget,
        .jsAjaxCustomFromHttps, .jsAPICORS, .jsSyncXhr, .jsLocationProtocol, .jsLeavesPackage,
        .jsStops,
        .jsLocationOrigin, .jsURLProtocolSetter, .jsURLOrigin, .jsAbsoluteTest,
        .jsWebsocketRelative, .jsBeacon, .jsServiceworker, .jsCookie, .jsHistoryAPI,
        .jsHistoryRouter,
        .jsSecureContext, .jsSharedMemory, .jsStorageOrigin, .jsCanvasTaint, .jsWindowOpen,
        .jsDocumentWriteScript, .jsPostmessageOrigin, .sourcemapShipped, .sourcemapComment,
        .scriptCharset,
    ]

    private static let origin: [Rule] = [
        .protocolRelativeThirdParty, .protocolRelativeOwn, .rootMismatch,
        .externalSubresource,
    ]

    private static let security: [Rule] = [
        .mixedContentActive, .mixedContentPassive, .httpInCustom, .crossoriginNoCORS,
        .integrityStale, .integrityCrossOrigin, .integrityImportMap, .integrityFormat,
        .cspBlocksCustom, .cspInlineHash, .cspBlocksEval, .cspSyntax, .cspUpgradeInsecure,
        .headerPoliciesLost, .referrerMissing, .redirectCustom, .frameOrigin,
    ]

    private static let media: [Rule] = [
        .mediaRange, .mimeUnknown, .typeRefused, .mimeContentMismatch, .precompressedInPackage,
        .extensionUppercase, .largeFile, .largeImage, .packageTooLarge, .tooManyFiles,
        .zeroByteFile, .duplicateContent,
    ]

    private static let names: [Rule] = [
        .unhashedMutable, .hashNotContent, .entryMissing, .entryNotRoot, .manifestEntry,
        .osJunk, .dotfile, .sensitiveFile, .symlink, .pathEscape, .windowsIllegalName,
        .caseCollision, .controlCharName, .nameTooLong,
    ]

    private static let switching: [Rule] = [
        .userAgentGuardMissing, .userAgentTokenMismatch, .userAgentBootstrapOrder,
        .userAgentIPad,
    ]

    /// `check --engine` reports their findings.
    private static let engine: [Rule] = [
        "engine-missing", "engine-refused", "engine-exception", "engine-blank", "engine-stopped",
        "engine-route",
    ].map { Rule($0, group: .engine, level: .withEngine) }

    private static let check: [Rule] = [
        .unusedIgnore, .ignoreWithoutReason,
    ]
}
