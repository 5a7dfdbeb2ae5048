import PackGround
import PackProfile

/// The arguments of the engine's process.
struct EngineLaunch: Equatable {
    var scheme: String
    /// The absolute path of the build.
    var build: String
    /// The absolute path of the engine's own files.
    var storage: String
    /// The absolute path of the run's temporary directory, which the engine removes if its parent
    /// is gone.
    var scratch: String
    var hasNetwork: Bool
    var hasWindow: Bool

    var arguments: [String] {
        [
            EngineChild.argument, scheme, build, storage, scratch,
            hasNetwork ? "network" : "offline", hasWindow ? "window" : "hidden",
        ]
    }
}

extension EngineLaunch {
    /// Reads arguments, the first of which is ``EngineChild/argument``.
    init?(_ arguments: [String]) {
        guard arguments.count == 7 else { return nil }
        self.init(
            scheme: arguments[1], build: arguments[2], storage: arguments[3],
            scratch: arguments[4], hasNetwork: arguments[5] == "network",
            hasWindow: arguments[6] == "window")
    }
}

extension EngineLaunch {
    /// - Parameters:
    ///   - temporary: The content of a temporary directory.
    ///   - name: A new name in it.
    init(
        _ profile: Profile, build: String, in temporary: Directory, named name: String,
        hasNetwork: Bool, hasWindow: Bool
    ) throws {
        try temporary.makeDirectory(name)
        let content = resolvedPath(temporary.path)
        self.init(
            scheme: String(decoding: profile.canonicalScheme, as: UTF8.self), build: build,
            storage: "\(content)/\(name)",
            scratch: content.lastSlash.map { String(content[..<$0]) } ?? content,
            hasNetwork: hasNetwork, hasWindow: hasWindow)
    }
}
