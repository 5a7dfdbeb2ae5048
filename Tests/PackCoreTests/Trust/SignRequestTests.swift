import Foundation
import PackGround
import PackKeys
import PackOrigin
import PackSigning
import TestSupport
import Testing

struct SignRequestTests {
    static let words: [(String, [String])] = [
        ("sign", ["sign"]), ("  a  b\tc ", ["a", "b", "c"]), ("a 'b c' d", ["a", "b c", "d"]),
        ("a \"b 'c\" d", ["a", "b 'c", "d"]), ("a\\ b c", ["a b", "c"]),
        ("a '' \"\"", ["a", "", ""]),
        ("'a'\"b\"c", ["abc"]), ("a \"\\\"b\\\\\" '\\'", ["a", "\"b\\", "\\"]),
        ("a \"\\n\"", ["a", "\\n"]),
        ("a $HOME `x` $(y) ; | & > *", ["a", "$HOME", "`x`", "$(y)", ";", "|", "&", ">", "*"]),
        ("é 'ü x'", ["é", "ü x"]),
    ]

    @Test(arguments: words) func shellWordsOf(_ line: String, _ expected: [String]) throws {
        #expect(try shellWords(line) == expected)
    }

    @Test(arguments: ["", "  ", "'' a"]) func noCommand(_ line: String) {
        #expect(throws: Failure.signWithEmpty) { try shellWords(line) }
    }

    @Test(arguments: ["a 'b", "a \"b", "a \\", "a \"b\\"]) func openQuotes(_ line: String) {
        #expect(throws: Failure.signWithUnbalanced(command: line)) { try shellWords(line) }
    }

    private func request(_ keys: SigningKey...) -> SignRequest {
        SignRequest(
            payloadType: "t", message: Array("message".utf8), summary: "s",
            accepted: keys.map(\.publicKey))
    }

    private func answer(_ id: String, _ signature: [UInt8]) -> [UInt8] {
        Array(
            "{\"schema\": 1, \"signatures\": [{\"keyid\": \"\(id)\", \"sig\": \"\(Data(signature).base64EncodedString())\"}]}"
                .utf8)
    }

    @Test func question() throws {
        let key = try SigningKey(.ed25519, raw: (0..<32).map { UInt8($0) }, path: "vector")
        let text = """
            {
              "schema": 1,
              "operation": "sign",
              "payloadType": "t",
              "message": "bWVzc2FnZQ==",
              "sha256": "ab530a13e45914982b79f9b7e3fba994cfd1f3fb22f71cea1afbf02b460c6d1d",
              "summary": "s",
              "keyids": [
                "a050837d85070582ccf7394b0988847cc312cb88259b894899f6f239cf1791a5"
              ]
            }

            """
        #expect(String(decoding: request(key).encode(), as: UTF8.self) == text)
    }

    @Test(arguments: PublicKey.Algorithm.allCases) func goodAnswers(
        _ algorithm: PublicKey.Algorithm
    ) throws {
        let key = try SigningKey(generating: algorithm)
        let id = key.publicKey.keyID.description
        let request = request(key)
        let signature = try key.sign(request.message)
        #expect(
            try request.signatures(answer(id, signature), command: "c")
                == [.init(keyID: id, bytes: signature)])
    }

    @Test("a child that kept the output open after its program had ended cost the whole time limit")
    func aChildKeepsTheOutputOpen() throws {
        let command = try SignCommand("sh -c 'sleep 20 & echo gone >&2; exit 3'", hidden: [])
        let key = try SigningKey(generating: .ed25519)
        var messages: [UInt8] = []
        #expect(throws: Failure.signWithFailed(command: "sh", status: 3)) {
            try command.signatures(for: request(key), seconds: 15) { messages = $0 }
        }
        #expect(messages == Array("gone\n".utf8))
    }

    @Test func badAnswers() throws {
        let key = try SigningKey(generating: .ed25519)
        let other = try SigningKey(generating: .ed25519)
        let request = request(key)
        let id = key.publicKey.keyID.description
        let signature = try key.sign(request.message)
        let cases: [[UInt8]] = [
            [], Array("{}".utf8), Array("[]".utf8),
            Array("{\"schema\": 2, \"signatures\": []}".utf8),
            Array("{\"schema\": 1, \"signatures\": []}".utf8),
            answer(other.publicKey.keyID.description, try other.sign(request.message)),
            answer(id, try other.sign(request.message)), answer(id, try key.sign([1])),
            answer(id, Array(signature.dropLast())), answer(id.uppercased(), signature),
            answer(id, signature) + Array("x".utf8), answer("", signature),
        ]
        for bad in cases {
            expectFailure(of: "sign-with") {
                try request.signatures(bad, command: "c")
            }
        }
    }
}
