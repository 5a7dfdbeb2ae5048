import ArgumentParser
import PackGround
import PackProfile
import PackPublish
import PackRelease
import PackS3
import PackSettings

/// `packtool init`.
struct InitCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a commented packtool.yaml for the build output it finds.",
        discussion: """
            Finds the build output below the project's directory (dist, build, out, www, public \
            and others), checks its pages, and writes the settings that they need, each with the \
            reason. Settings that depend on the app, such as the hosts that pages may load from, \
            end errors of the check; in a terminal, it asks about each of them and prompts for \
            missing values. --yes accepts the defaults, including all settings that end errors. \
            Without either, such settings are written as comments. An existing file is never \
            overwritten without --force.

            --policy writes nothing; it prints the policies needed to publish to a bucket, for the \
            publisher's identity and for the bucket, as JSON.

            Example:
              packtool init
              packtool init --yes --app shop --base-url https://cdn.example.com/shop
              packtool init --policy aws s3://shop-cdn/storefront
            """)

    @Argument(
        help: ArgumentHelp(
            "The project's directory, or its build output; with --policy, an s3:// address.",
            valueName: "dir"),
        completion: .path)
    var directory: String = "."

    @Flag(help: "Overwrite an existing file.")
    var force = false

    @Flag(help: "Ask nothing; accept the defaults and every setting that ends an error.")
    var yes = false

    @Option(help: ArgumentHelp("Print the policies for a bucket.", valueName: "vendor"))
    var policy: PolicyVendor?

    @OptionGroup var identity: IdentityOptions
    @OptionGroup var pages: PageOptions
    @OptionGroup var launch: LaunchOption
    @OptionGroup var line: ChannelOption
    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        identity.apply(to: &settings)
        pages.apply(to: &settings)
        launch.apply(to: &settings)
        line.apply(to: &settings)
        exclude.apply(to: &settings)
    }

    func validate() throws {
        guard policy == nil else {
            guard !force, !yes, identity.app == nil, identity.baseURL == nil else {
                throw ValidationError(
                    "--policy prints policies and writes nothing; omit the other flags.")
            }
            return
        }
        if OriginAddress(directory).isBucket {
            throw ValidationError(
                "A bucket has no packtool.yaml; '--policy aws' prints its policies.")
        }
    }

    func run(_ console: Console) async throws -> Int32 {
        if policy != nil {
            // The bucket configured for publishing, unless an address is given.
            let given = OriginAddress(directory).isRemote || directory != "."
            let address = try given ? directory : settings(console).origin()
            console.print(json: S3Policy(try S3Address(address)).json)
            return 0
        }
        // The file is written, not read: only flags are used.
        var given = Configuration()
        apply(to: &given)
        let settings = try Settings(flags: given)
        _ = try (settings.app(), settings.baseURL(), settings.channel())
        let project = try Directory.open(directory)
        let inspection = try ProjectInspection(project, path: directory)
        let location = try location(of: inspection, in: project)
        if try location.target.status(location.name) != nil, !force {
            throw Failure.initExists(path: location.file)
        }
        given.set(.build, location.build)
        take(inspection, &given)
        let asks = asks(console)
        if asks { try ask(inspection, location, &given, console) }
        // No command accepts a profile without a host that it needs.
        _ = try Settings(flags: given).usableProfiles()
        if given[.launch] == nil { given.set(.launch, inspection.launch) }
        if given[.app] == nil {
            given.set(.app, appName(inspection))
        }
        // Opened by its path, because the output may be a link.
        let build =
            inspection.build == "." ? project : try .open(inspection.location(in: project))
        let choice =
            asks ? ProposalChoice.ask(console.environment.streams) : yes ? .accept : .leave
        let survey = try await BuildSurvey(build, given: given, choice: choice, console.quieted)
        let all = try FileTree.survey(build).files.map(\.path)
        let bundler = Bundler.guess(from: all)
        try await write(survey, to: location, console)
        InitReport(
            file: location.file, given: given, inspection: inspection, bundler: bundler,
            survey: survey, hasAsked: asks
        ).show(output.json, console)
        return 0
    }

    /// Adds settings from the project's own files, unless set by flags.
    private func take(_ inspection: ProjectInspection, _ given: inout Configuration) {
        guard var found = inspection.app?.profiles, given[.profiles] == nil else { return }
        if let name = given.text(.profile) { found = found.filter { $0.profile?.name == name } }
        guard found.count == 1, let only = found.first else {
            if !found.isEmpty { given.set(.profiles, .list(found)) }
            return
        }
        if given[.profile] == nil { given.set(.profile, only.profile?.name) }
        if given[.scheme] == nil { given.set(.scheme, only.text(.scheme)) }
        if given[.host] == nil { given.set(.host, only.texts(.host) ?? []) }
    }

    private func write(
        _ survey: BuildSurvey, to location: FileLocation, _ console: Console
    ) async throws {
        let text = ConfigurationTemplate(
            survey.settings, notes: survey.notes, proposed: survey.proposed.values
        ).text
        // The output must be readable by all other commands.
        _ = try ConfigurationReader.read(text, file: location.file)
        let schema = location.target.display(ConfigurationSchema.fileName)
        try await ReadableFile.replace(
            schema, with: JSONWriter.write(ConfigurationSchema.json), console)
        try await ReadableFile.replace(location.file, with: Array(text.utf8), console)
    }

    // MARK: - Paths

    private struct FileLocation {
        /// The file name in messages.
        let file: String
        let target: Directory
        let name: String
        /// The path of the build.
        let output: String
        /// The path of the build relative to the file.
        let build: String
    }

    private func location(of inspection: ProjectInspection, in project: Directory) throws
        -> FileLocation
    {
        // The file is next to the build output, never in it, where it would be packaged.
        let isBuild = inspection.build == "."
        let found = isBuild ? directory : inspection.location(in: project)
        if isBuild, directory == ".", output.configFile == nil {
            throw Failure.initInsideBuild(
                file: Defaults.configurationFile, path: resolvedPath(directory))
        }
        let home =
            inspection.isOutput || directory == "."
            ? Defaults.configurationFile : project.display(Defaults.configurationFile)
        let file = output.configFile ?? home
        let (target, name) = try OutputLocation.check(file, inputs: [.build(found)])
        // Paths in the file are relative to it.
        let isBeside =
            resolvedPath(target.path) == resolvedPath(inspection.isOutput ? "." : directory)
        let build =
            isBeside ? (inspection.isOutput ? found : inspection.build) : resolvedPath(found)
        return FileLocation(file: file, target: target, name: name, output: found, build: build)
    }

    // MARK: - Questions

    private func asks(_ console: Console) -> Bool {
        !yes && !output.json && !output.quiet && console.environment.canAsk
    }

    private func ask(
        _ inspection: ProjectInspection, _ location: FileLocation, _ given: inout Configuration,
        _ console: Console
    ) throws {
        let streams = console.environment.streams
        if given[.app] == nil {
            let app = try Question("The app's name", default: appName(inspection), on: streams)
                .ask { try AppName($0) }
            given.set(.app, app.description)
        }
        if given[.launch] == nil, let start = inspection.launch, start != Defaults.launch {
            let page = try Question(
                "The page that the app opens first, since the build has no \(Defaults.launch)"
                    + " (\(Self.choice(of: inspection.pages)))", default: start, on: streams
            ).ask { word in
                guard inspection.pages.contains(word) else {
                    throw Failure.invalidArgument(
                        kind: "start page", word: word, problem: "is not a page of the build",
                        example: start)
                }
                return word
            }
            given.set(.launch, page)
        }
        if given[.profile] == nil, given[.profiles] == nil {
            streams.prompt("How does the app serve its pages?\n")
            let width = Profile.builtIn.map(\.name.count).max() ?? 0
            for profile in Profile.builtIn {
                let gap = String(repeating: " ", count: width - profile.name.count + 2)
                streams.prompt("  \(profile.name)\(gap)\(profile.about)\n")
            }
            given.set(profiles: try profiles(streams))
        }
        if given[.host] == nil, (try? Settings(flags: given).usableProfiles()) == nil {
            let host = try Question(
                "The host of the pages' addresses, such as shop.example.com", default: "",
                on: streams
            ).ask { word in
                if let fault = SettingKey.host.fault(of: word) {
                    throw Failure.invalidArgument(
                        kind: SettingKey.host.wordKind, word: word, problem: fault.problem,
                        example: fault.example)
                }
                return word
            }
            given.set(.host, [host])
        }
        if given[.baseURL] == nil {
            let url = try Question(
                "The public URL of the origin, such as https://cdn.example.com/shop (empty: later)",
                default: "", on: streams
            ).ask { $0.isEmpty ? nil : try BaseURL($0) }
            given.set(.baseURL, url?.description)
            if url != nil { given.set(.to, try origin(location, streams)) }
        }
    }

    /// The profiles of one app, or of one for each platform.
    private func profiles(_ streams: any StandardStreams) throws -> [ProfileName] {
        try Question(
            "Profile, or two with a comma between them", default: Defaults.profile.name,
            on: streams
        ).ask { words in
            var chosen: [ProfileName] = []
            for word in words.split(whereSeparator: { $0 == "," || $0 == " " }) {
                let name = word.lowercased()
                guard let profile = ProfileName(argument: name) else {
                    let names = Profile.builtIn.map(\.name)
                    throw Failure.invalidArgument(
                        kind: "profile", word: name, problem: "is not known",
                        example: nearestWord(to: name, in: names) ?? Defaults.profile.name)
                }
                if !chosen.contains(where: { $0.name == name }) { chosen.append(profile) }
            }
            return chosen
        }
    }

    /// The origin of the settings, as it is typed.
    private func origin(
        _ location: FileLocation, _ streams: any StandardStreams
    ) throws -> String? {
        try Question(
            "Where publish writes it: a directory as seen from \(Defaults.configurationFile), or "
                + "s3://bucket/prefix (empty: later)", default: "", on: streams
        ).ask { word in
            guard !word.isEmpty else { return nil }
            if word.unicodeScalars.contains(where: \.isUnprintable) {
                throw Failure.invalidArgument(
                    kind: "origin", word: word, problem: "has a control character",
                    example: "../cdn")
            }
            var given = Configuration()
            given.set(.to, word)
            let origin = try Settings(
                flags: Configuration(), file: given, base: location.target.path
            ).origin()
            if !OriginAddress(origin).isRemote {
                try Publisher.checkPaths(origin: origin, build: location.output)
            }
            return word
        }
    }

    /// The first pages as text.
    private static func choice(of pages: [String]) -> String {
        let shown = pages.prefix(5).map { printable($0.utf8) }.joined(separator: ", ")
        return shown + (pages.count > 5 ? ", …" : "")
    }

    /// The app's name: that of the package, or of the project's directory.
    private func appName(_ inspection: ProjectInspection) -> String {
        if let name = inspection.name { return Self.appName(name) }
        let path = resolvedPath(directory)
        // 'init dist' configures the surrounding project, where the file is written.
        let isUsual = path.pathComponents().last.map { ProjectInspection.isUsualName($0) } ?? false
        guard inspection.isOutput, isUsual, let around = try? Directory.open(".") else {
            return Self.appName(path)
        }
        return Self.appName(ProjectInspection.packageName(around) ?? resolvedPath("."))
    }

    /// Derives an app name by replacing characters that are not allowed.
    private static func appName(_ path: String) -> String {
        let last = path.pathComponents().last.map(String.init) ?? "app"
        let kept = last.lowercased().unicodeScalars.map { scalar -> Character in
            let isAllowed =
                scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            return isAllowed ? Character(scalar) : "-"
        }
        let trimmed = String(kept).split(separator: "-").joined(separator: "-").prefix(64)
        return trimmed.isEmpty ? "app" : String(trimmed)
    }
}

extension Failure.Code {
    static let initExists = Self("init.exists")
}

extension Failure {
    /// A file that would have been overwritten.
    fileprivate static func initExists(path: String) -> Failure {
        Failure(.initExists, "'\(path)' already exists", unaffected: "the file")
    }
}

/// The vendors of the policies printed by `--policy`.
enum PolicyVendor: String, CaseIterable, ExpressibleByArgument {
    case aws
}
