extension RuleCatalog {
    static let script: [Rule] = [
        .jsTruncated,
        .jsAssetLiteral, .jsMissingFile, .jsAssetMissing, .jsPublicPath, .jsChunkMissing,
        .jsDynamicImport,
        .jsBareImport, .jsAMDMissing, .jsImportType,
        .jsWorker, .jsNewURL, .workerCrossOrigin, .jsRelativeAjax, .jsAjaxCustomNonget,
        .jsAjaxCustomFromHttps, .jsAPICORS, .jsSyncXhr, .jsLocationProtocol, .jsLocationOrigin,
        .jsURLProtocolSetter, .jsURLOrigin, .jsAbsoluteTest, .jsWebsocketRelative, .jsBeacon,
        .jsServiceworker, .jsCookie, .jsHistoryAPI, .jsSecureContext, .jsStorageOrigin,
        .jsCanvasTaint, .jsWindowOpen, .jsDocumentWriteScript, .jsPostmessageOrigin,
        .sourcemapShipped, .sourcemapComment, .scriptCharset,
    ]

    static let unbuiltScript: [UnbuiltRule] = [
        .init(
            "js-jsonp", .script,
            """
            a JSONP script element is checked like any other script; nothing marks its URL as \
            a call
            """
        ),
        .init(
            "js-open-app-scheme", .script,
            "the resolver treats calls to app schemes as no request, so there is nothing to allow"),
    ]
}
