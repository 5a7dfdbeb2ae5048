extension RuleCatalog {
    static let media: [Rule] = [
        .mediaRange, .mimeUnknown, .mimeContentMismatch, .precompressedInPackage,
        .extensionUppercase, .largeFile, .largeImage, .packageTooLarge, .tooManyFiles,
        .zeroByteFile, .duplicateContent,
    ]

    static let unbuiltMedia: [UnbuiltRule] = [
        UnbuiltRule("double-extension", .media, "precompressed-in-package finds the harmful ones"),
        UnbuiltRule("extensionless", .media, "part of mime-unknown"),
    ]
}
