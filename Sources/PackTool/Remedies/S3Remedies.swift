import PackGround
import PackOrigin
import PackRelease
import PackS3

extension Remedies {
    static let s3: Table = [
        .s3NoConditions: """
        use a store with conditional writes (docs/guide/s3.md), or --no-conditional-writes \
        if this is the only publisher
        """,
        .s3WrongRegion: Remedy {
            $0["actual"].isEmpty
                ? "give the bucket's region with --region" : "give --region \($0["actual"])"
        },
        .s3Denied: Remedy { permission(to: $0["action"], at: $0["path"]) },
        .s3CredentialsRefused: Remedy {
            $0["code"] == "ExpiredToken"
                ? "log in again, then run the same command"
                : """
                check the access key and its secret, and that they belong to the store at --endpoint
                """
        },
        .s3Clock: "set the clock, then run the same command again",
        .s3NoCredentials:
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile with AWS_PROFILE",
        .s3IncompleteCredentials: Remedy {
            "set \($0["variable"]) as the store issued it, or unset both variables to use a profile"
        },
        .s3NoProfile: "check AWS_PROFILE and 's3.profile:'",
        .s3CredentialProcess: "run the command of the profile by hand and read its messages",
        .s3NoBucket:
            "check the name and --endpoint, or create the bucket; packtool does not create it",
        .s3Unencrypted: "use an https address; http is allowed for this machine only",
        .s3Unreachable:
            "check --endpoint (without one it is Amazon's store), the network and https_proxy",
        .s3Proxy: proxy,
        .s3Certificate: """
        check --endpoint, and that this system has certificates (Debian: ca-certificates); for a \
        certificate authority of your own set SSL_CERT_FILE
        """,
        .s3TooSlow: continues,
        .s3Interrupted: continues,
        .s3Flood: flood,
        .s3Impossible: "check --endpoint and the installed libcurl",
        .s3RetriesExhausted: "wait until the store works again, then run the same command",
        .s3Status: Remedy {
            (Int($0["status"]) ?? 0) >= 500 && $0["code"].isEmpty
                ? """
                wait, or ask the operator of the store or of the gateway in front of it; then run \
                the same command again
                """
                : "look for the code in the store's documentation, then run the same command again"
        },
        .s3Full: """
        raise the bucket's quota, or delete unused files with 'packtool prune'; then run the \
        same command again: it continues where it stopped
        """,
        .s3Redirected:
            "set --endpoint to the store's own address; credentials are not sent to other hosts",
        .s3NotS3: "check --endpoint: it must be the S3 API, not a web page or console",
        .s3TooLarge: fileTooLarge,
        .s3UploadTooLarge: """
        exclude the largest files from the build ('exclude:' in packtool.yaml), or publish to a \
        directory
        """,
        .s3DamagedUpload: """
        check the store and every proxy or gateway between it and this machine (each upload \
        carries its Content-MD5); then run the same command again, which replaces the damaged \
        file
        """,
        .s3OutcomeUnknown: "run the same command again: it checks the file and continues",
    ]

    private static let continues: Remedy =
        "run the same command again: it continues where it stopped"

    /// The remedy for a missing permission; the publishers' policy does not grant every action.
    private static func permission(to action: String, at path: String) -> String {
        let folder = path.pathComponents().dropLast().last ?? ""
        let isFeed = folder == "feeds" || path.hasSuffix(OriginLayout.siteManifest)
        if action == "DeleteObject", !isFeed, !path.contains("/\(OriginLayout.workspace)/") {
            return "prune with an identity that may delete below the prefix; the policy of "
                + "'packtool init --policy aws' is for publishers, which need not"
        }
        if action == "PutObject", folder == OriginLayout.roots {
            return "publish trust roots with an identity that may; the policy of "
                + "'packtool init --policy aws' is for publishers, which must not"
        }
        return "allow it; 'packtool init --policy aws' prints a policy"
    }
}
