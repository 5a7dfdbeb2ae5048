import Foundation
import PackGround
import PackKeys
import PackOrigin
import PackSigning
import TestSupport
import Testing

/// Valid and forged signatures of other projects: `oracles/wycheproof`, RFC 8032, DSSE, and those
/// of the design.
struct SignatureVectorTests {
    private struct Vectors: Decodable {
        struct Group: Decodable {
            let publicKeyDer: String
            let tests: [Case]
        }
        struct Case: Decodable {
            let tcId: Int
            let msg: String
            let sig: String
            let result: String
        }

        let numberOfTests: Int
        let testGroups: [Group]
    }

    private func check(
        _ name: String, count: Int, _ prepare: ([UInt8], PublicKey) -> [UInt8]
    ) throws {
        let path = try SharedFolder.require("oracles/wycheproof/\(name)_test.json")
        let suite = try JSONDecoder().decode(
            Vectors.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(suite.numberOfTests == count)
        var run = 0
        for group in suite.testGroups {
            let key = try #require(PublicKey(spki: bytes(group.publicKeyDer)))
            for test in group.tests {
                run += 1
                let signature = prepare(try bytes(test.sig), key)
                #expect(
                    key.isValid(signature, over: try bytes(test.msg)) == (test.result == "valid"),
                    "\(name) \(test.tcId)")
            }
        }
        #expect(run == count)
    }

    @Test func wycheproofEd25519() throws {
        try check("ed25519", count: 151) { signature, _ in signature }
    }

    @Test func wycheproofP256() throws {
        try check("ecdsa_secp256r1_sha256_p1363", count: 262) { signature, _ in signature }
    }

    /// Converted and verified, like the response of a key service.
    @Test func wycheproofP256DER() throws {
        try check("ecdsa_secp256r1_sha256", count: 484) {
            // No valid DER signature of this suite has 64 bytes.
            $1.algorithm.fixedLength($0)
        }
    }

    /// RFC 8032, section 7.1: seed, public key, message, signature.
    static let standardVectors: [(String, String, String, String)] = [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ]

    @Test(arguments: standardVectors) func rfc8032(
        _ seed: String, _ raw: String, _ message: String, _ signature: String
    ) throws {
        let key = try SigningKey(.ed25519, raw: bytes(seed), path: "vector")
        #expect(key.publicKey.raw == (try bytes(raw)))
        #expect(key.publicKey.isValid(try bytes(signature), over: try bytes(message)))
        #expect(key.publicKey.isValid(try key.sign(try bytes(message)), over: try bytes(message)))
    }

    /// The example of the DSSE specification (protocol.md, version 1).
    @Test func dsse() throws {
        let key = try #require(
            PublicKey(
                spki: bytes(
                    "3059301306072a8648ce3d020106082a8648ce3d0301070342000467cd390f77aa359cb08c2235f652270493a9ed832b0abcc01f70954c0390d2380c782bd54e269125a44f4433aff1432ce94e12bca73aa67ac80cea12608ddf74"
                )))
        let signature =
            "A3JqsQGtVsJ2O2xqrI5IcnXip5GToJ3F+FnZ+O88SjtR6rDAajabZKciJTfUiHqJPcIAriEGAHTVeCUjW2JIZA=="
        let message = Envelope.signedBytes(
            payloadType: "http://example.com/HelloWorld", payload: Array("hello world".utf8))
        #expect(key.isValid(Array(try #require(Data(base64Encoded: signature))), over: message))
    }

    /// The vector in `docs/formats.md`, computed with Python.
    @Test func ours() throws {
        let key = try SigningKey(.ed25519, raw: (0..<32).map { UInt8($0) }, path: "vector")
        #expect(
            key.publicKey.keyID.description
                == "a050837d85070582ccf7394b0988847cc312cb88259b894899f6f239cf1791a5")
        let message = Envelope.signedBytes(
            payloadType: Envelope.pointerType, payload: Array("{}\n".utf8))
        let signature =
            "YSp9Pj4EBKOiAi0l2Dzc0TJ60VhZRU62bsPjTeiaesILmzZ5TJboy6BVXR9dbcDuIoBKdFcc58fO6AJJ30MLAg=="
        #expect(
            key.publicKey.isValid(
                Array(try #require(Data(base64Encoded: signature))), over: message))
    }

    /// Every point of small order in each of its encodings, and y coordinates not below the prime.
    static let weak: [String] = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    ]

    @Test(arguments: weak) func weakKeysAreRefused(_ raw: String) throws {
        let prefix = try bytes("302a300506032b6570032100")
        #expect(PublicKey(spki: prefix + (try bytes(raw))) == nil)
    }

    @Test func otherKeysAreRefused() throws {
        let good = try SigningKey(generating: .p256).publicKey.spki
        #expect(PublicKey(spki: good) != nil)
        var offTheCurve = good
        offTheCurve[90] ^= 1
        #expect(PublicKey(spki: offTheCurve) == nil)
        for count in 0..<good.count { #expect(PublicKey(spki: Array(good.prefix(count))) == nil) }
        #expect(PublicKey(spki: good + [0]) == nil)
        // The same algorithm with one byte of its identifier changed.
        for index in 0..<27 {
            var other = good
            other[index] ^= 1
            #expect(PublicKey(spki: other) == nil)
        }
    }
}
