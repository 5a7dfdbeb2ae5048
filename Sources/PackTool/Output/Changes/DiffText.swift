import PackGround
import PackRelease
import PackReport

/// The output of `packtool diff`.
struct DiffText {
    let diff: ReleaseDiff
    let old: NamedRelease
    let new: NamedRelease
    let list: ChangeList

    init(_ diff: ReleaseDiff, from old: NamedRelease, to new: NamedRelease) {
        self.diff = diff
        self.old = old
        self.new = new
        list = ChangeList(diff, unknown: old.unknown, hasOldSizes: !old.isSeed)
    }

    private var same: String {
        "\(new.version): the same content, \(counted(new.release.assets.count, "file"))"
    }

    /// - Parameter limit: The maximum number of changes of a kind; 0 for all.
    func text(limit: Int) -> Text {
        if list.isEmpty { return Text(same) }
        return Text(
            lines: ["\(old.version) -> \(new.version)"] + list.lines(limit: limit, Self.line)
                + [list.summary])
    }

    private static func line(_ change: ChangeList.Change) -> String {
        let sign =
            switch change.kind {
            case .added: "+"
            case .removed: "-"
            case .changed: "~"
            case .renamed, .moved: ">"
            case .unknown: "?"
            }
        let from = change.from.map { "\($0) -> " } ?? ""
        let note =
            change.kind == .unknown
            ? "; unknown whether it changed, because the old manifest has no hashes" : ""
        let sizes = change.sizes + note
        return "  \(sign) \(from)\(change.path)" + (sizes.isEmpty ? "" : "  \(sizes)")
    }

    /// - Parameter limit: The maximum number of changes of a kind; 0 for all.
    func markdown(limit: Int) -> Text {
        var lines = ["## packtool diff", ""]
        guard !list.isEmpty else { return Text(lines: lines + [Markdown.prose(same)]) }
        lines += [
            "\(Markdown.code(old.version)) to \(Markdown.code(new.version)): \(list.summary)", "",
            "| | file | before | after |", "|---|---|---|---|",
        ]
        for kind in ChangeList.Kind.allCases {
            let all = list.changes[kind] ?? []
            let shown = limit == 0 ? all[...] : all.prefix(limit)
            for change in shown {
                let from = change.from.map { Markdown.codeCell($0) + " to " } ?? ""
                let size = { (size: UInt64?) in size.map(readableSize) ?? "" }
                lines.append(
                    "| \(kind) | \(from)\(Markdown.codeCell(change.path)) | \(size(change.old)) | "
                        + "\(size(change.new)) |")
            }
            if all.count > shown.count {
                lines.append("| \(kind) | … and \(grouped(all.count - shown.count)) more | | |")
            }
        }
        return Text(lines: lines)
    }

    /// A single notice, because changes are not problems: a summary, and the first changes.
    var github: Text {
        let lines = list.lines(limit: 3, Self.line)
        return Text(commands: [
            GitHubCommand(
                "notice", [("title", "packtool diff")],
                [list.isEmpty ? same : "\(old.version) -> \(new.version): \(list.summary)"] + lines)
        ])
    }

    /// The complete result.
    var json: JSONValue {
        let side = { (named: NamedRelease) -> JSONValue in
            .members([
                "version": .string(named.version),
                "packageHash": named.isSeed ? nil : .string(named.release.packageHash.description),
                "files": .integer(named.release.assets.count),
                "bytes": named.isSeed ? nil : .integer(named.release.totalBytes),
            ])
        }
        let asset = { (asset: Asset) -> JSONValue in
            .members([
                "path": .string(asset.path.description), "size": .integer(asset.size),
                "sha256": .string(asset.sha256.description),
            ])
        }
        return .members([
            "old": side(old), "new": side(new),
            "added": .array(diff.added.map(asset)),
            // A manifest without hashes only contains names.
            "removed": .array(
                diff.removed.map {
                    old.isSeed ? .members(["path": .string($0.path.description)]) : asset($0)
                }),
            "changed": .array(
                diff.changed.filter { !old.unknown.contains($0.new.path) }.map {
                    .members([
                        "path": .string($0.new.path.description), "oldSize": .integer($0.old.size),
                        "newSize": .integer($0.new.size),
                        "oldSha256": .string($0.old.sha256.description),
                        "newSha256": .string($0.new.sha256.description),
                    ])
                }),
            "renamed": .array(
                diff.renamed.map {
                    .members([
                        "from": .string($0.old.path.description),
                        "to": .string($0.new.path.description),
                        "oldSize": old.isSeed ? nil : .integer($0.old.size),
                        "newSize": .integer($0.new.size),
                        "oldSha256": old.isSeed ? nil : .string($0.old.sha256.description),
                        "newSha256": .string($0.new.sha256.description),
                    ])
                }),
            "moved": .array(
                diff.moved.map {
                    .members([
                        "from": .string($0.old.path.description),
                        "to": .string($0.new.path.description),
                        "size": .integer($0.new.size),
                    ])
                }),
            "unknown": old.isSeed
                ? .strings(old.unknown.sorted().map(\.description)) : nil,
            "unchanged": .integer(diff.unchanged.count),
            "newContentBytes": .integer(diff.newContentBytes),
        ])
    }
}
