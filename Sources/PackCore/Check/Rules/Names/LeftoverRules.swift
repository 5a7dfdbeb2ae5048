/// Rules about files that are shipped by accident.
extension Rule {
    /// What desktops and version control leave behind.
    static let osJunk = Rule(
        "os-junk", "the build contains junk files", group: .names, level: .always(.hint),
        explanation: .init(
            what: "Lists `.DS_Store`, `Thumbs.db`, `__MACOSX`, `.git` and leftovers of editors.",
            why: """
                packtool leaves them out of the hash and the package; other tools would ship them.
                """,
            sources: [
                .cite(.formats, "Names"), .cite(.codePush, "hash-utils.ts ignores the same files"),
            ],
            instead: "Clean the output directory before the build.",
            detection: "Every component of a path is compared with a list of names."),
        examples: [
            .bad("a.txt", "x", leftOut: LeftOut(junk: [".DS_Store"])),
            .good("a.txt", "x"),
        ],
        site: { context, sink in
            // The record of a rewrite is ours, not a leftover.
            for name in context.site.leftOut.junk where name != JunkFiles.rewriteRecord {
                sink.report(name: name, "excluded from the package")
            }
        })

    /// Hidden files.
    static let dotfile = Rule(
        "dotfile", "a hidden file is shipped", group: .names, level: .always(.warning),
        explanation: .init(
            what: "Finds files and directories whose names start with a dot.",
            why: """
                They are made for servers, editors or build tools. A device does not use them, and \
                some reveal more than they should.
                """,
            sources: [.cite(.ruleStudy)],
            instead: "Exclude them (`exclude:`), or leave them out of the build output.",
            detection: "Every component of the path is checked; `.well-known` is allowed."),
        examples: [
            .bad(".htaccess", "x"), .bad("assets/.eslintrc", "x"),
            .bad(".nojekyll", "", "a mark for a server: a hint"),
            .good(".well-known/assetlinks.json", "[]"), .good("a.b.txt", "x"),
        ],
        site: { context, sink in
            for (index, file) in context.site.files.enumerated()
            where SensitiveFiles.reason(file.path, context.summaries[index].keys) == nil {
                let hidden = file.path.bytes.split(separator: UInt8(ascii: "/")).first {
                    $0.first == UInt8(ascii: ".") && !$0.elementsEqual(".well-known".utf8)
                }
                guard let hidden else { continue }
                sink.report(
                    file: index, "'\(printable(hidden))' is hidden but is shipped",
                    severity: Self.isMarker(hidden) ? .hint : nil, cause: printable(hidden),
                    setting: SettingProposal("exclude", adding: [escapedPattern(hidden)]))
            }
        })

    /// Whether a hidden file has no content, or none that says anything.
    private static func isMarker(_ name: some Sequence<UInt8>) -> Bool {
        [".nojekyll", ".gitkeep", ".keep", ".gitignore", ".npmignore", ".gitattributes"].contains {
            name.elementsEqual($0.utf8)
        }
    }

    /// Keys and passwords.
    static let sensitiveFile = Rule(
        "sensitive-file", "a file with secrets would be published", group: .names,
        level: .always(.error),
        explanation: .init(
            what: "Finds private keys, `.env` files, `.npmrc`, `.netrc` and similar files.",
            why: """
                Everything in a package is public: it is on a CDN and in every app's cache, and \
                immutable names keep it there.
                """,
            sources: [.cite(.ruleStudy)],
            instead:
                """
                Remove it from the build. If it was ever published, revoke or change what it \
                protects.
                """,
            detection: """
                File names are compared with a list. Files of at most 64 KiB are searched for private \
                keys: PEM, OpenPGP and PuTTY, also in a string of JSON or a script. A `.pem` file with \
                certificates or public keys alone is allowed.
                """),
        examples: [
            .bad(".env.production", "A=1"), .bad("keys/server.pem", "x"),
            .bad("notes.txt", "-----BEGIN RSA PRIVATE KEY-----\n"),
            .bad("windows.txt", "-----BEGIN PRIVATE KEY-----\r\nMIIE\r\n"),
            .bad("key.asc", "\n-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOY\n"),
            .bad(
                "account.txt",
                "{\"private_key\": \"-----BEGIN PRIVATE KEY-----\\n"
                    + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA\\n\"}"),
            .bad("server.txt", "PuTTY-User-Key-File-3: ssh-ed25519\n"),
            .good("ca.pem", "-----BEGIN CERTIFICATE-----\nMIID\n"),
            .good("pem.js", "if (text.startsWith(\"-----BEGIN PRIVATE KEY-----\")) parse(text)"),
            .good("environment.js", "x"), .good(".environment/a.txt", "x"),
        ],
        site: { context, sink in
            for (index, file) in context.site.files.enumerated() {
                guard
                    let reason = SensitiveFiles.reason(
                        file.path, context.summaries[index].keys)
                else { continue }
                sink.report(
                    file: index, reason,
                    setting: SettingProposal(
                        "exclude", adding: ["/" + escapedPattern(file.path.bytes)]))
            }
        })
}

/// A path or name as a pattern that matches it alone.
private func escapedPattern(_ name: some Sequence<UInt8>) -> String {
    var escaped: [UInt8] = []
    for byte in name {
        if "\\*?[".utf8.contains(byte) { escaped.append(UInt8(ascii: "\\")) }
        escaped.append(byte)
    }
    return String(decoding: escaped, as: UTF8.self)
}

private enum SensitiveFiles {
    private static let names: Set<String> = [
        ".env", ".npmrc", ".yarnrc", ".netrc", ".pypirc", ".htpasswd", ".git-credentials",
        ".pgpass",
        "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "credentials.json", "service-account.json",
    ]

    static func reason(_ path: AssetPath, _ keys: KeyText) -> String? {
        let name = String(decoding: path.fileName, as: UTF8.self).lowercased()
        if names.contains(name) || name.hasPrefix(".env.") {
            return "'\(printable(path.fileName))' is a file for secrets"
        }
        let ending = path.fileEnding
        if ["p12", "pfx", "jks", "keystore", "mobileprovision", "ppk"].contains(ending)
            || ending == "pem" && keys == .none
        {
            return "'.\(ending)' files contain keys"
        }
        return keys == .privateKey ? "it contains a private key" : nil
    }
}
