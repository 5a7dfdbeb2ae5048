/// Rules about names that some system cannot store.
extension Rule {
    /// Names that Windows rejects.
    static let windowsIllegalName = Rule(
        "windows-illegal-name", "the name is not allowed on Windows", group: .names,
        level: .init("error for names that cannot be packaged, else warning") { _ in .warning },
        explanation: .init(
            what: """
                Finds `< > " | ? * :` in names, trailing dots and spaces, and device \
                names (CON, PRN, AUX, NUL, COM1, LPT1).
                """,
            why: """
                A checkout of the build on Windows fails or loses the file. A colon, a trailing \
                dot or space and device names cannot be packaged at all, since archive tools \
                change or drop them.
                """,
            sources: [.cite(.microsoftNames), .cite(.formats, "The strict zip profile")],
            instead: "Rename the file.",
            detection: "Every component of the path is checked."),
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
                        file: index, "this name cannot be packaged: \(reason)", severity: .error)
                default:
                    guard let byte = file.path.bytes.first(where: { "<>\"|?*".utf8.contains($0) })
                    else { continue }
                    sink.report(
                        file: index,
                        "Windows does not allow '\(Character(Unicode.Scalar(byte)))' in names")
                }
            }
        })

    /// Names that are one name on a case-insensitive file system.
    static let caseCollision = refusedName(
        "case-collision", "two names are the same on a case-insensitive file system", "Logo.png",
        what: "Finds names that are equal except for case or Unicode normal form.",
        why: """
            The file systems of macOS and Windows keep only one of the two files, and which one is \
            a matter of luck. packtool refuses such names.
            """,
        problem: { if case .collides = $0 { true } else { false } },
        example: .collides(with: "logo.png"))

    /// Links.
    static let symlink = refusedName(
        "symlink", "a symbolic link cannot be shipped", "current",
        what: "Finds symbolic links, sockets and devices.",
        why: """
            A link names a file of the build machine, which no phone has, or points out of the \
            package. Packages contain regular files only.
            """,
        problem: { $0 == .symbolicLink || $0 == .notAFile }, example: .symbolicLink)

    /// Paths that point out of the package.
    static let pathEscape = refusedName(
        "path-escape", "the path points out of the package", "..\\x.js",
        what: "Finds backslashes, `..`, absolute paths and empty components in names.",
        why:
            """
            An unpacker that follows such a name writes outside its directory. packtool \
            refuses it.
            """,
        problem: { [.backslash, .dotComponent, .absolute, .emptyComponent, .empty].contains($0) },
        example: .backslash)

    /// Names with control characters or invalid UTF-8.
    static let controlCharName = refusedName(
        "control-char-name", "the name contains control characters or is not UTF-8", "a\u{FFFD}.js",
        what: "Finds control characters and bytes that are not UTF-8 in names.",
        why: """
            URLs and file systems spell such names differently, and archive tools change them. \
            packtool refuses them.
            """,
        problem: { $0 == .controlCharacter || $0 == .notUTF8 }, example: .controlCharacter)

    /// Names longer than file systems allow.
    static let nameTooLong = refusedName(
        "name-too-long", "the name is too long for a phone's file system", "long.js",
        what: "Finds path components longer than 255 bytes.",
        why:
            """
            APFS and most other file systems limit a component to 255 bytes; the file cannot \
            be written.
            """,
        problem: { $0 == .componentTooLong || $0 == .pathTooLong || $0 == .tooDeep },
        example: .componentTooLong)

    /// The directory of a refused name that collides with another as a directory; `nil` where the file's
    /// own name does.
    private static func collidingDirectory(_ refused: RefusedNames.Name) -> String? {
        guard case .collides(let other) = refused.problem else { return nil }
        let parts = refused.name.pathComponents(omittingEmpty: false)
        let depth = other.pathComponents(omittingEmpty: false).count
        return parts.count > depth ? parts[..<depth].joined(separator: "/") : nil
    }

    /// A rule about names that the scan of the build refuses.
    private static func refusedName(
        _ id: String, _ title: String, _ name: String, what: String, why: String,
        problem: @escaping @Sendable (NameProblem) -> Bool, example: NameProblem
    ) -> Rule {
        Rule(
            id, title, group: .names, level: .always(.error),
            explanation: .init(
                what: what, why: why, sources: [.cite(.formats, "Names")],
                instead: "Rename or remove it in the build.",
                detection: "The names in the build directory are checked as bytes."),
            examples: [
                .bad("a.js", "x", refused: [RefusedNames.Name(name: name, problem: example)]),
                .good("a.js", "x"),
            ],
            site: { context, sink in
                var directories: [String: Int] = [:]
                let found = context.site.refused.filter { problem($0.problem) }
                for refused in found {
                    if let directory = collidingDirectory(refused) {
                        directories[directory, default: 0] += 1
                    }
                }
                for refused in found {
                    guard let directory = collidingDirectory(refused) else {
                        sink.report(name: refused.name, refused.problem.reason)
                        continue
                    }
                    // The first of the files stands for all of them.
                    guard let count = directories.removeValue(forKey: directory) else { continue }
                    sink.report(
                        name: directory, refused.problem.reason,
                        notes: ["\(counted(count, "file")) in this directory"])
                }
            })
    }
}
