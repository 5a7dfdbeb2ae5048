package import PackS3

extension Settings {
    /// The address of the store of an `s3://` origin, if set.
    package var endpoint: String? { text(.s3Endpoint) }

    package var region: String? { text(.s3Region) }

    package var addressing: S3Endpoint.Addressing {
        text(.s3Addressing).flatMap { S3Endpoint.Addressing(rawValue: $0) } ?? Defaults.addressing
    }

    /// The headers of uploads to a bucket.
    package var bucketWriting: S3Store.Writing {
        S3Store.Writing(encryption: text(.s3SSE), acl: text(.s3ACL))
    }

    /// The selected profile of `~/.aws`.
    package var amazonProfile: String? { text(.s3Profile) }
}
