import PackCheck

/// Old names of flags, profiles and rules, which scripts and `packtool.yaml` may still contain.
package enum RenamedWords {
    /// New names of flags by their old ones.
    private static let flags = [
        "--by": "--actor",
        "--conditions": "--conditional-writes",
        "--correct": "--allow-identity-change",
        "--force-unsafe": "--no-conditional-writes",
        "--read-back-all": "--verify-all",
    ]

    private static let profiles = ["seed003": "basename-cache"]

    /// The values renamed of a flag, as the command line spells it.
    private static func values(of flag: String) -> [String: String]? {
        switch flag {
        case "--client", "--profile": profiles
        case "--ignore", "--select": RuleCatalog.renamed
        default: nil
        }
    }

    /// The new name of a setting's value; `nil` if the value was not renamed.
    static func newName(of value: String, for key: SettingKey) -> String? {
        switch key {
        case .profile, .profileBase: profiles[value]
        case .checkIgnore: RuleCatalog.renamed[value]
        default: nil
        }
    }

    /// Replaces old names in a command line, up to `--`.
    ///
    /// - Returns: The arguments, and a note for each replaced name.
    package static func replace(
        in arguments: [String]
    ) -> (arguments: [String], notes: [String]) {
        var arguments = arguments
        var notes: [String] = []
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        for index in arguments[..<end].indices {
            let parts = arguments[index].split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false
            ).map(String.init)
            if let new = flags[parts[0]] {
                arguments[index] = ([new] + parts.dropFirst()).joined(separator: "=")
                notes.append(note(parts[0], new))
            } else if parts.count == 2, let new = values(of: parts[0])?[parts[1]] {
                arguments[index] = "\(parts[0])=\(new)"
                notes.append(note(parts[1], new))
            } else if index > 0,
                let new = values(of: arguments[index - 1])?[arguments[index]]
                    ?? (arguments[0] == "rules" ? RuleCatalog.renamed[arguments[index]] : nil)
            {
                notes.append(note(arguments[index], new))
                arguments[index] = new
            }
        }
        return (arguments, notes)
    }

    package static func note(_ old: String, _ new: String) -> String {
        "'\(old)' has been renamed; use '\(new)'"
    }
}
