/// The two rules about names that stay while their content changes.
extension Rule {
    /// Names without a hash, which a client that skips what it has never loads again.
    static let unhashedMutable = Rule(
        "unhashed-mutable", "the client never loads this name again", group: .names,
        level: .init(
            "where the client skips what it has: error for changed files, warning for changed pages, "
                + "info where no earlier release is given"
        ) { $0.client.skipsExisting ? .warning : nil },
        explanation: .init(
            what: """
                Finds names without a hash of the content. With the deployed manifest (--against) it \
                reports the files whose bytes changed under the same name.
                """,
            why: """
                The client compares names only: what is on the device already is skipped (S003 rule 3, \
                "已经下载过的文件跳过"). The old `logo.png` stays for ever, and so does the old \
                `index.html`, which names scripts that the update has deleted.
                """,
            source: "S003; 'packtool simulate' shows it for two releases",
            instead: """
                Let the bundler put a content hash into every name. Pages cannot have one: the client \
                has to refresh them itself, or load them over https.
                """,
            detection: """
                Compared with the deployed release by name (by last component where the client looks up \
                so); else one finding for the build, by a guess at hashes. Pages count as warnings, \
                since no release could change them otherwise.
                """),
        examples: [
            .bad(
                "logo.png", "new", "the deployed one has other bytes",
                previous: Example.deployed("logo.png")),
            .bad("logo.png", "new", "nothing to compare with"),
            .good("logo.3f9c2a71.png", "new"),
            .good("logo.BfX3_d2k.png", "new"),
            .good("logo.png", "new", "a client that replaces all", profile: .pathStrict),
            .good(
                "fresh.png", "new", "a new name is loaded",
                previous: Example.deployed("logo.png")),
        ],
        site: { context, sink in
            guard let previous = context.site.previous else {
                return MutableNames.reportUnhashed(context, &sink)
            }
            for change in MutableNames.changes(context, since: previous) where !change.isHashed {
                sink.report(
                    file: change.file,
                    "its bytes changed under the same name: devices that have "
                        + "'\(change.name)' keep the old ones",
                    severity: change.isPage ? nil : .error)
            }
        })

    /// A hash in the name that stayed while the bytes changed.
    static let hashNotContent = Rule(
        "hash-not-content", "the hash in the name is not that of the content", group: .names,
        level: .init("error where the client skips what it has, else warning; with --against") {
            $0.client.skipsExisting ? .error : .warning
        },
        explanation: .init(
            what:
                "Finds files whose bytes differ from the deployed ones although their names have a hash.",
            why: """
                The hash says that nothing changed, so clients and caches keep the old bytes. It \
                happens with a hash of the whole build (`[hash]` instead of `[contenthash]`), or when a \
                later step, a rewriter for instance, changes files after they were named.
                """,
            source: "webpack, output.filename; rules catalogue, section 11",
            instead: "Hash the content, as the last step of the build.",
            detection: "Compared with the deployed release by name; a guess at what is a hash."),
        examples: [
            .bad(
                "app.3f9c2a71.js", "new",
                previous: Example.deployed("app.3f9c2a71.js")),
            .good("app.77aa12ff.js", "new", previous: Example.deployed("app.3f9c2a71.js")),
            .good("app.js", "new", previous: Example.deployed("app.js")),
        ],
        site: { context, sink in
            guard let previous = context.site.previous else { return }
            for change in MutableNames.changes(context, since: previous) where change.isHashed {
                sink.report(
                    file: change.file, "its bytes changed, and the hash in '\(change.name)' did not"
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

    /// Files that the deployed release has under the same name, with other bytes.
    static func changes(_ context: SiteContext, since previous: Manifest) -> [Change] {
        let byName = context.profile.client.lookUp == .basename
        let key = { (path: AssetPath) in byName ? path.fileName : path.bytes }
        var before: [[UInt8]: Set<Digest>] = [:]
        for entry in previous.entries {
            before[key(entry.asset.path), default: []].insert(entry.asset.sha256)
        }
        return context.site.files.enumerated().compactMap { index, file in
            let name = key(file.path)
            guard let known = before[name], let digest = context.summaries[index].sha256,
                !known.contains(digest)
            else { return nil }
            return Change(
                file: index, name: printable(name),
                isHashed: ContentHash.isIn(file.path.fileName),
                isPage: file.kind == .html)
        }
    }

    static func reportUnhashed(_ context: SiteContext, _ sink: inout FindingSink) {
        let hashed = HashedDirectories(context.site.files.map(\.path))
        let names = context.site.files.map(\.path).filter { !hashed.isHashed($0) }
        guard let first = names.first else { return }
        let shown = names.prefix(5).map { printable($0.bytes) }.joined(separator: ", ")
        sink.report(
            name: ".",
            names.count == 1
                ? "'\(printable(first.bytes))' has no hash in its name: devices never load it again"
                : "\(names.count) names have no hash: devices never load them again",
            notes: names.count == 1
                ? [] : ["they are \(shown)\(names.count > 5 ? ", …" : "")"],
            severity: .info)
    }
}

extension Example {
    /// A deployed manifest with one file, whose content is not that of any example.
    static func deployed(_ path: String) -> String {
        let hash = String(repeating: "0", count: 64)
        let url = "https://cdn.example.com/objects/\(hash)/\(path)"
        let listing = Release(
            assets: [try? AssetPath(path)].compactMap { path in
                path.flatMap { path in
                    Digest(hash).map { Asset(path: path, size: 3, sha256: $0) }
                }
            })
        return """
            {"version": "\(listing.version)", "files": ["\(url)"], "schema": 1, "app": "shop",
             "packageHash": "\(listing.packageHash)", "launch": null, "scheme": "customscheme",
             "assets": [{"path": "\(path)", "url": "\(url)", "sha256": "\(hash)", "size": 3,
             "type": "application/octet-stream"}], "build": {"commit": null, "tool": "packtool 1.0.0"}}
            """
    }
}
