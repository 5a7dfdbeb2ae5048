import PackOrigin
import PackS3

/// The address of an origin, by its kind.
///
/// Only the scheme decides about the kind; the rest is validated when the origin is opened.
package enum OriginAddress: Sendable {
    /// A path or a `file://` URL.
    case directory(String)
    /// `s3://bucket/prefix`.
    case bucket(String)
    /// An http or https URL.
    case web(String)

    package init(_ text: String) {
        self =
            if S3Address.isS3(text) { .bucket(text) } else if HTTPAddress.isHTTP(text) {
                .web(text)
            } else { .directory(text) }
    }

    /// Whether the origin is on the network.
    package var isRemote: Bool {
        switch self {
        case .directory: false
        case .bucket, .web: true
        }
    }

    /// Whether the options of buckets apply.
    package var isBucket: Bool {
        switch self {
        case .bucket: true
        case .directory, .web: false
        }
    }

    /// Whether the options of https connections apply.
    package var isWeb: Bool {
        switch self {
        case .web: true
        case .directory, .bucket: false
        }
    }

    /// The kind with its article, for messages.
    package var kind: String {
        switch self {
        case .directory: "a directory"
        case .bucket: "a bucket"
        case .web: "a web address"
        }
    }
}
