extension RuleCatalog {
    static let scheme: [Rule] = [
        .schemeSyntax, .schemeReserved, .schemeUppercase, .schemeInconsistent, .doubleScheme,
        .schemeMissingSlashes, .customURLUnparsable, .customHostCase, .customHostIDN,
        .customHostUnknown, .customURLPort, .customURLCredentials, .urlWhitespace, .urlBackslash,
    ]

    static let unbuiltScheme: [UnbuiltRule] = [
        .init(
            "scheme-app-collision", .scheme,
            "needs the app's Info.plist (CFBundleURLSchemes), which is not part of a build")
    ]
}
