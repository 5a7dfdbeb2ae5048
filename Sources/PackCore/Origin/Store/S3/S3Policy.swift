package import PackGround
import PackRelease

/// The permissions required for publishing, as AWS policies.
///
/// Source: [AWS, Policies and permissions in Amazon S3](https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-policy-language-overview.html),
/// [Enforce conditional writes](https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html).
package struct S3Policy: Sendable {
    private let address: S3Address

    package init(_ address: S3Address) { self.address = address }

    /// Both policies, as the members `identity` and `bucket`.
    package var json: JSONValue {
        .members([
            "identity": policy([
                statement(
                    "List", "Allow", ["s3:ListBucket"], ["arn:aws:s3:::\(address.bucket)"],
                    address.prefix.isEmpty
                        ? nil
                        : .members([
                            "StringLike": .members(["s3:prefix": .string("\(address.prefix)/*")])
                        ])),
                statement(
                    "ReadAndWrite", "Allow", ["s3:GetObject", "s3:PutObject"], [resource("*")]),
                statement(
                    "RemoveOwnFiles", "Allow", ["s3:DeleteObject"],
                    [
                        resource("\(OriginLayout.workspace)/*"),
                        resource("\(OriginLayout.channels)/*/feeds/*"),
                        resource(OriginLayout.siteManifest),
                    ]),
                statement(
                    "KeepTrustRoots", "Deny", ["s3:PutObject"],
                    [resource("\(OriginLayout.roots)/*")]),
            ]),
            "bucket": policy([
                statement(
                    "CreateOnly", "Deny", ["s3:PutObject"],
                    [
                        resource("\(OriginLayout.objects)/*"),
                        resource("\(OriginLayout.releases)/*"),
                        resource("\(OriginLayout.channels)/*/log/*"),
                        resource("\(OriginLayout.roots)/*"),
                    ],
                    .members([
                        "Null": .members(["s3:if-none-match": .string("true")]),
                        "Bool": .members(["s3:ObjectCreationOperation": .string("true")]),
                    ]), isForAll: true)
            ]),
        ])
    }

    private func resource(_ pattern: String) -> String {
        "arn:aws:s3:::\(address.bucket)/\(address.key(pattern))"
    }

    private func policy(_ statements: [JSONValue]) -> JSONValue {
        .members(["Version": .string("2012-10-17"), "Statement": .array(statements)])
    }

    private func statement(
        _ name: String, _ effect: String, _ actions: [String], _ resources: [String],
        _ condition: JSONValue? = nil, isForAll: Bool = false
    ) -> JSONValue {
        .members([
            "Sid": .string(name), "Effect": .string(effect),
            "Principal": isForAll ? .string("*") : nil, "Action": .strings(actions),
            "Resource": .strings(resources), "Condition": condition,
        ])
    }
}
