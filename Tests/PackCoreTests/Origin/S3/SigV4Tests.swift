import PackOrigin
import TestSupport
import Testing

@testable import PackS3

/// Signatures published by AWS.
///
/// `Tests/Rigs/Remote/s3.py` checks every request of a real run with its own signer, which
/// `sigv4.py` compares with botocore's.
@Suite struct SigV4Tests {
    /// Source: [AWS, Signature Calculations for the Authorization Header](https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let method: String
        let path: String
        let query: [(name: String, value: String)]
        let headers: [HTTPHeader]
        let payload: String
        let signature: String
    }

    private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    static let examples = [
        Example(
            testDescription: "GET Object", method: "GET", path: "test.txt", query: [],
            headers: [HTTPHeader("Range", "bytes=0-9")], payload: empty,
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        Example(
            testDescription: "PUT Object", method: "PUT", path: "test$file.text", query: [],
            headers: [
                HTTPHeader("Date", "Fri, 24 May 2013 00:00:00 GMT"),
                HTTPHeader("x-amz-storage-class", "REDUCED_REDUNDANCY"),
            ], payload: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        Example(
            testDescription: "GET Bucket Lifecycle", method: "GET", path: "",
            query: [("lifecycle", "")], headers: [], payload: empty,
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        Example(
            testDescription: "GET Bucket (List Objects)", method: "GET", path: "",
            query: [("prefix", "J"), ("max-keys", "2")], headers: [], payload: empty,
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ]

    @Test(arguments: examples) func isThatOfAWS(_ example: Example) {
        let time = "20130524T000000Z"
        let signer = SigV4(
            S3Credentials(
                keyID: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                source: "a test"), region: "us-east-1")
        let value = signer.authorization(
            SigV4.Parts(
                method: example.method, path: "/\(S3Encoding.path(example.path))",
                query: S3Encoding.query(example.query),
                headers: example.headers + [
                    HTTPHeader("Host", "examplebucket.s3.amazonaws.com"),
                    HTTPHeader("x-amz-content-sha256", example.payload),
                    HTTPHeader("x-amz-date", time),
                ], payload: example.payload), time: time)
        #expect(value.hasSuffix(", Signature=\(example.signature)"))
        #expect(
            value.hasPrefix(
                "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
            ))
    }

    @Test(arguments: [
        (0, "19700101T000000Z"), (951_782_400, "20000229T000000Z"),
        (1_369_353_600, "20130524T000000Z"),
        (4_107_542_399, "21000228T235959Z"), (1_795_248_000, "20261121T080000Z"),
    ]) func stamps(_ seconds: Int, _ stamp: String) {
        #expect(AWSTime.stamp(seconds) == stamp)
    }

    @Test(arguments: [
        ("Fri, 24 May 2013 00:00:00 GMT", 1_369_353_600),
        ("Tue, 29 Feb 2000 23:59:60 GMT", 951_868_800),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ]) func readsDates(_ text: String, _ seconds: Int) {
        #expect(HTTPDate.seconds(of: text) == seconds)
    }

    @Test(arguments: [
        "", "Fri, 24 May 2013 00:00:00", "Fri, 24 May 2013 00:00:00 CET",
        "Fri, 24 Mai 2013 00:00:00 GMT",
        "Fri, 32 May 2013 00:00:00 GMT", "Fri, 24 May 99999 00:00:00 GMT",
        "Fri, 24 May 2013 24:00:00 GMT",
        "Fri, 24 May 9223372036854775808 00:00:00 GMT",
    ]) func readsNoOtherDates(_ text: String) {
        #expect(HTTPDate.seconds(of: text) == nil)
    }

    @Test(arguments: [
        ("a b+c", "a%20b%2Bc"), ("ü/é", "%C3%BC/%C3%A9"), ("~-._", "~-._"), ("a//b", "a//b"),
        ("%41?#[@]!$&'()*,;:=", "%2541%3F%23%5B%40%5D%21%24%26%27%28%29%2A%2C%3B%3A%3D"),
    ]) func encodesKeys(_ key: String, _ path: String) {
        #expect(S3Encoding.path(key) == path)
        #expect(S3Encoding.decode(path) == key)
    }

    @Test func decodesPlusAsABlankAndRefusesTheRest() {
        #expect(S3Encoding.decode("a+b%2B") == "a b+")
        for text in ["%", "%4", "%zz", "%FF", "%+1"] {
            #expect(S3Encoding.decode(text) == nil, "\(text)")
        }
    }
}
