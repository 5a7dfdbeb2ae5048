import PackGround
import TestSupport

extension HostileCases {
    /// Names not allowed in archives.
    static let names: [HostileCase] = {
        let refused: [(String, NameProblem)] = [
            ("../x", .dotComponent), ("a/../../x", .dotComponent), ("a/..", .dotComponent),
            ("..", .dotComponent), (".", .dotComponent), ("a/./x", .dotComponent),
            ("../../target/inner/x", .dotComponent), ("./x", .dotComponent),
            ("/etc/x", .absolute), ("//server/x", .absolute), ("/", .empty), ("", .empty),
            ("a//x", .emptyComponent), ("a//", .emptyComponent),
            ("a\\x", .backslash), ("..\\x", .backslash), ("\\\\server\\x", .backslash),
            ("C:/x", .colon), ("C:x", .colon), ("a/x:stream", .colon),
            ("a\0b", .controlCharacter), ("x\0", .controlCharacter), ("a\nb", .controlCharacter),
            ("a\rb", .controlCharacter), ("a\u{7F}", .controlCharacter),
            ("a\u{1B}[2J", .controlCharacter),
            ("a\u{85}", .controlCharacter), ("a\u{9F}b", .controlCharacter),
            ("x.", .trailingDotOrSpace), ("x ", .trailingDotOrSpace), ("a./x", .trailingDotOrSpace),
            ("...", .trailingDotOrSpace),
            ("con", .deviceName), ("AUX.txt", .deviceName), ("a/lpt1.js", .deviceName),
            ("NUL", .deviceName), ("prn.tar.gz", .deviceName), ("com0", .deviceName),
            ("conin$", .deviceName), ("CONOUT$.x", .deviceName), ("nul .txt", .deviceName),
            ("cafe\u{301}.js", .notComposed), ("\u{212B}ngstrom", .notComposed),
            ("\u{212A}.js", .notComposed),
            (String(repeating: "x", count: 256), .componentTooLong),
            (String(repeating: "é", count: 128), .componentTooLong),
            (
                (1...5).map { _ in String(repeating: "x", count: 210) }.joined(separator: "/"),
                .pathTooLong
            ),
            ((1...33).map { _ in "d" }.joined(separator: "/"), .tooDeep),
        ]
        let named = refused.map { name, problem in
            HostileCase("name \(printable(name.utf8.prefix(40)))", .badName(problem)) {
                $0.both { header in
                    header.name = Array(name.utf8)
                    if name.utf8.contains(where: { $0 >= 0x80 }) { header.flags |= 0x0800 }
                }
                // A trailing slash makes it a directory, which has no content.
                if name.hasSuffix("/") { $0 = HostileZip.entry(Array(name.utf8), []) }
            }
        }
        let broken: [(String, [UInt8])] = [
            ("a lone continuation byte", [0x61, 0x80]),
            ("an overlong slash", [0x61, 0xC0, 0xAF, 0x62]),
            ("an overlong dot", [0xC0, 0xAE, 0xC0, 0xAE, 0x2F, 0x78]),
            ("a surrogate", [0xED, 0xA0, 0x80]),
            ("beyond Unicode", [0xF4, 0x90, 0x80, 0x80]), ("cut short", [0x61, 0xE2, 0x82]),
        ]
        let undecodable = broken.map { name, bytes in
            HostileCase("not UTF-8: \(name)", .badName(.notUTF8)) {
                $0.both { header in (header.name, header.flags) = (bytes, 0x0800) }
            }
        }
        return named + undecodable + [
            HostileCase("UTF-8 without its flag", .nameNotFlaggedUTF8) {
                $0.both { header in header.name = Array("café.js".utf8) }
            },
            HostileCase("code page 437", .nameNotFlaggedUTF8) {
                $0.both { header in header.name = [0x63, 0x61, 0x66, 0x82] }
            },
        ]
    }()

