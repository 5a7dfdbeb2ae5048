import PackGround
import PackSettings

extension Settings {
    /// The maximum size of a configuration file in bytes.
    private static let sizeLimit = 1 << 20

    /// Combines the flags of a command with the configuration file.
    ///
    /// - Parameter configurationFile: An explicit file, which must exist; `nil` for the default
    ///   one, which need not.
    static func load(_ flags: Configuration, configurationFile: String?) throws -> Settings {
        let file = configurationFile ?? Defaults.configurationFile
        let slash = file.lastSlash
        let base = slash.map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
        if configurationFile == nil, try Directory.open(base).status(file) == nil {
            return try Settings(flags: flags)
        }
        CurrentFile.begin(file)
        defer { CurrentFile.end() }
        let bytes = try ReadableFile.read(file, limit: sizeLimit)
        let configuration = try ConfigurationReader.read(bytes, file: file)
        return try Settings(flags: flags, file: configuration, base: base)
    }
}

extension ToolCommand {
    /// The command's flags, which take precedence, and the configuration file.
    func settings(_ console: Console? = nil) throws -> Settings {
        var flags = Configuration()
        apply(to: &flags)
        let settings = try Settings.load(flags, configurationFile: output.configFile)
        for note in settings.notes { console?.note(note) }
        return settings
    }

    /// The same, with the build output that `packtool init` would find here if none is set.
    ///
    /// For commands that only read it.
    func settingsWithBuild(_ console: Console) throws -> Settings {
        let settings = try settings(console)
        guard settings.text(.build) == nil, let project = try? Directory.open("."),
            let build = try? ProjectInspection(project, path: ".").location(in: project)
        else { return settings }
        console.note(
            "the build is '\(build)', which was found here; 'packtool init' writes it down")
        var flags = Configuration()
        apply(to: &flags)
        flags.set(.build, build)
        return try Settings.load(flags, configurationFile: output.configFile)
    }
}
