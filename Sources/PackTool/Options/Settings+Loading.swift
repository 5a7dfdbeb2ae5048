import PackGround
import PackSettings

extension Settings {
    /// A configuration larger than this is not one.
    private static let sizeLimit = 1 << 20

    /// The flags of a command and the configuration file as one.
    ///
    /// - Parameter configurationFile: the one that was asked for, which must exist; `nil` for the
    ///   default one, which need not.
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
    /// What the command goes by: its flags, which win, and the configuration file.
    func settings() throws -> Settings {
        var flags = Configuration()
        give(to: &flags)
        return try Settings.load(flags, configurationFile: output.configFile)
    }
}
