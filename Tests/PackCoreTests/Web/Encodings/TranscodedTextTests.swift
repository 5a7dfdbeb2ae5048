import PackWeb
import TestSupport
import Testing

/// Decoding other encodings to UTF-8, and mapping back to the bytes of the file.
struct TranscodedTextTests {
    /// Hashes of the output of WebKitGTK 2.50's `TextDecoder` for ``sequences``.
    ///
    /// It does not support iso-8859-16, and rejects A1 A1 in EUC-JP, an ideographic space, unlike
    /// the standard. The numbers were recorded once: FNV-1a of the UTF-16 code units of each
    /// sequence and 0xFFFF.
    static let ofTheEngine: [(encoding: String, sum: UInt32)] = [
        ("ibm866", 3949719685),
        ("iso-8859-2", 1251785974),
        ("iso-8859-3", 3363059720),
        ("iso-8859-4", 1708007233),
        ("iso-8859-5", 3724920421),
        ("iso-8859-6", 3921572481),
        ("iso-8859-7", 2343972549),
        ("iso-8859-8", 2361114880),
        ("iso-8859-8-i", 2361114880),
        ("iso-8859-10", 108514986),
        ("iso-8859-13", 3798181844),
        ("iso-8859-14", 2393918),
        ("iso-8859-15", 1581911627),
        ("koi8-r", 2012417863),
        ("koi8-u", 1268053999),
        ("macintosh", 3192310706),
        ("windows-874", 489233119),
        ("windows-1250", 158331237),
        ("windows-1251", 1211322155),
        ("windows-1252", 3660260115),
        ("windows-1253", 2583902873),
        ("windows-1254", 2450057865),
        ("windows-1255", 970338327),
        ("windows-1256", 690824424),
        ("windows-1257", 1751037994),
        ("windows-1258", 4002370210),
        ("x-mac-cyrillic", 3722739228),
        ("gbk", 2606326238),
        ("gb18030", 2606326238),
        ("big5", 678659931),
        ("shift_jis", 1851169763),
        ("euc-kr", 1479805688),
        ("utf-16le", 2498953708),
        ("utf-16be", 3140030322),
        ("x-user-defined", 3845538661),
    ]

    /// Every pair of bytes starting with a non-ASCII byte; longer and truncated ones.
    private static let sequences: [[UInt8]] = {
        var found: [[UInt8]] = []
        for first in UInt8(0x80)...0xFF {
            for second in UInt8(0)...0xFF { found.append([first, second, 0x41, 0x42]) }
        }
        for first in UInt8(0x81)...0xFE {
            for second in UInt8(0x30)...0x39 {
                for third in [UInt8(0x81), 0x90, 0xFE, 0x41] {
                    for fourth in [UInt8(0x30), 0x35, 0x39, 0x20] {
                        found.append([first, second, third, fourth, 0x41])
                    }
                }
            }
        }
        for second in UInt8(0xA0)...0xFF {
            for third in UInt8(0xA0)...0xFF {
                found.append([0x8F, second, third, 0x41])
                found.append([0x8F, second, 0x41, third])
            }
        }
        for first in UInt8(0x80)...0xFF {
            found += [
                [first], [first, 0x81], [first, 0x30], [first, 0x30, 0x81], [first, 0x30, 0x41],
            ]
        }
        return found
    }()

    @Test(arguments: ofTheEngine) func decodesAsTheEngineDoes(_ encoding: String, _ sum: UInt32) {
        var hash: UInt32 = 2_166_136_261
        for sequence in Self.sequences {
            let bytes = TranscodedText(sequence, encoding: encoding)?.bytes ?? sequence
            let text = String(decoding: bytes, as: UTF8.self)
            // `TextDecoder` omits a byte order mark.
            let hasMark = encoding.hasPrefix("utf-16") && text.utf16.first == 0xFEFF
            for unit in text.utf16.dropFirst(hasMark ? 1 : 0) {
                hash = (hash ^ UInt32(unit)) &* 16_777_619
            }
            hash = (hash ^ 0xFFFF) &* 16_777_619
        }
        #expect(hash == sum)
    }

