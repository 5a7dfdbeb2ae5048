import PackGround

/// Rules about accidentally packaged files.
extension Rule {
    /// Files created by desktops and version control.
    static let osJunk = Rule(
        "os-junk", group: .names, level: .always(.hint),
        site: { context, sink in
            // The record of a rewrite is written by packtool.
            for name in context.site.leftOut.junk where name != JunkFiles.rewriteRecord {
                sink.report(name: name, "excluded from the package")
            }
        })

    /// Hidden files.
    static let dotfile = Rule(
        "dotfile", group: .names, level: .always(.warning),
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

    /// Whether a hidden file is an empty marker or contains nothing sensitive.
    private static func isMarker(_ name: some Sequence<UInt8>) -> Bool {
        [".nojekyll", ".gitkeep", ".keep", ".gitignore", ".npmignore", ".gitattributes"].contains {
            name.elementsEqual($0.utf8)
        }
    }

    /// Keys and passwords.
    static let sensitiveFile = Rule(
        "sensitive-file", group: .names, level: .always(.error),
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

/// A pattern that matches exactly this path or name.
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
