package import PackS3

extension Settings {
    /// The address of the store of an `s3://` origin; `nil` where nothing says it.
    package var endpoint: String? { text(.s3Endpoint) }

    package var region: String? { text(.s3Region) }

    package var addressing: S3Endpoint.Addressing {
        text(.s3Addressing).flatMap { S3Endpoint.Addressing(rawValue: $0) } ?? Defaults.addressing
    }

    /// What uploads to a bucket say beside their content.
    package var bucketWriting: S3Store.Writing {
        S3Store.Writing(encryption: text(.s3SSE), acl: text(.s3ACL))
    }

    /// The profile of `~/.aws` that was named.
    package var amazonProfile: String? { text(.s3Profile) }
}
