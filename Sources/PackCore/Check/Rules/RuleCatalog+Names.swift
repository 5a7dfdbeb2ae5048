extension RuleCatalog {
    static let names: [Rule] = [
        .unhashedMutable, .hashNotContent, .entryMissing, .entryNotRoot, .manifestEntry, .osJunk,
        .dotfile, .sensitiveFile, .symlink, .pathEscape, .windowsIllegalName, .caseCollision,
        .controlCharName, .nameTooLong,
    ]

    static let unbuiltNames: [UnbuiltRule] = [
        UnbuiltRule(
            "manifest-vs-package", .names,
            "'packtool verify info.json --build DIR' compares a manifest with a build"),
        UnbuiltRule(
            "version-unchanged", .names,
            "packtool's version is a hash of the content: it cannot stay while files change"),
        UnbuiltRule(
            "cdn-post", .names,
            "a note for the client's team: S003 downloads with POST, which CDNs may answer with 405"
        ),
        UnbuiltRule(
            "stale-deletion", .names,
            "a note for the client's team; 'packtool simulate' lists what an update deletes"),
    ]
}
