/// Damages the files of a build like disks, networks, editors and bundlers, and in unrealistic
/// ways.
struct Mutator {
    let corpus: Corpus
    /// The maximum size of a file in bytes: the time of a mutant is spent on reading its files.
    private static let longest = 48 << 10

    private static let pieces: [String] = [
        "<script", " src=", " href=\"", "</script", "<script>", "<!--", "-->", "<![CDATA[", "]]>",
        "<svg>", "<math>",
        "<template>", "</template>", "<style>", "<textarea>", "<plaintext>", "<noscript>",
        "<iframe srcdoc='",
        "<base href=", "<link rel=manifest href=m.json>", "<link rel=stylesheet href=",
        "<img srcset=\"a 1x, b 2x\"",
        "<meta charset=", "<meta http-equiv=refresh content='0;url=",
        "<meta http-equiv=Content-Security-Policy content=\"",
        "<a href=javascript:", " integrity=\"sha256-", " onerror=\"", " style=\"", "<a ", "<a b=",
        "<", ">", "/>", "</",
        "=", "'", "\"", "&", "&#x", "&#", "&amp", "&#x110000;", "@import url(", "@import \"",
        "@charset \"", "@media (",
        "url(", "url(\"", ":is(", "a{", "}", "\\", "\\26 ", "/*", "*/", "//", "`", "`${", "${",
        "import(", "import ",
        " from '", "new URL('", "import.meta.url", "importScripts(", "fetch('/api')", "require(['",
        "define(",
        "//# sourceMappingURL=", "export ", "async ", "await ", "class ", "function ", "=>", "(",
        ")", "[", "]", "{", ":",
        ";", ",", "?", "/re/", "/[/]/", "n.u=e=>", "n.p=\"/\"", "void ", "{1:\"a\"}[e]", "\"a\"+",
        "document.write(",
        "navigator.userAgent", "customscheme:", "customscheme://www.example.com/",
        "https://www.example.com/", "http://",
        "//www.example.com/", "https://[::", "http://0x7f.1/", "data:text/html;base64,", "data:,",
        "blob:", "../", "./",
        "%", "%2", "%ff", "#", "?a=1&copy=2", "packtool-ignore ",
        "packtool-ignore missing-file -- x",
        "<!-- packtool-ignore-file html-parse-unsafe -- x -->", "\0", "\u{FEFF}", "\u{2028}",
        "\u{202E}", "\u{E9}",
        "e\u{301}", "\u{1F600}", "\r", "\n", "\t", " ", "\u{1B}[31m", "\u{9B}", "\u{7F}", "0x",
        "1e9999", "-1",
        "9223372036854775807", "-9223372036854775808", "18446744073709551616", "2147483648", "{{",
        "}}", "%PUBLIC_URL%",
        "{\"a\":", "[\"", "\"start_url\":\"", "\"imports\":{\"", "null", "true",
        "<?xml version=\"1.0\" encoding=\"", "<!doctype",
        "<!DOCTYPE html PUBLIC \"", "'unsafe-inline'", "script-src ", "default-src 'self'",
    ]

    /// Damages one or several files.
    func mutate(_ build: inout Build, _ random: inout Random) {
        for _ in 0...random.below(2) {
            guard !build.files.isEmpty else { return }
            let index = random.below(build.files.count)
            switch random.below(20) {
            case 0: rename(index, in: &build, &random)
            case 1:
                let other = random.pick(corpus.files)
                build.add(other.name, content: other.content)
            case 2 where build.files.count > 1: build.files.remove(at: index)
            default:
                for _ in 0...random.below(3) {
                    mutate(&build.files[index].content, &random)
                }
            }
        }
    }

    private static let endings = [
        "html", "htm", "xhtml", "svg", "css", "js", "mjs", "json", "map", "webmanifest", "txt",
        "png", "HTML",
    ]

    private func rename(_ index: Int, in build: inout Build, _ random: inout Random) {
        let name = build.files[index].name
        let stem = name.split(separator: ".", omittingEmptySubsequences: false).first ?? "x"
        build.files[index].name = "\(stem).\(random.pick(Self.endings))"
        build.removeRepeatedNames()
    }

    /// Damages bytes once.
    func mutate(_ bytes: inout [UInt8], _ random: inout Random) {
        let count = bytes.count
        switch random.below(14) {
        case 0: bytes.removeLast(count - random.below(count + 1))
        case 1: cut(&bytes, &random)
        case 2:
            guard count > 0 else { return }
            bytes[random.below(count)] ^= 1 << UInt8(random.below(8))
        case 3:
            guard count > 0 else { return }
            bytes[random.below(count)] = random.pick([
                0, 0xFF, 0x80, 0x0A, 0x22, 0x27, 0x3C, 0x5C, 0xC3, 0xEF,
            ])
        case 4: bytes.removeSubrange(random.range(in: count, upTo: 64))
        case 5: bytes.removeFirst(random.below(min(count, 64) + 1))
        case 6: repeatBlock(&bytes, &random)
        case 7: splice(&bytes, &random)
        case 8:
            // Copies bytes to another position.
            let from = random.range(in: count, upTo: 64)
            bytes.insert(contentsOf: bytes[from], at: random.below(count + 1))
        case 9:
            bytes = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]][random.below(3)] + bytes
        case 10: bytes = bytes.flatMap { [$0, 0] }
        default:
            var text = ""
            for _ in 0...random.below(3) { text += random.pick(Self.pieces) }
            let place = random.chance(25) ? 0 : random.below(count + 1)
            bytes.insert(contentsOf: Array(text.utf8), at: place)
            // The file ends after a construct, or within its last bytes.
            if random.chance(25) {
                let left = place + text.utf8.count - random.below(min(text.utf8.count, 4))
                bytes.removeLast(bytes.count - left)
            }
        }
        if bytes.count > Self.longest { bytes.removeLast(bytes.count - Self.longest) }
    }

    /// Ends the file within a tag, a string, a bracket or a comment.
    private func cut(_ bytes: inout [UInt8], _ random: inout Random) {
        let opening = Set("<\"'{([`/&\\=:@".utf8)
        let places = bytes.indices.filter { opening.contains(bytes[$0]) }
        guard !places.isEmpty else { return }
        let end = min(bytes.count, random.pick(places) + 1 + random.below(6))
        bytes.removeLast(bytes.count - end)
    }

    private func repeatBlock(_ bytes: inout [UInt8], _ random: inout Random) {
        let block =
            random.chance(50)
            ? Array(bytes[random.range(in: bytes.count, upTo: 64)])
            : Array((random.pick(Self.pieces) + random.pick(Self.pieces)).utf8)
        guard !block.isEmpty else { return }
        let count = min(random.pick([2, 3, 20, 300, 4000]), Self.longest / block.count)
        let repeated = (0..<count).flatMap { _ in block }
        bytes.insert(contentsOf: repeated, at: random.below(bytes.count + 1))
    }

    /// The start of one file and the end of another.
    private func splice(_ bytes: inout [UInt8], _ random: inout Random) {
        let other = random.pick(corpus.files).content
        bytes =
            bytes.prefix(random.below(bytes.count + 1))
            + other.suffix(random.below(other.count + 1))
    }
}
