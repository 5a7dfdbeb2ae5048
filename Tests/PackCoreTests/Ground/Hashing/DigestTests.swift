import PackGround
import PackRelease
import TestSupport
import Testing

struct DigestTests {
    @Test func readsAndWritesSixtyFourDigits() throws {
        let text = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff"
        let digest = try #require(Digest(text))
        #expect(digest.description == text)
        #expect(digest.bytes == Array(0...30) + [0xFF])
        #expect(Digest(bytes: digest.bytes) == digest)
        #expect(digest != Digest(String(text.dropLast()) + "e"))
    }

    private static let refusesOtherTextsTable: [String] = [
        "", "0", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
        String(repeating: "A", count: 64), String(repeating: "g", count: 64),
        String(repeating: "0", count: 63) + " ", "+" + String(repeating: "0", count: 63),
        String(repeating: "０", count: 64), String(repeating: "0", count: 62) + "é",
    ]

    @Test(arguments: refusesOtherTextsTable) func refusesOtherTexts(_ text: String) {
        #expect(Digest(text) == nil)
    }

    @Test(arguments: [0, 1, 31, 33, 64]) func refusesOtherCounts(_ count: Int) {
        #expect(Digest(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }

    /// Each of the 32 bytes affects equality.
    @Test(arguments: 0..<32) func eachByteCounts(_ index: Int) {
        var bytes = [UInt8](repeating: 7, count: 32)
        let before = Digest(bytes: bytes)
        bytes[index] ^= 1
        #expect(Digest(bytes: bytes) != before)
        #expect(Digest(bytes: bytes)?.bytes == bytes)
    }

    /// FIPS 180-4 examples and two lengths around a block.
    private static let sha256VectorsTable: [(String, String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ]

    @Test(arguments: sha256VectorsTable) func sha256Vectors(_ text: String, _ expected: String) {
        let bytes = Array(text.utf8)
        #expect(StreamHasher.digest(of: bytes).description == expected)
        var hasher = StreamHasher()
        for start in stride(from: 0, to: bytes.count, by: 4099) {
            hasher.update(Array(bytes[start..<min(start + 4099, bytes.count)]))
        }
        #expect(hasher.finish().description == expected)
    }
}

struct VersionTests {
    @Test func isTheFirstTwentyDigits() throws {
        let hash = StreamHasher.digest(of: Array("abc".utf8))
        #expect(Version(packageHash: hash).description == "ba7816bf8f01cfea4141")
        #expect(Version("ba7816bf8f01cfea4141") == Version(packageHash: hash))
        #expect(Version("4320573858a8fa3567a1")?.description == "4320573858a8fa3567a1")
    }

    private static let refusesOtherTextsTable: [String] = [
        "", "4320573858a8fa3567a", "4320573858a8fa3567a11", "4320573858A8FA3567A1",
        "4320573858a8fa3567g1", "../../../../../../ab", "4320573858a8fa3567é",
        "4320573858a8fa3567a\n", "４320573858a8fa3567",
    ]

    @Test(arguments: refusesOtherTextsTable) func refusesOtherTexts(_ text: String) {
        #expect(Version(text) == nil)
    }
}
