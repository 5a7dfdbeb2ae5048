extension RuleCatalog {
    static let script: [Rule] = [
        .jsAssetLiteral, .jsMissingFile, .jsPublicPath, .jsChunkMissing, .jsDynamicImport,
        .jsWorker, .jsNewURL, .workerCrossOrigin, .jsRelativeAjax, .jsAjaxCustomNonget,
        .jsAjaxCustomFromHttps, .jsAPICORS, .jsSyncXhr, .jsLocationProtocol, .jsLocationOrigin,
        .jsURLProtocolSetter, .jsURLOrigin, .jsAbsoluteTest, .jsWebsocketRelative, .jsBeacon,
        .jsServiceworker, .jsCookie, .jsHistoryAPI, .jsSecureContext, .jsStorageOrigin,
        .jsCanvasTaint, .jsWindowOpen, .jsDocumentWriteScript, .jsPostmessageOrigin,
        .sourcemapShipped, .sourcemapComment,
    ]

    static let unbuiltScript: [UnbuiltRule] = [
        .init(
            "js-jsonp", .script,
            "a script element for JSONP is found as any script is; that its URL is a call is not visible"
        ),
        .init(
            "js-open-app-scheme", .script,
            "calls of app schemes are no requests in the resolver, so nothing has to be allowed"),
    ]
}
