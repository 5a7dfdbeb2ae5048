extension RuleCatalog {
    static let names: [Rule] = [
        .unhashedMutable, .hashNotContent, .entryMissing, .entryNotRoot,
        .manifestEntry, .osJunk,
        .dotfile, .sensitiveFile, .symlink, .pathEscape, .windowsIllegalName, .caseCollision,
        .controlCharName, .nameTooLong,
    ]

    static let unbuiltNames: [UnbuiltRule] = [
        UnbuiltRule(
            "manifest-vs-package", .names,
            "'packtool verify info.json --build DIR' compares a manifest with a build"),
        UnbuiltRule(
            "version-unchanged", .names,
            "a version is a hash of the content, so it changes whenever a file does"),
        UnbuiltRule(
            "cdn-post", .names,
            """
            a question for the client's developers: the S003 client downloads with POST, which \
            a CDN may answer with 405
            """
        ),
        UnbuiltRule(
            "stale-deletion", .names,
            """
            a question for the client's developers; 'packtool simulate' lists what an update \
            deletes
            """),
    ]
}
