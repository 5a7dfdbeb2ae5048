import PackGround
import TestSupport
import Testing

struct TextTests {
    private static let sizes: [(UInt64, String)] = [
        (0, "0 B"), (1, "1 B"), (812, "812 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"),
        (1050, "1.1 kB"), (70_321, "70.3 kB"), (99_949, "99.9 kB"), (99_950, "100.0 kB"),
        (999_949, "999.9 kB"), (999_950, "1.0 MB"), (1_000_000, "1.0 MB"),
        (184_233_000, "184.2 MB"),
        (999_949_999, "999.9 MB"), (999_950_000, "1.0 GB"), (1_500_000_000, "1.5 GB"),
        (64 << 30, "68.7 GB"), (2_000_000_000_000, "2.0 TB"), (9_007_199_254_740_991, "9007.2 TB"),
        // Regression: rounding exceeded the largest number.
        (.max, "18446744.1 TB"), (.max - 49, "18446744.1 TB"),
    ]

    @Test(arguments: sizes) func readableSizes(_ bytes: UInt64, _ text: String) {
        #expect(readableSize(bytes) == text)
    }

    @Test(arguments: [
        (0, "0 seconds"), (1, "1 second"), (119, "119 seconds"), (120, "2 minutes"),
        (7199, "119 minutes"), (7200, "2 hours"), (57_600, "16 hours"), (172_799, "47 hours"),
        (172_800, "2 days"), (3_456_000, "40 days"),
    ]) func readableSpans(_ seconds: Int, _ text: String) {
        #expect(readableSpan(seconds) == text)
    }

    private static let texts: [([UInt8], String)] = [
        ([], ""), (Array("plain é 日本 🎉".utf8), "plain é 日本 🎉"), ([0x41, 0x0A, 0x42], "A\\x0aB"),
        ([0x1B, 0x5B], "\\x1b["), ([0x7F], "\\x7f"), ([0xFF, 0x41], "\\xffA"), ([0xC3], "\\xc3"),
        ([0xC2, 0x85], "\\xc2\\x85"), ([0xE6, 0x97], "\\xe6\\x97"),
        ([0xED, 0xA0, 0x80], "\\xed\\xa0\\x80"),
        ([0xC0, 0xAF], "\\xc0\\xaf"), ([0xF0, 0x9F, 0x8E, 0x89, 0x80], "🎉\\x80"), ([0], "\\x00"),
        (Array("back\\slash".utf8), "back\\slash"),
        // Regression: these were printed, although they end lines or reverse text.
        (Array("a\u{2028}b\u{2029}".utf8), "a\\xe2\\x80\\xa8b\\xe2\\x80\\xa9"),
        (Array("\u{202E}exe.js".utf8), "\\xe2\\x80\\xaeexe.js"),
        (Array("\u{2066}\u{2069}".utf8), "\\xe2\\x81\\xa6\\xe2\\x81\\xa9"),
        (Array("\u{61C}\u{200E}\u{200F}".utf8), "\\xd8\\x9c\\xe2\\x80\\x8e\\xe2\\x80\\x8f"),
    ]

    @Test(arguments: texts) func printableTexts(_ bytes: [UInt8], _ text: String) {
        #expect(printable(bytes) == text)
    }

    /// The output never contains control characters.
    @Test func printableNeverHoldsControls() {
        var random = Noise(seed: 9)
        for _ in 0..<2000 {
            let bytes = (0..<12).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(
                printable(bytes).unicodeScalars.allSatisfy {
                    $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
                })
        }
    }

    private static let addresses = [
        ("s3://KEY:SECRET@bucket/x", "s3://…@bucket/x"),
        ("s3://KEY:SEC/RET@bucket", "s3://…@bucket"),
        ("https://user@a.example:8080/x", "https://…@a.example:8080/x"),
        ("https://u:p?q#r@a.example/x", "https://…@a.example/x"),
        ("https://a.example/x?token=T&b=&c#f=1", "https://a.example/x?token=…&b=…&…#f=…"),
        ("https://a.example/?", "https://a.example/?"),
        ("https://a.example:8080/@scope/x@1.js", "https://a.example:8080/@scope/x@1.js"),
        ("https://[::1]:80/a@b", "https://[::1]:80/a@b"),
        (
            "two: 'https://u:p@a/' and \"ftp://v:q@b/?k=v\".",
            "two: 'https://…@a/' and \"ftp://…@b/?k=…\"."
        ),
        // A password may contain a quotation mark.
        ("'https://user:pa'ss@a.invalid/x' and 'b'", "'https://…@a.invalid/x' and 'b'"),
        ("'https://a.example/x' by 'me@b.example'", "'https://a.example/x' by 'me@b.example'"),
        ("https:\\\\u:p@a", "https:\\\\…@a"), ("C:/Users/x@y", "C:/Users/x@y"),
        ("file:///srv/cdn", "file:///srv/cdn"), ("://u:p@a", "://u:p@a"),
        ("no address: a?b=c", "no address: a?b=c"),
        ("", ""), ("x://", "x://"), ("https://é:ü@日本/?ö=ä", "https://…@日本/?ö=…"),
    ]

    /// Regression: errors contained keys and tokens of URLs.
    @Test(arguments: addresses) func secretsOfAddresses(_ text: String, _ shown: String) {
        #expect(withoutSecrets(text) == shown)
    }

    /// Removing secrets is idempotent.
    @Test(arguments: addresses) func secretsAreGoneAfterOnce(_ text: String, _ shown: String) {
        #expect(withoutSecrets(withoutSecrets(text)) == withoutSecrets(text))
    }

    private static let counts: [(Int, String, String?, String)] = [
        (0, "file", nil, "0 files"), (1, "file", nil, "1 file"), (2, "file", nil, "2 files"),
        (4861, "file", nil, "4,861 files"), (1_000_000, "entry", "entries", "1,000,000 entries"),
        (1, "entry", "entries", "1 entry"), (-1, "file", nil, "-1 files"),
        (-1234, "x", nil, "-1,234 xs"),
        (.min, "x", nil, "-9,223,372,036,854,775,808 xs"),
    ]

    @Test(arguments: counts) func countedNouns(
        _ count: Int, _ noun: String, _ plural: String?, _ text: String
    ) {
        #expect(counted(count, noun, plural: plural) == text)
    }

    private static let words: [(String, [String], String?)] = [
        ("chanel", ["channel", "host"], "channel"), ("hots", ["host", "to"], "host"),
        ("HOST", ["host"], "host"), ("x", ["app", "to"], "to"),
        ("xyz", ["channel", "page-origin"], nil),
        ("", ["app"], nil), ("page_orgin", ["page-origin", "app"], "page-origin"), ("app", [], nil),
        ("ab", ["ad", "ac"], "ac"), (String(repeating: "a", count: 100_000), ["app"], nil),
        ("levle", ["level"], "level"), ("färst", ["fast"], "fast"),
    ]

    @Test(arguments: words) func nearestWords(_ word: String, _ known: [String], _ nearest: String?)
    {
        #expect(nearestWord(to: word, in: known) == nearest)
    }

    @Test func hexadecimalDigits() {
        #expect(hexadecimal([0, 1, 0x9A, 0xFF]) == "00019aff")
        #expect(hexadecimal([]) == "")
    }
}
