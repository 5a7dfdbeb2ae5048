import ArgumentParser
import PackCore
import PackSettings

/// How the bucket of an `s3://` origin is reached.
struct BucketOptions: SettingOptions {
    @Option(name: .setting(.s3Endpoint), help: .setting(.s3Endpoint, "url"))
    var endpoint: String?

    @Option(name: .setting(.s3Region), help: .setting(.s3Region, "name"))
    var region: String?

    func give(to settings: inout Configuration) {
        settings.set(.s3Endpoint, endpoint)
        settings.set(.s3Region, region)
    }

    /// Refuses options that say nothing about another kind of origin.
    func refuse(for origin: String) throws {
        for (flag, isGiven) in [("--endpoint", endpoint != nil), ("--region", region != nil)]
        where isGiven {
            throw needsBucket(origin, flag)
        }
    }
}

/// How a publish to a bucket is done.
struct BucketWritingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Keep what is uploaded and downloaded here for later runs (s3; default: PACKTOOL_CACHE).",
            valueName: "dir"), completion: .path)
    var cache: String?

    @Flag(help: "Download every file of the release to prove it, not only new ones (s3).")
    var readBackAll = false

    @Flag(
        help: "Publish to a store without conditional writes; nobody else may publish to it (s3).")
    var forceUnsafe = false

    func refuse(for origin: String) throws {
        for (flag, isGiven) in [
            ("--cache", cache != nil), ("--read-back-all", readBackAll),
            ("--force-unsafe", forceUnsafe),
        ] where isGiven {
            throw needsBucket(origin, flag)
        }
    }

    func store(_ origin: String, _ settings: Settings) throws -> S3Store {
        try Bucket.store(
            origin, settings, for: .publishing, cache: cache,
            readBack: readBackAll ? .all : .new, isUnsafe: forceUnsafe)
    }
}

/// A flag that says nothing about a directory or a web address.
func needsBucket(_ origin: String, _ flag: String) -> InvalidWord {
    InvalidWord(
        kind: "origin", word: origin,
        problem: "is no bucket; \(flag) is for an s3:// address",
        example: "s3://shop-cdn/storefront")
}
