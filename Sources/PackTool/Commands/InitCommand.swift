import ArgumentParser
import PackCore
import PackSettings

/// `packtool init`.
struct InitCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a commented packtool.yaml for the build output it finds.",
        discussion: """
            Looks for a build output (dist, build, out, www, public, …) below the project's directory. \
            An existing file is never overwritten without --force.

            Example:
              packtool init
              packtool init --app shop --base-url https://cdn.example.com/shop
            """)

    @Argument(
        help: ArgumentHelp("The project's directory, or its build output.", valueName: "dir"),
        completion: .path)
    var directory: String = "."

    @Flag(help: "Overwrite an existing file.")
    var force = false

    @OptionGroup var identity: IdentityOptions
    @OptionGroup var pages: PageOptions
    @OptionGroup var launch: LaunchOption
    @OptionGroup var line: ChannelOption
    @OptionGroup var output: OutputOptions

    /// Where bundlers put their output, the most telling names first.
    private static let usualNames = [
        "dist", "build", "out", "www", "_site", ".output/public", "public",
    ]

    func give(to settings: inout Configuration) {
        identity.give(to: &settings)
        pages.give(to: &settings)
        launch.give(to: &settings)
        line.give(to: &settings)
    }

    func run(_ console: Console) async throws -> Int32 {
        // The file is written, not read: only the flags count.
        var given = Configuration()
        give(to: &given)
        let settings = try Settings(flags: given)
        let project = try Directory.open(directory)
        let (found, page) = try findBuild(project)
        // The file is beside the build output, never in it, where it would be shipped.
        let isBuild = found == "."
        let home =
            isBuild || directory == "."
            ? Defaults.configurationFile : project.display(Defaults.configurationFile)
        let file = output.configFile ?? home
        let (target, name) = try OutputPlace.check(
            file, inputs: [.build(isBuild ? directory : project.display(found))])
        if try target.status(name) != nil, !force {
            throw FileExists(path: file)
        }
        // Paths in the file are relative to it.
        let isBeside = resolvedPath(target.path) == resolvedPath(isBuild ? "." : directory)
        let build =
            isBeside
            ? (isBuild ? directory : found)
            : resolvedPath(isBuild ? directory : project.display(found))
        let app = try settings.app() ?? AppName(Self.appName(resolvedPath(directory)))
        let baseURL = try settings.baseURL()
        _ = try settings.channel()
        given.set(.app, app.description)
        given.set(.build, build)
        if given[.launch] == nil { given.set(.launch, page) }
        let text = ConfigurationTemplate.text(given)
        // What is written must be what every other command reads.
        _ = try ConfigurationReader.read(text, file: file)
        try await ReadableFile.replace(file, with: Array(text.utf8))
        if output.json {
            console.print(
                json: .members([
                    "file": .string(file), "app": .string(app.description), "build": .string(build),
                    "launch": given.text(.launch).json,
                ]))
        } else {
            let isComplete = baseURL != nil
            console.say(
                """
                wrote \(file) for app \(app), build output \(build)
                  next: \(isComplete ? "run" : "set base-url in it, then run")
                        packtool publish --to ORIGIN
                """)
        }
        return 0
    }

    private func findBuild(_ project: Directory) throws -> (build: String, launch: String?) {
        if try project.status("index.html")?.kind == .file,
            try project.status("package.json") == nil
        {
            return (".", "index.html")
        }
        for name in Self.usualNames where try project.status(name)?.kind == .directory {
            let hasPage = try project.status("\(name)/index.html")?.kind == .file
            return (name, hasPage ? "index.html" : nil)
        }
        throw NoBuildFound(directory: directory, names: Self.usualNames)
    }

    /// A name made of the directory's, with what an app name may not hold left out.
    private static func appName(_ path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? "app"
        let kept = last.lowercased().unicodeScalars.map { scalar -> Character in
            let isAllowed =
                scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            return isAllowed ? Character(scalar) : "-"
        }
        let trimmed = String(kept).split(separator: "-").joined(separator: "-").prefix(64)
        return trimmed.isEmpty ? "app" : String(trimmed)
    }
}

/// A file that would have been overwritten.
struct FileExists: Remedied {
    let path: String

    var code: String { "init.exists" }
    var description: String { "'\(path)' already exists" }
    var unaffected: String? { "the file" }
    var remedy: String { "edit it, or use --force to replace it" }
}

/// No build output was found.
struct NoBuildFound: Remedied {
    let directory: String
    let names: [String]

    var code: String { "init.no-build" }
    var description: String {
        "no build output found in '\(directory)' (looked for \(names.joined(separator: ", ")))"
    }
    var remedy: String { "run the front-end build first, or name its output: packtool init DIR" }
}
