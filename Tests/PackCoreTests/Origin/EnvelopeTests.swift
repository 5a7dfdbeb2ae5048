import PackGround
import PackOrigin
import Synchronization
import TestSupport
import Testing

struct EnvelopeTests {
    @Test func goldenUnsigned() throws {
        let envelope = try Envelope(payloadType: Envelope.pointerType, payload: Array("{}\n".utf8))
        let text = """
            {
              "payloadType": "application/vnd.packtool.pointer+json",
              "payload": "e30K",
              "digest": "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356",
              "signatures": []
            }

            """
        #expect(String(decoding: envelope.encode(), as: UTF8.self) == text)
        #expect(
            try Envelope(decoding: Array(text.utf8), payloadType: Envelope.pointerType) == envelope)
    }

    /// Only a reader that checks no signature needs the digest.
    @Test func anotherDigestIsRefused() throws {
        let bytes = try Envelope(payloadType: Envelope.pointerType, payload: Array("{}\n".utf8))
            .encode()
        let text = String(decoding: bytes, as: UTF8.self)
        let digest = try #require(text.firstMatch(of: /"digest": "([0-9a-f]{64})"/)?.1)
        for other in ["0" + digest.dropFirst(), digest.uppercased(), String(digest.dropLast())] {
            let damaged = Array(text.replacing(digest, with: other).utf8)
            #expect(throws: (any Error).self) {
                try Envelope(decoding: damaged, payloadType: Envelope.pointerType)
            }
        }
        let without = Array(text.replacing("\"digest\": \"\(digest)\",", with: "").utf8)
        #expect(throws: Never.self) {
            try Envelope(decoding: without, payloadType: Envelope.pointerType)
        }
    }

    @Test func goldenSigned() throws {
        let envelope = try Envelope(payloadType: "t", payload: [0, 255]) { _ in
            [.init(keyID: "a", bytes: [1]), .init(keyID: "b", bytes: [2, 3, 4])]
        }
        let text = """
            {
              "payloadType": "t",
              "payload": "AP8=",
              "signatures": [
                {"keyid": "a", "sig": "AQ=="},
                {"keyid": "b", "sig": "AgME"}
              ]
            }

            """
        #expect(String(decoding: envelope.encode(), as: UTF8.self) == text)
        #expect(try Envelope(decoding: Array(text.utf8), payloadType: "t") == envelope)
    }

    @Test("an envelope that was signed once more could not be read any more")
    func neverMoreSignaturesThanAreRead() throws {
        let names = (1...70).map { "key \($0)" }
        var envelope = Envelope(payloadType: "t", payload: [1], signatures: [])
        for name in names { envelope = envelope.adding([.init(keyID: name, bytes: [1])]) }
        #expect(envelope.signatures.map(\.keyID) == names.suffix(64))
        let again = envelope.adding([.init(keyID: "key 70", bytes: [2])])
        #expect(again.signatures.count == 64 && again.signatures.last?.bytes == [2])
        #expect(try Envelope(decoding: envelope.encode(), payloadType: "t") == envelope)
    }

    /// The test vector of the DSSE specification (protocol.md), and lengths in bytes.
    private static let preAuthenticationEncodingTable: [(String, String, String)] = [
        (
            "http://example.com/HelloWorld", "hello world",
            "DSSEv1 29 http://example.com/HelloWorld 11 hello world"
        ),
        ("", "", "DSSEv1 0  0 "), ("é", "ü 1", "DSSEv1 2 é 4 ü 1"),
    ]

    @Test(arguments: preAuthenticationEncodingTable) func preAuthenticationEncoding(
        _ type: String, _ payload: String, _ expected: String
    ) {
        #expect(
            Envelope.signedBytes(payloadType: type, payload: Array(payload.utf8))
                == Array(expected.utf8))
    }

    @Test func theSignerGetsTheEncodedBytesOnce() throws {
        let seen = Mutex<[[UInt8]]>([])
        _ = try Envelope(
            payloadType: "http://example.com/HelloWorld", payload: Array("hello world".utf8)
        ) {
            message in
            seen.withLock { $0.append(message) }
            return []
        }
        #expect(
            seen.withLock { $0 }
                == [Array("DSSEv1 29 http://example.com/HelloWorld 11 hello world".utf8)])
    }

    private struct NoKey: Error {}

    @Test func aFailingSignerIsThrown() {
        #expect(throws: NoKey.self) {
            try Envelope(payloadType: "t", payload: []) { _ in throw NoKey() }
        }
    }

    private static let base64ThatIsNotCanonicalTable: [String] = [
        "e30", "e30k=", "e31L!", "e30K\\n", " e30K", "e3=0", "e30_", "e30-", "e30K====", "AB==",
        "AAB=",
        "é30K", "=", "e 30K",
    ]

    @Test(arguments: base64ThatIsNotCanonicalTable) func base64ThatIsNotCanonical(_ text: String) {
        let payload = "{\"payloadType\": \"t\", \"payload\": \"\(text)\", \"signatures\": []}"
        #expect(throws: JSONShapeError(path: "payload", problem: "is not base64")) {
            try Envelope(decoding: Array(payload.utf8), payloadType: "t")
        }
        let signature =
            "{\"payloadType\": \"t\", \"payload\": \"\", \"signatures\": [{\"keyid\": \"\", \"sig\": \"\(text)\"}]}"
        #expect(throws: JSONShapeError(path: "signatures[0].sig", problem: "is not base64")) {
            try Envelope(decoding: Array(signature.utf8), payloadType: "t")
        }
    }

    private static let malformedTable: [(String, String, String)] = [
        ("{}", "payloadType", "is missing"),
        ("{\"payloadType\": \"u\"}", "payloadType", "is not t"),
        ("{\"payloadType\": \"t\"}", "payload", "is missing"),
        ("{\"payloadType\": \"t\", \"payload\": {}}", "payload", "is not a string"),
        ("{\"payloadType\": \"t\", \"payload\": \"\"}", "signatures", "is missing"),
        (
            "{\"payloadType\": \"t\", \"payload\": \"\", \"signatures\": {}}", "signatures",
            "is not an array"
        ),
        (
            "{\"payloadType\": \"t\", \"payload\": \"\", \"signatures\": [1]}", "signatures[0]",
            "is not an object"
        ),
        (
            "{\"payloadType\": \"t\", \"payload\": \"\", \"signatures\": [{\"sig\": \"\"}]}",
            "signatures[0].keyid", "is missing"
        ),
        ("[]", "", "is not an object"),
    ]

    @Test(arguments: malformedTable) func malformed(
        _ text: String, _ path: String, _ problem: String
    ) {
        #expect(throws: JSONShapeError(path: path, problem: problem)) {
            try Envelope(decoding: Array(text.utf8), payloadType: "t")
        }
    }

    @Test func atMostSixtyFourSignatures() {
        let signatures = [String](repeating: "{\"keyid\": \"\", \"sig\": \"\"}", count: 65)
        let text =
            "{\"payloadType\": \"t\", \"payload\": \"\", \"signatures\": [\(signatures.joined(separator: ","))]}"
        #expect(
            throws: JSONShapeError(path: "signatures", problem: "has 65 elements, more than 64")
        ) {
            try Envelope(decoding: Array(text.utf8), payloadType: "t")
        }
    }
}
