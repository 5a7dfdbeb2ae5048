import PackGround
import PackSettings

extension Remedies {
    static let settings: Table = [
        .configNotYAML: plainLines,
        .configNotAMapping: plainLines,
        .configTab: "use spaces",
        .configNotUTF8: "save the file as UTF-8",
        .configUnknownKey: Remedy { failure in
            let (key, parent) = (failure["key"], SettingKey(rawValue: failure["parent"]))
            let known =
                parent == nil && key.contains(".")
                ? SettingKey.allCases.map(\.rawValue)
                : SettingKey.keys(under: parent).map(\.name)
            if let nearest = nearestWord(to: key, in: known) {
                return "write '\(nearest)', or remove the line"
            }
            return (parent.map { "use one of the keys of '\($0.rawValue)': " } ?? "use one of: ")
                + known.joined(separator: ", ")
        },
        .configRepeatedKey: "remove one of the two",
        .configBothProfiles: "move the profile into the list of 'profiles'",
        .profileAmbiguous: Remedy { "name one, such as --profile \($0["example"])" },
        .configNotText: wrongType,
        .configNotTextList: wrongType,
        .configNotANumber: wrongType,
        .configNotTrueOrFalse: wrongType,
        .configNotASize: wrongType,
        .configNotABlock: wrongType,
        .configControlCharacter: "write it as plain text on one line",
        .configNotAChoice: Remedy {
            let choices = SettingKey(rawValue: $0["key"])?.form.choices ?? []
            return nearestWord(to: $0["word"], in: choices).map { "write '\($0)'" }
                ?? "use one of: " + choices.joined(separator: ", ")
        },
        .configMalformed: Remedy { "use a value such as '\($0["example"])'" },
    ]

    static let missingSettings = SettingKey.allCases.reduce(
        into: [
            .usageMissingSettings: Remedy {
                "run this with your own values, or let 'packtool init' write them to packtool.yaml:\n  "
                    + $0["command"]
            }
        ] as Table
    ) { table, key in
        table[.usageMissing(key)] = Remedy {
            "give \($0["flag"]), or write '\($0["key"]): \(key.example)' in packtool.yaml"
        }
    }

    private static let plainLines: Remedy = """
        write each key as 'key: value', with quotes around a value that has ': ' or ' #'; \
        docs/guide/settings.md has examples
        """

    /// Content of another form than the key's.
    private static let wrongType = Remedy { failure in
        guard let key = SettingKey(rawValue: failure["key"]) else { return bug }
        let line = "'\(key.name): \(key.example)'"
        if key.form == .size {
            return "write \(line), or another number of B, kB, MB, GB, KiB, MiB or GiB"
        }
        guard key.form == .text || key.form == .texts else { return "write \(line), for example" }
        switch failure["found"] {
        case "word": return "put quotes around it, as in \(key.name): \"1.0\""
        case "nothing": return "write a value, as in \(line), or remove the line"
        default:
            return key.form == .text
                ? "write one value, as in \(line)" : "write a list, as in \(line)"
        }
    }
}