    /// Names that are only invalid together.
    ///
    /// The second entry is reported.
    static let nameSets: [HostileCase] = {
        let sets: [(String, [String], with: String)] = [
            ("the same name twice", ["a.txt", "a.txt"], "a.txt"),
            ("case", ["Main.js", "main.js"], "Main.js"),
            ("case of a directory", ["Js/a.js", "js/b.js"], "Js"),
            ("case beyond ASCII", ["É.js", "é.js"], "É.js"),
            ("sharp s", ["straße.js", "STRASSE.js"], "straße.js"),
            ("capital sharp s", ["strasse.js", "stra\u{1E9E}e.js"], "strasse.js"),
            ("final sigma", ["οδος", "ΟΔΟΣ"], "οδος"),
            ("ligature", ["\u{FB01}x", "fix"], "\u{FB01}x"),
            ("a file where a directory is needed", ["a", "a/b"], "a"),
            ("a directory where a file is needed", ["a/b", "a"], "a"),
            ("a file and another case's directory", ["LIB", "lib/b.js"], "LIB"),
            ("deep file prefix", ["a/b/c", "a/b/c/d/e"], "a/b/c"),
            ("a directory entry and a file", ["a/", "a"], "a"),
            ("a file and a directory entry", ["a", "a/"], "a"),
            ("a directory entry of another case", ["A/", "a/x"], "A"),
            ("the same directory twice", ["d/", "d/"], "d"),
        ]
        return sets.map { name, names, other in
            HostileCase(
                "together: \(name)", .badName(.collides(with: other)),
                HostileZip(
                    entries: names.map {
                        HostileZip.entry($0, $0.hasSuffix("/") ? "" : "content\n")
                    }))
        }
    }()

    /// Links, devices, and directories that contradict their names.
    static let kinds: [HostileCase] = {
        let modes: [(String, UInt32)] = [
            ("symbolic link", 0o120777), ("character device", 0o020666), ("block device", 0o060660),
            ("pipe", 0o010644), ("socket", 0o140755), ("directory without a slash", 0o040755),
            ("unknown kind", 0o170000),
        ]
        // Readers differ in the hosts whose upper half they read as a Unix mode: Go accepts
        // Darwin's, Info-ZIP Atari's.
        let hosts: [(String, UInt16)] = [
            ("Unix", 3), ("Darwin", 19), ("Atari", 5), ("BeOS", 16), ("AtheOS", 30), ("DOS", 0),
        ]
        return hosts.flatMap { host, number in
            modes.map { name, mode in
                HostileCase("\(name) made on \(host)", .notRegularFile) {
                    $0.central.madeBy = number << 8 | 20
                    $0.central.externalAttributes = mode << 16
                }
            }
        } + [
            HostileCase(
                "a slash on a regular file", .notRegularFile, entry: HostileZip.entry("d/", "")
            ) {
                $0.central.externalAttributes = 0o100644 << 16
            },
            HostileCase("DOS directory without a slash", .notRegularFile) {
                $0.central.madeBy = 20
                $0.central.externalAttributes = 0x10
            },
            HostileCase("NTFS directory without a slash", .notRegularFile) {
                $0.central.madeBy = 10 << 8 | 20
                $0.central.externalAttributes = 0x10
            },
            HostileCase(
                "directory with content", .directoryWithData, entry: HostileZip.entry("d/", "x")
            ) {
                _ in
            },
            HostileCase(
                "directory that is deflated", .directoryWithData,
                entry: HostileZip.entry("d/", "", deflated: true)
            ) {
                $0.data = [0x03, 0x00]
                $0.both { $0.compressedSize = 2 }
            },
        ]
    }()

    static let harmless: [HostileCase.Harmless] = [
        .init("setuid bits") { $0.central.externalAttributes = 0o104755 << 16 },
        .init("world-writable") { $0.central.externalAttributes = 0o100777 << 16 },
        .init("no mode at all") { $0.central.externalAttributes = 0 },
        .init("made on DOS, archive bit") {
            $0.central.madeBy = 20
            $0.central.externalAttributes = 0x20
        },
        .init("times differ") {
            $0.local.time = 0x6000
            $0.local.date = 0x5A21
        },
        .init("needed versions differ") {
            $0.local.neededVersion = 10
            $0.central.neededVersion = 45
        },
        .init("times and owners in extra fields") {
            $0.local.extra = HostileZip.extra(0x5455, [3, 1, 2, 3, 4, 5, 6, 7, 8])
            $0.central.extra = HostileZip.extra(0x5455, [3, 1, 2, 3, 4])
            $0.both { $0.extra += HostileZip.extra(0x7875, [1, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0]) }
        },
        .init("a directory entry", HostileZip(HostileZip.entry("d/", ""), HostileZip.entry("d/x"))),
        .init("an empty file, stored", entry: HostileZip.entry("empty", "")) { _ in },
        .init("an empty file, deflated", entry: HostileZip.entry("empty", "")) {
            $0.data = [0x03, 0x00]
            $0.both { header in (header.method, header.compressedSize) = (8, 2) }
        },
        .init(
            "an archive comment",
            {
                var zip = HostileZip(HostileZip.entry("a.txt"))
                zip.end.comment = Array("made by hand".utf8)
                return zip
            }()),
    ]
}
