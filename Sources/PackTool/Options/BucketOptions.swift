import ArgumentParser
import PackGround
import PackOrigin
import PackSettings

/// The connection to the bucket of an `s3://` origin.
struct BucketOptions: SettingOptions {
    @Option(name: .setting(.s3Endpoint), help: .setting(.s3Endpoint, "url"))
    var endpoint: String?

    @Option(name: .setting(.s3Region), help: .setting(.s3Region, "name"))
    var region: String?

    func apply(to settings: inout Configuration) {
        settings.set(.s3Endpoint, endpoint)
        settings.set(.s3Region, region)
    }

    /// Rejects these options for other kinds of origins.
    func refuse(for origin: String) throws {
        try refuseBucketFlags(
            [("--endpoint", endpoint != nil), ("--region", region != nil)], origin)
    }
}

/// Whether to write to a store that cannot detect concurrent publishers.
struct UnsafeStoreOption: ParsableArguments {
    @Flag(
        help:
            "Write to a store without conditional writes; make sure that no other publisher runs (s3)."
    )
    var noConditionalWrites = false

    func refuse(for origin: String) throws {
        try refuseBucketFlags([("--no-conditional-writes", noConditionalWrites)], origin)
    }
}

/// The extent of downloads to verify a release in a bucket.
struct ReadBackOption: ParsableArguments {
    @Flag(help: "Read and verify every file of the release, not only new or changed ones.")
    var verifyAll = false

    @Flag(
        help:
            "Compare existing files by size only: faster, but damage of the same size is missed (s3)."
    )
    var trustSizes = false

    var readBack: ReadBack { verifyAll ? .all : trustSizes ? .sizes : .hashes }

    func validate() throws {
        if verifyAll, trustSizes {
            throw ValidationError(
                "--verify-all and --trust-sizes contradict each other; give one.")
        }
    }

    func refuse(for origin: String) throws {
        // A directory is always read, apart from what an earlier publish has read.
        try refuseBucketFlags([("--trust-sizes", trustSizes)], origin)
    }
}

/// Options for publishing to a bucket.
struct BucketWritingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Keep hashes, and for s3 uploaded and downloaded files, here for later runs (default: \
            PACKTOOL_CACHE; for hashes, otherwise the user's cache directory).
            """,
            valueName: "dir"), completion: .path)
    var cache: String?

    @OptionGroup var proof: ReadBackOption
    @OptionGroup var safety: UnsafeStoreOption

    func refuse(for origin: String) throws {
        try proof.refuse(for: origin)
        try safety.refuse(for: origin)
    }
}

private func refuseBucketFlags(_ flags: [(name: String, isGiven: Bool)], _ origin: String) throws {
    for flag in flags where flag.isGiven { throw needsBucket(origin, flag.name) }
}

/// The error for a flag that only applies to buckets.
func needsBucket(_ origin: String, _ flag: String) -> Failure {
    Failure.invalidArgument(
        kind: "origin", word: origin,
        problem: "is no bucket; \(flag) is for an s3:// address",
        example: "s3://shop-cdn/storefront")
}
