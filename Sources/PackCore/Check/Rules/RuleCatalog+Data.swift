extension RuleCatalog {
    static let data: [Rule] = [
        .importmapUnresolved, .importmapInvalid, .webmanifestUrls, .svgExternalUse, .svgAsImage,
        .svgNotWellFormed,
        .jsonStateURL,
        .speculationrulesIgnored,
    ]

    static let unbuiltData: [UnbuiltRule] = [
        .init(
            "jsonld-custom", .data,
            "covered by meta-absolute-https, which reads the URLs of JSON-LD"),
        .init(
            "svg-standalone", .data,
            "SVG files are checked like pages, by missing-file and the other lookup rules"),
    ]
}
