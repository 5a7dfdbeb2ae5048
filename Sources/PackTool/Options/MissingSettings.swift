import PackGround
import PackSettings

/// Several required settings given neither by a flag nor by `packtool.yaml`.
struct MissingSettings: Remedied {
    let missing: [MissingSetting]
    /// The arguments of the run, without the program.
    let arguments: [String]

    /// Rejects a run without its required settings, naming all of them at once.
    ///
    /// - Throws: ``MissingSetting``, ``MissingSettings``.
    static func check(
        _ needed: [MissingSetting], in settings: Settings, _ console: Console
    ) throws {
        let missing = needed.filter { settings.text($0.key) == nil }
        guard missing.count > 1 else {
            if let only = missing.first { throw only }
            return
        }
        throw MissingSettings(missing: missing, arguments: console.arguments)
    }

    var code: String { "usage.missing-settings" }
    var description: String {
        let names = missing.map(\.name)
        return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
            + " are missing"
    }
    var remedy: String {
        var words = ["packtool"] + arguments.map(shellWord)
        for setting in missing {
            if setting.key != .build, let flag = setting.key.flag { words.append("--\(flag)") }
            words.append(shellWord(setting.key.example))
        }
        return """
            run this with your own values, or let 'packtool init' write them to packtool.yaml:
              \(words.joined(separator: " "))
            """
    }
    var exitCode: ExitCode { .usage }
}
