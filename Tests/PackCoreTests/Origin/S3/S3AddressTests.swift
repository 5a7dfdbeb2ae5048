import PackGround
import TestSupport
import Testing

@testable import PackS3

/// Parses `s3://bucket/prefix` and builds request URLs.
@Suite struct S3AddressTests {
    @Test(arguments: [
        ("s3://shop-cdn/storefront", "shop-cdn", "storefront"), ("s3://shop", "shop", ""),
        ("S3://shop/", "shop", ""), ("s3://a.b.c/x/y/", "a.b.c", "x/y"),
        ("s3://shop/süß x", "shop", "süß x"),
    ]) func isRead(_ text: String, _ bucket: String, _ prefix: String) throws {
        let address = try S3Address(text)
        #expect(address.bucket == bucket)
        #expect(address.prefix == prefix)
        #expect(address.path(address.key("info.json")) == "info.json")
    }

    @Test(arguments: [
        "s3://", "s3:///x", "s3://ab", "s3://.ab", "s3://a..b", "s3://shop//x", "s3://shop/../x",
        "s3://shop/./x", "s3://shop/a#b", "s3://shop/a\\b", "s3://shop/a\tb", "s3://shöp",
        "https://shop",
    ]) func isRefused(_ text: String) {
        expectFailure(of: "usage") { try S3Address(text) }
    }

    /// Errors must not contain a secret from the address.
    @Test(arguments: [
        ("s3://AKID:hunter2@shop/x", "has credentials"),
        ("s3://shop/x?X-Amz-Signature=hunter2", "has a query"),
        ("s3://shop?token=hunter2", "has a query"),
    ]) func secretsAreRefusedUnseen(_ text: String, _ problem: String) {
        let error = #expect(throws: Failure.self) { try S3Address(text) }
        #expect(error.map { "\($0)".contains("hunter2") } == false)
        #expect(error?["problem"].hasPrefix(problem) == true)
    }

    @Test func anotherPrefixIsNoPlace() throws {
        let address = try S3Address("s3://shop/app")
        #expect(address.path("app2/info.json") == nil)
        #expect(address.path("app") == nil)
    }

    /// The names are those in AWS's documentation; no store available here enforces policies.
    @Test func policiesNameThePrefix() throws {
        let text = String(
            decoding: JSONWriter.write(S3Policy(try S3Address("s3://shop-cdn/app")).json),
            as: UTF8.self)
        for part in [
            #""arn:aws:s3:::shop-cdn/app/.packtool/*""#,
            #""arn:aws:s3:::shop-cdn/app/channels/*/log/*""#,
            #""s3:prefix": "app/*""#, #""s3:if-none-match": "true""#,
        ] { #expect(text.contains(part), "\(part)") }
        let all = String(
            decoding: JSONWriter.write(S3Policy(try S3Address("s3://shop-cdn")).json), as: UTF8.self
        )
        #expect(all.contains(#""arn:aws:s3:::shop-cdn/objects/*""#))
        #expect(!all.contains("s3:prefix"))
    }

    // MARK: Endpoints

    @Test(
        arguments: [
            ("shop", nil, nil, "https://shop.s3.us-east-1.amazonaws.com/a%20b"),
            ("a.b.c", nil, "eu-central-1", "https://s3.eu-central-1.amazonaws.com/a.b.c/a%20b"),
            ("shop", nil, "cn-north-1", "https://shop.s3.cn-north-1.amazonaws.com.cn/a%20b"),
            ("shop", "https://s3.example.com", "auto", "https://s3.example.com/shop/a%20b"),
            (
                "shop", "https://s3.example.com:9000/store/", nil,
                "https://s3.example.com:9000/store/shop/a%20b"
            ),
            ("shop", "http://127.0.0.1:9000", nil, "http://127.0.0.1:9000/shop/a%20b"),
            ("shop", "http://[::1]:9000", nil, "http://[::1]:9000/shop/a%20b"),
        ] as [(String, String?, String?, String)])
    func urls(_ bucket: String, _ endpoint: String?, _ region: String?, _ url: String) throws {
        let endpoint = try S3Endpoint(bucket, endpoint: endpoint, region: region)
        #expect(endpoint.url(path: endpoint.path(of: "a b"), query: "") == url)
    }

    @Test(arguments: [
        "http://s3.example.com", "http://10.0.0.1", "http://localhost.example.com",
        "http://127.evil.com",
    ]) func unencryptedOnlyOnThisMachine(_ endpoint: String) {
        expectFailure(of: "s3") { try S3Endpoint("shop", endpoint: endpoint, region: nil) }
    }

    @Test(arguments: [
        "ftp://s3.example.com", "https://u:p@s3.example.com", "https://a/?b", "s3.example.com",
    ])
    func otherEndpointsAreRefused(_ endpoint: String) {
        expectFailure(of: "usage") {
            try S3Endpoint("shop", endpoint: endpoint, region: nil)
        }
    }
}
