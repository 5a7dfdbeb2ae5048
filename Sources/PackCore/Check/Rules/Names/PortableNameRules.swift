import PackGround

/// Rules about names that some systems cannot store.
extension Rule {
    /// Names rejected by Windows.
    static let windowsIllegalName = Rule(
        "windows-illegal-name", group: .names,
        level: .init("error for names that cannot be packaged, else warning") { _ in .warning },
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

    /// Names that are the same on a case-insensitive file system.
    static let caseCollision = refusedName("case-collision") {
        if case .collides = $0 { true } else { false }
    }

    /// Links.
    static let symlink = refusedName("symlink") { $0 == .symbolicLink || $0 == .notAFile }

    /// Paths that point out of the package.
    static let pathEscape = refusedName("path-escape") {
        [.backslash, .dotComponent, .absolute, .emptyComponent, .empty].contains($0)
    }

    /// Names with control characters or invalid UTF-8.
    static let controlCharName = refusedName("control-char-name") {
        $0 == .controlCharacter || $0 == .notUTF8
    }

    /// Names longer than file systems allow.
    static let nameTooLong = refusedName("name-too-long", refusesFiles: true) {
        $0 == .componentTooLong || $0 == .pathTooLong || $0 == .tooDeep
    }

    /// The directory of a refused name, if the collision is in the directory; `nil` if it is in the
    /// file's own name.
    private static func collidingDirectory(_ refused: RefusedName) -> String? {
        guard case .collides(let other) = refused.problem else { return nil }
        let parts = refused.name.pathComponents(omittingEmpty: false)
        let depth = other.pathComponents(omittingEmpty: false).count
        return parts.count > depth ? parts[..<depth].joined(separator: "/") : nil
    }

    /// A rule about names refused by the build scan.
    ///
    /// - Parameter refusesFiles: Whether scanned files may also have such a problem.
    private static func refusedName(
        _ id: String, refusesFiles: Bool = false,
        problem: @escaping @Sendable (NameProblem) -> Bool
    ) -> Rule {
        Rule(
            id, group: .names, level: .always(.error),
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
                    // Reported once, for the first of the files.
                    guard let count = directories.removeValue(forKey: directory) else { continue }
                    sink.report(
                        name: directory, refused.problem.reason,
                        notes: ["\(counted(count, "file")) in this directory"])
                }
                guard refusesFiles else { return }
                for (index, file) in context.site.files.enumerated() {
                    guard let found = file.path.portabilityProblem, problem(found) else { continue }
                    sink.report(file: index, found.reason)
                }
            })
    }
}
