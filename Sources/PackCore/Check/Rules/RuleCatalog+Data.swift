extension RuleCatalog {
    static let data: [Rule] = [
        .importmapUnresolved, .webmanifestUrls, .svgExternalUse, .svgAsImage, .jsonStateURL,
        .speculationrulesIgnored,
    ]

    static let unbuiltData: [UnbuiltRule] = [
        .init(
            "jsonld-custom", .data,
            "covered by meta-absolute-https, which gets the URLs of JSON-LD"),
        .init(
            "svg-standalone", .data,
            "SVG files are documents like pages: missing-file and its like judge them"),
    ]
}
