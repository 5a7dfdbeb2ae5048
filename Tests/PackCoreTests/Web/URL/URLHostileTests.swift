import PackURL
import TestSupport
import Testing

/// Hostile input: the parser never traps, and parsing is stable.
struct URLHostileTests {
    private static let samples = [
        "https://user:pa%20ss@WWW.Example.com:8080/a/../b/%2e/c;d?q='x'&y=%zz#frag`ment",
        "customScheme://h:443/a\\b/../%2E%2e/图.png?u=https://b.com/y.js#i",
        "http://[1:2::ffff:127.0.0.1]:80/x", "http://0x7f.0.0.1./", "http://[::1%25]/",
        "file:///C|/x/../..//y", "file://localhost/c:/x", "data:text/plain, x  ?y #z",
        "//\\/a@b@c:99999/", "  \tjava\nscript:alert(1)\u{0} ", "blob:https://h:1/x", "..//../?#",
        "http://exa%41mple.测试/%E6", "web+demo:/.//not-a-host/",
    ]
    private static let bases = [
        "customscheme://h/a/b?c#d", "https://h/a/b", "file:///C:/a", "data:x",
    ]
    .compactMap { URLRecord.parse($0) }

    /// Parses the input alone and relative to each base, and checks invariants.
    private static func examine(_ bytes: [UInt8], bases: [URLRecord] = bases) {
        for base in [nil] + bases.map(Optional.init) {
            let url = URLRecord.parse(bytes, base: base)
            guard let url else { continue }
            let text = url.serialized()
            guard URLRecord.parse(text) == url else {
                Issue.record("\(bytes): '\(url.href)' does not parse to itself")
                return
            }
            _ = (url.origin, url.pathComponents, PercentEncoding.decode(text))
        }
    }

    @Test("every prefix of the samples")
    func prefixes() {
        for sample in Self.samples {
            let bytes = Array(sample.utf8)
            for count in 0...bytes.count { Self.examine(Array(bytes[..<count])) }
        }
    }

    @Test("every byte of the samples replaced by every byte that means something")
    func mutations() {
        let replacements: [UInt8] =
            Array("/\\:@?#[]%.| a0xZ^\t\n\u{0}".utf8) + [0x7F, 0x80, 0xC3, 0xED, 0xFF]
        for sample in Self.samples {
            let bytes = Array(sample.utf8)
            for index in bytes.indices {
                for replacement in replacements {
                    var changed = bytes
                    changed[index] = replacement
                    Self.examine(changed, bases: Array(Self.bases.prefix(1)))
                }
            }
        }
    }

    @Test("random bytes, and random pieces of URLs")
    func random() {
        var generator = Noise(seed: 7)
        let pieces = [
            "http:", "file:", "cs:", "/", "//", "\\", "..", ".", "%2e", "@", ":", "[", "]", "::",
            "1",
            "0x", "C|", "C:", "?", "#", " ", "\t", "%", "h", "é", "localhost", "127", "256", "'",
            "\"",
        ].map { Array($0.utf8) }
        for _ in 0..<4000 {
            let count = Int.random(in: 0...12, using: &generator)
            Self.examine((0..<count).flatMap { _ in pieces.randomElement(using: &generator) ?? [] })
            Self.examine((0..<count).map { _ in .random(in: 0...255, using: &generator) })
        }
    }

    @Test("a long run of anything")
    func long() {
        for piece in ["/..", "a\t", "\\", "@", "%", ":", "[", "1.", "é", "\u{0}"] {
            for prefix in ["https://", "https://h/", "cs:", "cs://h/?"] {
                let bytes = Array((prefix + String(repeating: piece, count: 20_000)).utf8)
                Self.examine(bytes, bases: [])
            }
        }
    }
}
