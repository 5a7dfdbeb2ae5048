import Crypto
import PackGround
package import PackOrigin

/// Signs requests with AWS Signature Version 4, as S3 and compatible stores require.
///
/// Source: [AWS, Create a signed AWS API request](https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
/// For S3 the path is encoded once and not normalized. The body's hash is always signed.
package struct SigV4: Sendable {
    let credentials: S3Credentials
    let region: String
    let service: String

    package init(_ credentials: S3Credentials, region: String, service: String = "s3") {
        self.credentials = credentials
        self.region = region
        self.service = service
    }

    /// The signed parts of a request.
    package struct Parts: Sendable {
        package var method: String
        /// Percent-encoded, as sent.
        package var path: String
        /// Percent-encoded and in the order of ``S3Encoding/query(_:)``.
        package var query: String
        /// All signed headers including `Host`, in any case and order.
        package var headers: [HTTPHeader]
        /// The SHA-256 of the body, in hexadecimal.
        package var payload: String

        package init(
            method: String, path: String, query: String, headers: [HTTPHeader], payload: String
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.headers = headers
            self.payload = payload
        }
    }

    /// The names of the signed headers, sorted.
    private static func names(_ parts: Parts) -> String {
        fields(parts).map(\.name).joined(separator: ";")
    }

    private static func fields(_ parts: Parts) -> [(name: String, value: String)] {
        parts.headers.map { ($0.name.lowercased(), trimmed($0.value)) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Removes leading and trailing whitespace, and collapses inner whitespace to one space.
    private static func trimmed(_ value: String) -> String {
        value.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            .map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }

    package static func canonicalRequest(_ parts: Parts) -> String {
        let lines = fields(parts).map { "\($0.name):\($0.value)\n" }.joined()
        return [parts.method, parts.path, parts.query, lines, names(parts), parts.payload]
            .joined(separator: "\n")
    }

    /// The value of `Authorization`.
    ///
    /// - Parameter time: In the format of ``AWSTime/stamp``, equal to `x-amz-date`.
    package func authorization(_ parts: Parts, time: String) -> String {
        let date = String(time.prefix(8))
        let scope = "\(date)/\(region)/\(service)/aws4_request"
        let text = [
            "AWS4-HMAC-SHA256", time, scope,
            hexadecimal(Array(SHA256.hash(data: Array(Self.canonicalRequest(parts).utf8)))),
        ].joined(separator: "\n")
        var key = Array("AWS4\(credentials.secret)".utf8)
        for word in [date, region, service, "aws4_request"] { key = Self.code(word, key) }
        return "AWS4-HMAC-SHA256 Credential=\(credentials.keyID)/\(scope), "
            + "SignedHeaders=\(Self.names(parts)), Signature=\(hexadecimal(Self.code(text, key)))"
    }

    private static func code(_ text: String, _ key: [UInt8]) -> [UInt8] {
        Array(
            HMAC<SHA256>.authenticationCode(
                for: Array(text.utf8), using: SymmetricKey(data: key)))
    }
}

/// Percent-encoding for SigV4: encodes all bytes except the unreserved characters of RFC 3986.
package enum S3Encoding {
    /// Encodes a key, but keeps its slashes.
    package static func path(_ key: String) -> String { encode(key.utf8, keepsSlash: true) }

    /// Encodes and sorts query items.
    package static func query(_ items: [(name: String, value: String)]) -> String {
        items.map { (encode($0.name.utf8), encode($0.value.utf8)) }
            .sorted { one, other in
                one.0 == other.0
                    ? one.1.utf8.lexicographicallyPrecedes(other.1.utf8)
                    : one.0.utf8.lexicographicallyPrecedes(other.0.utf8)
            }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    private static func encode(_ bytes: some Sequence<UInt8>, keepsSlash: Bool = false) -> String {
        var result: [UInt8] = []
        for byte in bytes {
            if isPlain(byte) || keepsSlash && byte == UInt8(ascii: "/") {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result += hexadecimal([byte]).uppercased().utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._~".utf8.contains(byte)
    }

    /// Decodes a key of a listing with `encoding-type=url`, in which `+` is a space.
    ///
    /// - Returns: `nil` for invalid UTF-8 or invalid encoding.
    package static func decode(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                continue
            }
            // `UInt8` would accept a sign.
            guard rest.count >= 2, rest.first != UInt8(ascii: "+"),
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// Timestamps for signed requests.
package enum AWSTime {
    /// Formats seconds since 1970: `20261124T021500Z`.
    package static func stamp(_ seconds: Int) -> String {
        let time = CalendarTime(seconds: seconds)
        let date = [(time.year, 4), (time.month, 2), (time.day, 2)].map(CalendarTime.padded)
        let clock = [(time.hour, 2), (time.minute, 2), (time.second, 2)].map(CalendarTime.padded)
        return "\(date.joined())T\(clock.joined())Z"
    }
}
