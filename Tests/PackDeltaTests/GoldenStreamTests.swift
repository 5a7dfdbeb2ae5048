import PackDelta
import Testing

/// Streams whose bytes are pinned: what was published once must decode in every later version.
@Suite struct GoldenStreamTests {
    /// Coded along the aligned place of the old text.
    private static let aligned = """
        00090c180c6cece3b8d33bb07c0ad2a40908c077ddd4909e2e292ab1587b27c36d51
        """

    /// The same up to the twelfth coded byte, then LZMA with lp 2 and pb 2, made by agree.py.
    ///
    /// Regression: positions in LZMA counted from the output instead of the dictionary.
    private static let mixed = """
        04090c0b6c0d070c6cece3b8d33bb07c0ad2a40908c077ddd4909d003a0808c7234d642846c9048c1b546800\
        bd9ffffb708000
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

    @Test(arguments: [aligned, mixed, lzma])
    func aStreamOfThePastDecodes(_ stream: String) throws {
        #expect(try PackDeltaTests.decode(Self.bytes(stream)) == PackDeltaTests.after)
    }

    @Test func whatLZMAMakesIsStated() throws {
        let stream = try Self.bytes(Self.mixed)
        var headers = DeltaHeaders(old: PackDeltaTests.old)
        try headers.read(stream)
        let work = try DeltaDecoder(headers).work
        #expect(work.coded == 11)
        #expect(work.unpacked == 13)
        #expect(work.coded + work.copied + work.unpacked == PackDeltaTests.after.count)
        // Coded bytes, properties, bytes by LZMA, bytes of the aligned coder.
        for (place, value, error) in [
            (3, 10, DeltaCodecError.invalidContent), (3, 12, .invalidContent),
            (4, 225, .invalidHeader), (4, 0, .invalidContent), (5, 0, .invalidHeader),
            (5, 12, .invalidContent), (5, 14, .invalidContent), (6, 6, .invalidContent),
            (6, 8, .invalidContent), (6, 127, .invalidHeader),
        ] {
            var other = stream
            other[place] = UInt8(value)
            #expect(throws: error, "\(place): \(value)") { try PackDeltaTests.decode(other) }
        }
    }

    /// Other bytes are a new codec number (docs/formats.md), or an encoder that codes better.
    @Test func theEncoderMakesTheSameBytes() throws {
        #expect(try PackDeltaTests.encode().bytes == Self.bytes(Self.aligned))
    }
}
