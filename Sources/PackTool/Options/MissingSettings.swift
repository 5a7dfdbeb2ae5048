import PackGround
import PackSettings

extension Failure.Code {
    static let usageMissingSettings = Self("usage.missing-settings")
}

extension Failure {
    /// Several required settings given neither by a flag nor by `packtool.yaml`.
    ///
    /// - Parameter arguments: The arguments of the run, without the program.
    fileprivate static func usageMissingSettings(
        _ missing: [RequiredSetting], arguments: [String]
    ) -> Failure {
        let names = missing.map(\.name)
        var words = ["packtool"] + arguments.map(shellWord)
        for setting in missing {
            if setting.key != .build, let flag = setting.key.flag { words.append("--\(flag)") }
            words.append(shellWord(setting.key.example))
        }
        return Failure(
            .usageMissingSettings,
            names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
                + " are missing",
            exitCode: .usage, details: ["command": words.joined(separator: " ")])
    }
}

extension Settings {
    /// Rejects a run without its required settings, naming all of them at once.
    func require(_ needed: [RequiredSetting], _ console: Console) throws(Failure) {
        let missing = needed.filter { text($0.key) == nil }
        guard missing.count > 1 else {
            if let only = missing.first { throw .usageMissing(only) }
            return
        }
        throw .usageMissingSettings(missing, arguments: console.arguments)
    }
}
