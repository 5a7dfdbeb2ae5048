import PackGround
import PackProfile
import PackRelease

/// Rules about names that stay the same while their content changes.
extension Rule {
    /// Names without a hash: a client that skips existing files never updates them.
    static let unhashedMutable = Rule(
        "unhashed-mutable", group: .names,
        level: .init(
            """
            if the client skips files it has: error for changed files, warning for changed pages \
            whose scripts and style sheets all stay, hint without an earlier release
            """
        ) { $0.client.skipsExisting ? .warning : nil },
        site: { context, sink in
            guard let previous = context.site.previous else {
                return MutableNames.reportUnhashed(context, &sink)
            }
            let deleted = MutableNames.deletedCode(context, since: previous)
            for change in try MutableNames.changes(context, since: previous) where !change.isHashed
            {
                sink.report(
                    file: change.file,
                    "the content changed but the name did not: devices that have "
                        + "'\(change.name)' keep the old content",
                    notes: change.isPage
                        ? deleted.prefix(3).map {
                            "the old page may need '\($0)', which is deleted"
                        }
                        : [],
                    severity: change.isPage && deleted.isEmpty ? nil : .error)
            }
        })

    /// A hash in the name that stayed the same while the content changed.
    static let hashNotContent = Rule(
        "hash-not-content", group: .names,
        level: .init("error if the client skips files it has, else warning; with --against") {
            $0.client.skipsExisting ? .error : .warning
        },
        site: { context, sink in
            guard let previous = context.site.previous else { return }
            for change in try MutableNames.changes(context, since: previous) where change.isHashed {
                sink.report(
                    file: change.file,
                    """
                    the content changed, but the hash in '\(change.name)' did not
                    """
                )
            }
        })
}

private enum MutableNames {
    struct Change {
        let file: Int
        let name: String
        let isHashed: Bool
        let isPage: Bool
    }

    /// Files with the same name but other bytes in the deployed release.
    static func changes(_ context: SiteContext, since previous: Manifest) throws -> [Change] {
        let byName = context.profile.client.lookUp == .basename
        let key = { (path: AssetPath) in byName ? path.fileName : path.bytes }
        var before: [[UInt8]: Set<Digest>] = [:]
        for entry in previous.entries {
            before[key(entry.asset.path), default: []].insert(entry.asset.sha256)
        }
        return try context.site.files.enumerated().compactMap { index, file in
            let name = key(file.path)
            guard let known = before[name], let digest = try context.site.digest(of: index),
                !known.contains(digest)
            else { return nil }
            return Change(
                file: index, name: printable(name),
                isHashed: ContentHash.isIn(file.path.fileName),
                isPage: file.kind == .html)
        }
    }

    /// The scripts and style sheets deleted by an update to this build.
    static func deletedCode(_ context: SiteContext, since previous: Manifest) -> [String] {
        let byName = context.profile.client.lookUp == .basename
        return previous.entries.map(\.asset.path).filter { path in
            guard ["js", "mjs", "css"].contains(path.fileEnding) else { return false }
            return byName
                ? context.site.listing.indices(named: path.fileName).isEmpty
                : context.site.listing.index(of: path.bytes) == nil
        }.map { printable($0.bytes) }
    }

    static func reportUnhashed(_ context: SiteContext, _ sink: inout FindingSink) {
        let hashed = HashedDirectories(context.site.files.map(\.path))
        let names = context.site.files.map(\.path).filter { !hashed.isHashed($0) }
        guard let first = names.first else { return }
        let shown = names.prefix(5).map { printable($0.bytes) }.joined(separator: ", ")
        sink.report(
            name: ".",
            names.count == 1
                ? """
                '\(printable(first.bytes))' has no hash in its name; devices never download it \
                again
                """
                : "\(names.count) names have no hash; devices never download them again",
            notes: names.count == 1
                ? [] : ["they are \(shown)\(names.count > 5 ? ", …" : "")"],
            severity: .hint)
    }
}
