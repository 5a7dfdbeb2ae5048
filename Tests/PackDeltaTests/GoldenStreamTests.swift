import PackDelta
import Testing

/// Streams whose bytes are pinned: what was published once must decode in every later version.
@Suite struct GoldenStreamTests {
    /// Coded along the aligned place of the old text.
    private static let aligned = """
        00090d01180c6cece3b8d33bb07c0ad2a40909d2481854ecd50f333cf2fae298823c75090e
        """

    /// LZMA with the old text as dictionary, made by liblzma.
    private static let lzma = """
        01030c6cece3b8d33bb07c0ad2a40900b1858f397f4e7c7325b8a757cbb8eade33717fc5dcb218139e2ac439\
        a3afacf2c1af466206cea9bf70980819c4d1b7439e25c8457c5a84796b2e90e69ed2738f0686e2f2eb4b7fb3\
        7e2724ba867c825cb10d1348b1ac0bce5fffefd29400
        """

    private static func bytes(_ hexadecimal: String) throws -> [UInt8] {
        let digits = try hexadecimal.map { try #require($0.hexDigitValue) }
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    @Test(arguments: [aligned, lzma])
    func aStreamOfThePastDecodes(_ stream: String) throws {
        #expect(try PackDeltaTests.decode(Self.bytes(stream)) == PackDeltaTests.after)
    }

    /// Other bytes are a new codec number (docs/formats.md), or an encoder that codes better.
    @Test func theEncoderMakesTheSameBytes() throws {
        #expect(try PackDeltaTests.encode().bytes == Self.bytes(Self.aligned))
    }
}
