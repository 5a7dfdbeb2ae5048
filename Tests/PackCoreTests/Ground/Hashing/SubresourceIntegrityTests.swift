import PackGround
import Testing

/// The value of `integrity` (W3C Subresource Integrity; hashes by coreutils).
@Suite struct SubresourceIntegrityTests {
    private static let abc = Array("abc".utf8)
    private static let sha256 = "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
    private static let sha384 =
        "sha384-ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn"

    @Test func acceptsTheContentItIsTheHashOf() {
        for value in [Self.sha256, Self.sha384, " \(Self.sha256)\n\(Self.sha384) "] {
            #expect(SubresourceIntegrity(value.utf8).accepts(Self.abc), "\(value)")
            #expect(!SubresourceIntegrity(value.utf8).accepts(Self.abc + [0]), "\(value)")
        }
    }

    @Test func writesWhatItReads() {
        #expect(SubresourceIntegrity.Algorithm.sha256.expression(of: Self.abc) == Self.sha256)
        #expect(SubresourceIntegrity.Algorithm.sha384.expression(of: Self.abc) == Self.sha384)
        let sha512 = SubresourceIntegrity.Algorithm.sha512.expression(of: Self.abc)
        #expect(SubresourceIntegrity(sha512.utf8).accepts(Self.abc))
    }

    @Test func theStrongestAlgorithmAloneCounts() {
        let wrong = "sha384-" + String(repeating: "A", count: 64)
        #expect(!SubresourceIntegrity("\(Self.sha256) \(wrong)".utf8).accepts(Self.abc))
        #expect(SubresourceIntegrity("\(wrong) \(Self.sha384)".utf8).accepts(Self.abc))
    }

    @Test(arguments: ["md5-kAFQmDzST7DWlj99KOF/cg==", "sha256-abc", "sha256", "-", "sha999-AAAA"])
    func ignoresWhatBrowsersIgnore(_ word: String) {
        let integrity = SubresourceIntegrity(word.utf8)
        #expect(integrity.ignored == [word])
        #expect(integrity.strongest == nil)
        #expect(integrity.accepts(Self.abc))
    }

    @Test func takesBase64ForURLsAndOptions() {
        let url = Self.sha256.split(separator: "=")[0].map {
            $0 == "+" ? "-" : $0 == "/" ? "_" : $0
        }
        #expect(SubresourceIntegrity((String(url) + "?ct=js").utf8).accepts(Self.abc))
    }
}

extension SubresourceIntegrity {
    /// Whether a browser accepts the content.
    fileprivate func accepts(_ content: [UInt8]) -> Bool {
        accepts(digest: strongest?.digest(of: content) ?? [])
    }
}
