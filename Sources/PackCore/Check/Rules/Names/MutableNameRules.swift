/// Two rules about names that stay the same while their content changes.
extension Rule {
    /// Names without a hash: a client that skips files it has never loads them again.
    static let unhashedMutable = Rule(
        "unhashed-mutable",
        """
        a name has no content hash, so the client never downloads it again
        """, group: .names,
        level: .init(
            """
            where the client skips files it has: error for changed files, warning for changed \
            pages whose scripts and style sheets all stay, hint where no earlier release is given
            """
        ) { $0.client.skipsExisting ? .warning : nil },
        explanation: .init(
            what: """
                Finds names without a content hash. With the deployed manifest (`--against`) it \
                reports the files whose bytes changed under the same name.
                """,
            why: """
                The client compares only names and skips what is on the device already \
                ("已经下载过的文件跳过": skip files that are downloaded already). The old `logo.png` is \
                never replaced, and neither is the old `index.html`, which refers to scripts that \
                the update has deleted.
                """,
            sources: [.cite(.s003, "rule 3 of the update")],
            instead: """
                Have the bundler add a content hash to every name. Pages cannot have one: the \
                client has to refresh them itself or load them over https.
                """,
            detection: """
                Names are compared with the deployed release (by last component where the client \
                looks up names); without a release there is one finding for the build, based on a \
                guess at what is a hash. A page is an error if the release deletes scripts or style \
                sheets, which the old page on the device names. `packtool publish` compares with \
                what is at its origin; `packtool simulate` shows the effect on two releases.
                """),
        examples: [
            .bad(
                "logo.png", "new", "the deployed file has other bytes",
                previous: Example.deployed("logo.png")),
            .bad("logo.png", "new", "nothing to compare with"),
            .bad(
                "index.html", "<p>new</p>", "a page that names deleted scripts: an error",
                previous: Example.deployed("app.1a2b3c4d.js", "index.html"), silent: []),
            .good("logo.3f9c2a71.png", "new"),
            .good("logo.BfX3_d2k.png", "new"),
            .good("logo.png", "new", "the client replaces all files", profile: .pathStrict),
            .good(
                "fresh.png", "new", "a new name is downloaded",
                previous: Example.deployed("logo.png")),
        ],
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

    /// A hash in the name that stayed the same while the bytes changed.
    static let hashNotContent = Rule(
        "hash-not-content", "the hash in the name does not match the content", group: .names,
        level: .init("error where the client skips files it has, else warning; with --against") {
            $0.client.skipsExisting ? .error : .warning
        },
        explanation: .init(
            what:
                """
                Finds files whose bytes differ from the deployed ones although their names \
                contain a hash.
                """,
            why: """
                The hash says that nothing changed, so clients and caches keep the old bytes. It \
                happens with a hash of the whole build (`[hash]` instead of `[contenthash]`), or \
                when a later step, such as a rewriter, changes files after they were named.
                """,
            sources: [.cite(.webpack, "output.filename"), .cite(.ruleStudy)],
            instead: "Hash the content as the last step of the build.",
            detection: """
                Names are compared with the deployed release; what counts as a hash is a guess.
                """),
        examples: [
            .bad(
                "app.3f9c2a71.js", "new",
                previous: Example.deployed("app.3f9c2a71.js")),
            .good("app.77aa12ff.js", "new", previous: Example.deployed("app.3f9c2a71.js")),
            .good("app.js", "new", previous: Example.deployed("app.js")),
        ],
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

    /// Files that the deployed release has under the same name with other bytes.
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

    /// The scripts and style sheets that an update to this build deletes.
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

extension Example {
    /// A deployed manifest with files whose content matches no example.
    package static func deployed(_ paths: String...) -> String {
        let hash = String(repeating: "0", count: 64)
        let url = { (path: String) in "https://cdn.example.com/objects/\(hash)/\(path)" }
        let listing = Release(
            assets: paths.compactMap { try? AssetPath($0) }.compactMap { path in
                Digest(hash).map { Asset(path: path, size: 3, sha256: $0) }
            })
        let files = paths.map { path in "\"\(url(path))\"" }.joined(separator: ", ")
        let assets = paths.map {
            "{\"path\": \"\($0)\", \"url\": \"\(url($0))\", \"sha256\": \"\(hash)\", \"size\": 3, "
                + "\"type\": \"application/octet-stream\"}"
        }.joined(separator: ", ")
        return """
            {"version": "\(listing.version)", "files": [\(files)], "schema": 1, "app": "shop",
             "packageHash": "\(listing.packageHash)", "launch": null, "scheme": "customscheme",
             "assets": [\(assets)], "build": {"commit": null, "tool": "packtool 1.0.0"}}
            """
    }
}
