import PackGround
import PackSettings

extension Failure.Code {
    static let usageUnusedFlag = Self("usage.unused-flag")
}

extension Failure {
    /// A flag without effect on the given inputs.
    static func usageUnusedFlag(_ flag: String, reason: String) -> Failure {
        Failure(
            .usageUnusedFlag, "\(flag) has no effect here: \(reason)", exitCode: .usage,
            details: ["flag": flag])
    }
}

enum UnusedFlag {
    /// - Parameter flags: Each flag, and whether it was given.
    /// - Throws: ``Failure/usageUnusedFlag(_:reason:)`` for the first given flag.
    static func refuse(_ flags: [(name: String, isGiven: Bool)], because reason: String) throws {
        if let given = flags.first(where: \.isGiven) {
            throw Failure.usageUnusedFlag(given.name, reason: reason)
        }
    }
}

extension ExcludeOption {
    /// Rejects patterns if none of the inputs is a build, because other inputs are never filtered.
    ///
    /// A missing path is reported later by the command.
    func refuse(for inputs: [String]) throws {
        guard !exclude.isEmpty else { return }
        let isBuild = try inputs.contains { input in
            if OriginAddress(input).isRemote { return false }
            if try OriginRelease.findDirectory(input) != nil { return false }
            if (try? InstalledRelease.find(input)) != nil { return false }
            guard let location = try? ReadableFile.locateExisting(input) else { return true }
            return try location.directory.status(location.name)?.kind != .file
        }
        guard !isBuild else { return }
        try UnusedFlag.refuse(
            [("--exclude", true)],
            because: "'\(withoutSecrets(inputs.last ?? ""))' is no build, and is taken as it is")
    }
}

extension ChannelOption {
    /// Rejects a channel if none of the inputs is an origin.
    func refuse(for inputs: [String]) throws {
        guard channel != nil else { return }
        let isOrigin = try inputs.contains {
            try OriginAddress($0).isRemote || OriginRelease.findDirectory($0) != nil
        }
        guard !isOrigin else { return }
        try UnusedFlag.refuse(
            [("--channel", true)],
            because: "'\(withoutSecrets(inputs.last ?? ""))' is no origin, and has no channels")
    }
}
