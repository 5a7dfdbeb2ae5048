import PackDeltaFile
import PackDeltaMaking
import PackGround
import PackRelease
import PackReport
import PackVerify

/// The output of `packtool verify info.json --build DIR`.
struct BuildVerificationText {
    let manifest: String
    let build: String
    let result: BuildVerification
    let release: Release
    /// The changes from the manifest to the build.
    let list: ChangeList

    /// - Parameters:
    ///   - path: The path of the manifest as given.
    ///   - build: The path of the build as given.
    init(_ manifest: Manifest, at path: String, against release: Release, in build: String) {
        self.manifest = path
        self.build = build
        self.release = release
        result = BuildVerification(manifest, against: release)
        list = ChangeList(
            ReleaseDiff(
                from: manifest.release, to: release,
                pairs: ReleasePairs.byName(from: manifest.release, to: release)))
    }

    private var match: String {
        "\(manifest) describes \(build): version \(result.version), "
            + counted(release.assets.count, "file")
    }

    /// The number of files by kind of difference, as in the list.
    var counts: String {
        let count = { (kinds: [ChangeList.Kind]) in
            kinds.map { list.changes[$0]?.count ?? 0 }.reduce(0, +)
        }
        let renamed = count([.renamed, .moved])
        return "\(grouped(count([.removed]))) missing, \(grouped(count([.added]))) extra, "
            + "\(grouped(count([.changed, .unknown]))) changed"
            + (renamed > 0 ? ", \(grouped(renamed)) renamed" : "")
    }

    private static func word(_ kind: ChangeList.Kind) -> String {
        switch kind {
        case .added: "extra"
        case .removed: "missing"
        case .changed, .unknown: "changed"
        case .renamed, .moved: "renamed"
        }
    }

    private static func line(_ change: ChangeList.Change) -> String {
        let word = word(change.kind)
        return word + String(repeating: " ", count: 9 - word.count)
            + (change.from.map { "\($0) -> " } ?? "") + change.path
    }

    /// - Parameter limit: The maximum number of files of a kind; 0 for all.
    func text(limit: Int) -> Text {
        result.isMatch ? Text(match) : Text(lines: list.lines(limit: limit, Self.line))
    }

    /// - Parameter limit: The maximum number of files of a kind; 0 for all.
    func markdown(limit: Int) -> Text {
        var lines = ["## packtool verify", ""]
        guard !result.isMatch else { return Text(lines: lines + [Markdown.prose(match)]) }
        lines += [
            "\(Markdown.code(manifest)) does not describe \(Markdown.code(build)): \(counts)", "",
            "| | file |", "|---|---|",
        ]
        for kind in ChangeList.Kind.allCases {
            let all = list.changes[kind] ?? []
            let shown = limit == 0 ? all[...] : all.prefix(limit)
            lines += shown.map { change in
                let from = change.from.map { Markdown.codeCell($0) + " to " } ?? ""
                return "| \(Self.word(kind)) | \(from)\(Markdown.codeCell(change.path)) |"
            }
            if all.count > shown.count {
                lines.append(
                    "| \(Self.word(kind)) | … and \(grouped(all.count - shown.count)) more |")
            }
        }
        return Text(lines: lines)
    }

    /// An annotation for each of the first files, and one with the counts.
    var github: Text {
        guard !result.isMatch else {
            return Text(commands: [GitHubCommand("notice", [("title", "packtool verify")], [match])]
            )
        }
        let all = ChangeList.Kind.allCases.flatMap { list.changes[$0] ?? [] }
        var folder = build
        while folder.hasSuffix("/") { folder.removeLast() }
        // One of the ten is the annotation with the counts.
        let shown = all.prefix(GitHubCommand.limit - 1)
        let commands = shown.map { change in
            GitHubCommand(
                "error",
                [
                    ("file", change.kind == .removed ? manifest : "\(folder)/\(change.path)"),
                    ("title", "packtool verify"),
                ], [Self.line(change)])
        }
        let rest =
            all.count > shown.count
            ? "; \(grouped(all.count - shown.count)) not annotated here" : ""
        return Text(
            commands: commands + [
                GitHubCommand(
                    "error", [("file", manifest), ("title", "packtool verify")],
                    ["'\(manifest)' does not describe '\(build)': \(counts)\(rest)"])
            ])
    }

    /// The complete result.
    var json: JSONValue {
        let names = { (paths: [AssetPath]) in JSONValue.strings(paths.map(\.description)) }
        let renamed = [ChangeList.Kind.renamed, .moved].flatMap { list.changes[$0] ?? [] }
        return .members([
            "ok": .bool(result.isMatch), "version": .string(result.version.description),
            "buildVersion": .string(release.version.description),
            "missing": names(result.missing), "extra": names(result.extra),
            "changed": names(result.changed),
            "renamed": .array(
                renamed.map {
                    .members(["from": .string($0.from ?? ""), "to": .string($0.path)])
                }),
        ])
    }
}
