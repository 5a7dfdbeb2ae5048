import PackOrigin
import Synchronization
import TestSupport
import Testing

@testable import PackS3

/// Rejections by a store give specific errors, with the request's ID and the next step.
@Suite struct S3RefusalTests {
    struct Case: Sendable, CustomStringConvertible {
        let reply: BucketTransport.Reply
        let code: String
        let says: [String]
        var description: String { "\(reply.status) \(code)" }

        init(
            _ status: Int, _ code: String, error: String = "", _ fields: [String: String] = [:],
            says: [String]
        ) {
            let body =
                error.isEmpty ? "" : "<Error><Code>\(error)</Code><Message>no</Message></Error>"
            var fields = fields
            fields["x-amz-request-id"] = "R17"
            reply = (status, fields, Array(body.utf8))
            self.code = code
            self.says = says
        }
    }

    static let cases = [
        Case(403, "s3.full", error: "QuotaExceeded", says: ["no space", "QuotaExceeded"]),
        Case(507, "s3.full", error: "XMinioStorageFull", says: ["no space", "XMinioStorageFull"]),
        Case(507, "s3.full", says: ["no space", "507"]),
        Case(
            302, "s3.redirected", ["Location": "https://me:you@other.example.com/x?y=z"],
            says: ["'https://other.example.com'"]),
        Case(
            307, "s3.redirected", ["location": "https://other.example.com/"],
            says: ["'https://other.example.com'"]),
        Case(
            301, "s3.wrong-region", error: "PermanentRedirect",
            ["x-amz-bucket-region": "eu-north-1"], says: ["eu-north-1"]),
        Case(403, "s3.denied", error: "AccessDenied", says: ["may not PutObject"]),
        Case(400, "s3.not-s3", ["Content-Type": "text/html"], says: ["web page"]),
        Case(
            403, "s3.clock", error: "RequestExpired",
            ["Date": "Tue, 24 Nov 2026 10:00:00 GMT"], says: ["clock"]),
        Case(
            403, "s3.credentials-refused", error: "InvalidAccessKeyId", says: ["InvalidAccessKeyId"]
        ),
        Case(404, "s3.no-bucket", error: "NoSuchBucket", says: ["no bucket 'shop'"]),
    ]

    @Test(arguments: cases) func isNamed(_ test: Case) async throws {
        let client = try BucketTransport { $0.hasPrefix("PUT ") ? test.reply : nil }.client()
        let request = S3Request(
            method: .put, key: "app/info.json", shown: "s3://shop/app/info.json",
            action: "PutObject")
        let error = client.refusal(try await client.send(request), request)
        #expect(error.code.name == test.code)
        let text = "\(error)"
        for words in test.says { #expect(text.contains(words), "\(text)") }
        #expect(text.contains("R17"), "\(text)")
        #expect(!text.contains("you@"))
    }

    /// `--verbose` prints method, address, status, time and ID, but no secrets.
    @Test func everyRequestIsShown() async throws {
        let seen = Mutex<[String]>([])
        let bucket = BucketTransport { _ in (200, ["x-amz-request-id": "R17"], []) }
        let transport = ObservedTransport(bucket, clock: { 1 }) { exchange in
            seen.withLock { $0.append("\(exchange)") }
        }
        _ = try await transport.send(
            HTTPRequest(
                .get, "\(BucketTransport.host)/shop/app/a?X-Amz-Signature=SECRET",
                headers: [HTTPHeader("Authorization", "SECRET")]),
            to: ContentSink(limit: 9, keepsBytes: true))
        #expect(
            seen.withLock { $0 } == [
                "GET \(BucketTransport.host)/shop/app/a?X-Amz-Signature=…: 200, 0 ms (x-amz-request-id R17)"
            ])
    }
}
