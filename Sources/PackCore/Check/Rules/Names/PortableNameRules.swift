/// The rules about names that some system cannot hold.
extension Rule {
    /// Names that Windows refuses.
    static let windowsIllegalName = Rule(
        "windows-illegal-name", "Windows cannot hold this name", group: .names,
        level: .init("error for names that the package refuses, else warning") { _ in .warning },
        explanation: .init(
            what: """
                Finds `< > " | ? * :` in names, dots and spaces at their ends, and device names (CON, \
                PRN, AUX, NUL, COM1, LPT1).
                """,
            why: """
                A checkout of such a build on Windows fails or loses the file; packages refuse a colon, \
                a trailing dot or space and device names, since archive tools change or drop them.
                """,
            source: "Microsoft, \"Naming Files, Paths, and Namespaces\"; reliability section 2",
            instead: "Rename the file.",
            detection: "Every component of the path."),
        examples: [
            .bad("what?.png", "x"), .bad("a:b.png", "x"), .bad("aux.js", "x"), .bad("a./b.js", "x"),
            .good("auxiliary.js", "x"), .good("a.b/c.js", "x"),
        ],
        site: { context, sink in
            for (index, file) in context.site.files.enumerated() {
                switch file.path.portabilityProblem {
                case .colon?, .trailingDotOrSpace?, .deviceName?:
                    let reason = file.path.portabilityProblem?.reason ?? ""
                    sink.report(
                        file: index, "the package refuses this name: \(reason)", severity: .error)
                default:
                    guard let byte = file.path.bytes.first(where: { "<>\"|?*".utf8.contains($0) })
                    else { continue }
                    sink.report(
                        file: index,
                        "Windows has no names with '\(Character(Unicode.Scalar(byte)))'")
                }
            }
        })

    /// Names that meet on a file system that ignores case.
    static let caseCollision = refusedName(
        "case-collision", "two names are one on a Mac", "Logo.png",
        what: "Finds names that are equal but for case or Unicode spelling.",
        why: """
            The disks of Macs and Windows hold one of the two: which file a build made there has is a \
            matter of luck. Packages refuse such names.
            """,
        problem: { if case .collides = $0 { true } else { false } },
        example: .collides(with: "logo.png"))

    /// Links.
    static let symlink = refusedName(
        "symlink", "a symbolic link cannot be shipped", "current",
        what: "Finds symbolic links, sockets and devices.",
        why: """
            A link names a file of the build machine, which no phone has, or leads out of the package. \
            Packages hold regular files only.
            """,
        problem: { $0 == .symbolicLink || $0 == .notAFile }, example: .symbolicLink)

    /// Paths that lead elsewhere.
    static let pathEscape = refusedName(
        "path-escape", "the path leads out of the package", "..\\x.js",
        what: "Finds backslashes, `..`, absolute and empty components in names.",
        why:
            "An unpacker that follows such a name writes outside its directory; packages refuse it.",
        problem: { [.backslash, .dotComponent, .absolute, .emptyComponent, .empty].contains($0) },
        example: .backslash)

    /// Names with characters that nobody sees.
    static let controlCharName = refusedName(
        "control-char-name", "the name holds bytes that cannot travel", "a\u{FFFD}.js",
        what: "Finds control characters and bytes that are not UTF-8 in names.",
        why: """
            No URL spells such a name the way a file system does, and archive tools change it. Packages \
            refuse it.
            """,
        problem: { $0 == .controlCharacter || $0 == .notUTF8 }, example: .controlCharacter)

    /// Names beyond what file systems hold.
    static let nameTooLong = refusedName(
        "name-too-long", "the name is too long for a phone's file system", "long.js",
        what: "Finds components above 255 bytes.",
        why:
            "APFS and most other file systems hold 255 bytes a component; the file cannot be written.",
        problem: { $0 == .componentTooLong || $0 == .pathTooLong || $0 == .tooDeep },
        example: .componentTooLong)

    /// A rule about names that the walk of the build refuses.
    private static func refusedName(
        _ id: String, _ title: String, _ name: String, what: String, why: String,
        problem: @escaping @Sendable (NameProblem) -> Bool, example: NameProblem
    ) -> Rule {
        Rule(
            id, title, group: .names, level: .always(.error),
            explanation: .init(
                what: what, why: why, source: "contract section 2; reliability section 2",
                instead: "Rename or remove it in the build.",
                detection: "The names of the build's directory, as bytes."),
            examples: [
                .bad("a.js", "x", refused: [RefusedNames.Name(name: name, problem: example)]),
                .good("a.js", "x"),
            ],
            site: { context, sink in
                for refused in context.site.refused where problem(refused.problem) {
                    sink.report(name: refused.name, refused.problem.reason)
                }
            })
    }
}