    /// The engine rejects A1 A1, the ideographic space, so EUC-JP is compared with the output of
    /// Python's codec: two-byte, half-width and three-byte characters.
    @Test func decodesEUCJP() throws {
        let source: [UInt8] = [
            0xC6, 0xFC, 0xCB, 0xDC, 0xB8, 0xEC, 0xA4, 0xCE, 0xBF, 0xDE, 0xA1, 0xA2, 0xA5, 0xBD,
            0xA1, 0xBC, 0xA5, 0xB9, 0xA1, 0xA1, 0x8E, 0xB6, 0x8E, 0xC5, 0x8F, 0xB0, 0xA1, 0xA5,
            0xF6,
        ]
        let text = try #require(TranscodedText(source, encoding: "euc-jp"))
        #expect(String(decoding: text.bytes, as: UTF8.self) == "日本語の図、ソース\u{3000}ｶﾅ丂ヶ")
    }

    @Test func leavesWhatNeedsNoDecoding() {
        #expect(TranscodedText(Array("plain".utf8), encoding: "gbk") == nil)
        #expect(TranscodedText(Array("caf\u{E9}".utf8), encoding: "utf-8") == nil)
        #expect(TranscodedText([0x1B, 0x24, 0x42, 0xFF], encoding: "iso-2022-jp") == nil)
        #expect(TranscodedText([0xFF], encoding: "no such encoding") == nil)
        #expect(TranscodedText.canDecode("utf-8") && TranscodedText.canDecode("koi8-u"))
        #expect(!TranscodedText.canDecode("replacement"))
    }

    @Test func findsTheWayBack() throws {
        // a 图 b 标 c, in GBK: 1, 2, 1, 2 and 1 bytes.
        let source: [UInt8] = [0x61, 0xCD, 0xBC, 0x62, 0xB1, 0xEA, 0x63]
        let text = try #require(TranscodedText(source, encoding: "gbk"))
        #expect(String(decoding: text.bytes, as: UTF8.self) == "a图b标c")
        #expect(text.sourceRange(of: 0..<1) == 0..<1)
        #expect(text.sourceRange(of: 1..<4) == 1..<3)
        #expect(text.sourceRange(of: 2..<3) == 1..<3, "part of a character is the whole")
        #expect(text.sourceRange(of: 4..<5) == 3..<4)
        #expect(text.sourceRange(of: 4..<9) == 3..<7)
        #expect(text.sourceRange(of: 9..<9) == 7..<7)
        #expect(text.sourceRange(of: 0..<99) == 0..<7)
        #expect(text.encoded(Array("x.png".utf8)) == Array("x.png".utf8))
        #expect(text.encoded(Array("图".utf8)) == nil)
    }

    @Test func readsUTF16() throws {
        let source: [UInt8] = [0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8, 0, 0xDE, 0x62, 0, 0x00, 0xDC, 0x63]
        let text = try #require(TranscodedText(source, encoding: "utf-16le"))
        #expect(
            String(decoding: text.bytes, as: UTF8.self) == "\u{FEFF}a\u{1F600}b\u{FFFD}\u{FFFD}")
        #expect(text.sourceRange(of: 3..<4) == 2..<4)
        #expect(text.sourceRange(of: 4..<8) == 4..<8)
        #expect(text.sourceRange(of: 8..<9) == 8..<10)
        #expect(text.encoded(Array("xy".utf8)) == [0x78, 0, 0x79, 0])
    }

    @Test func keepsBothPlacesOfACharacterOfTwo() throws {
        let text = try #require(TranscodedText([0x88, 0x62, 0x41], encoding: "big5"))
        #expect(
            String(decoding: text.bytes, as: UTF8.self).unicodeScalars.map(\.value) == [
                0xCA, 0x304, 0x41,
            ])
        #expect(text.sourceRange(of: 0..<4) == 0..<2)
        #expect(text.sourceRange(of: 4..<5) == 2..<3)
    }
}
