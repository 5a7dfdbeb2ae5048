package import PackGround
import PackOrigin
import PackURL

/// The address of an origin in a bucket: `s3://bucket/prefix`.
package struct S3Address: Equatable, Sendable, CustomStringConvertible {
    package let bucket: String
    /// Without leading and trailing slashes; may be empty.
    package let prefix: String

    /// Whether the text has the scheme of a bucket address.
    package static func isS3(_ text: String) -> Bool {
        text.utf8.prefix(5).map { $0 | 0x20 }.elementsEqual("s3:\u{2F}\u{2F}".utf8)
    }

    /// - Throws: ``Failure``.
    package init(_ text: String) throws(Failure) {
        func refuse(_ problem: String) -> Failure {
            Failure.invalidArgument(
                kind: "origin", word: withoutSecrets(text), problem: problem,
                example: "s3://shop-cdn/storefront")
        }
        guard Self.isS3(text) else { throw refuse("is not an s3:// address") }
        let authority = text.utf8.dropFirst(5).prefix { $0 != UInt8(ascii: "/") }
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw refuse("has credentials, which belong in the environment or ~/.aws")
        }
        guard !text.utf8.contains(UInt8(ascii: "?")) else { throw refuse("has a query") }
        let parts = text.utf8.dropFirst(5).split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
        guard let bucket = parts.first, (3...63).contains(bucket.utf8.count),
            bucket.utf8.allSatisfy(Self.isName), bucket.utf8.first != UInt8(ascii: "."),
            !bucket.contains("..")
        else {
            throw refuse("has no bucket name of 3 to 63 letters, digits, dots and hyphens")
        }
        let rest = parts.dropFirst()
        let names = rest.last == "" ? rest.dropLast() : rest
        guard names.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
            throw refuse("has an empty name, '.' or '..' in its prefix")
        }
        guard !names.contains(where: { $0.utf8.contains { "#\\".utf8.contains($0) || $0 < 0x20 } })
        else { throw refuse("has '#', a backslash or a control character in its prefix") }
        self.bucket = bucket
        prefix = names.joined(separator: "/")
    }

    private static func isName(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || ".-_".utf8.contains(byte)
    }

    package var description: String {
        prefix.isEmpty ? "s3://\(bucket)" : "s3://\(bucket)/\(prefix)"
    }

    /// The object key for an origin path.
    func key(_ path: String) -> String { prefix.isEmpty ? path : "\(prefix)/\(path)" }

    /// The origin path of an object key, or `nil` for a key outside the prefix.
    func path(_ key: String) -> String? {
        if prefix.isEmpty { return key }
        // Compare bytes: equivalent Unicode spellings are different keys.
        let start = Array("\(prefix)/".utf8)
        let bytes = Array(key.utf8)
        return bytes.starts(with: start)
            ? String(decoding: bytes[start.count...], as: UTF8.self) : nil
    }
}

/// The endpoint that receives a bucket's requests.
package struct S3Endpoint: Equatable, Sendable {
    /// The form of bucket URLs.
    package enum Addressing: String, CaseIterable, Sendable {
        /// Virtual host for AWS, path for other stores.
        case auto
        case path
        case virtualHost = "virtual-host"
    }

    let isEncrypted: Bool
    /// The host of bucket URLs, with the port if it is not the default.
    let host: String
    /// The path before the key, percent-encoded, without a trailing slash.
    let path: String
    package let region: String
    /// Whether the endpoint belongs to AWS.
    package let isAmazon: Bool

    /// - Parameters:
    ///   - endpoint: The URL of the service; `nil` means AWS.
    ///   - region: `nil` means `us-east-1`, which most other stores accept.
    /// - Throws: ``Failure``, also for an unencrypted endpoint.
    package init(
        _ bucket: String, endpoint: String?, region: String?, addressing: Addressing = .auto
    ) throws {
        let region = region ?? "us-east-1"
        guard !region.isEmpty,
            region.utf8.allSatisfy({
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: "-")
            })
        else {
            throw Failure.invalidArgument(
                kind: "region", word: region, problem: "is not letters, digits and hyphens",
                example: "eu-central-1")
        }
        self.region = region
        let suffix = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
        let text = endpoint ?? "https://s3.\(region).\(suffix)"
        guard HTTPAddress.isHTTP(text), let record = URLRecord.parse(text),
            let host = record.host?.serialized, record.query == nil, record.fragment == nil,
            !record.hasCredentials
        else {
            throw Failure.invalidArgument(
                kind: "endpoint", word: text,
                problem: "is not an http or https address without user, query and fragment",
                example: "https://s3.example.com")
        }
        isEncrypted = record.scheme.elementsEqual("https".utf8)
        let name = String(decoding: host, as: UTF8.self)
        guard isEncrypted || record.host?.isLoopback == true else {
            throw Failure.s3Unencrypted(endpoint: withoutSecrets(text))
        }
        isAmazon = name.hasSuffix(".amazonaws.com") || name.hasSuffix(".amazonaws.com.cn")
        var base = record.path
        while base.last == UInt8(ascii: "/") { base.removeLast() }
        let port = record.port.map { ":\($0)" } ?? ""
        let isVirtual =
            switch addressing {
            case .auto: isAmazon && !bucket.contains(".")
            case .path: false
            case .virtualHost: true
            }
        self.host = (isVirtual ? "\(bucket)." : "") + name + port
        path =
            String(decoding: base, as: UTF8.self) + (isVirtual ? "" : "/" + S3Encoding.path(bucket))
    }

    /// The URL path of a key, or of the bucket if `key` is `nil`.
    func path(of key: String?) -> String {
        guard let key else { return path.isEmpty ? "/" : path }
        return "\(path)/\(S3Encoding.path(key))"
    }

    func url(path: String, query: String) -> String {
        "\(isEncrypted ? "https" : "http")://\(host)\(path)" + (query.isEmpty ? "" : "?\(query)")
    }
}
