import Testing

@testable import PackWeb

@Suite struct ByteScanTests {
    private let text = Array("<p class=LONG-ENOUGH>".utf8)

    @Test(arguments: [(0, 20), (12, 20), (20, 20), (21, 21), (Int.max - 7, 21), (Int.max, 21)])
    func searchesNothingBehindTheEnd(start: Int, place: Int) {
        #expect(text.span.position(of: UInt8(ascii: ">"), from: start) == place)
    }

    @Test func readsAWordUpToTheEndAndNotBeyond() {
        let last = text.count - 8
        #expect(
            text.span.lowercasedWord(at: last, length: 8)
                == text.span.lowercasedWord(at: last, length: 7) | UInt64(UInt8(ascii: ">")) << 56)
        #expect(text.span.lowercasedWord(at: last + 1, length: 7) >> 48 == 0x3E)
    }
}
