import PackCheck
import PackGround

/// The facts about a build and its app found in a project's files, before any page is checked.
struct ProjectInspection {
    /// The build output relative to the project; `.` if it is the project's directory.
    let build: String
    /// Whether the project's directory is a build output, or contains the build as one.
    let isOutput: Bool
    /// The pages relative to the build, the most likely start page first.
    let pages: [String]
    /// The name in `package.json`.
    let name: String?
    /// The app built by the project, from its configuration.
    let app: HybridApp?

    /// The most likely start page; `nil` for a build without pages.
    var launch: String? { pages.first }

    /// The usual output directories of bundlers, the most specific ones first.
    static let usualNames = [
        "dist", "build", "out", "www", "_site", ".output/public", "public", "site",
    ]
    /// Whether a directory of this name is an output rather than named after the project.
    static func isUsualName(_ name: Substring) -> Bool { usualNames.contains(String(name)) }
    /// The output of some bundlers, and the source directory of others (Vite, Create React App, Vue
    /// CLI).
    private static let sourceName = "public"
    /// Directories that are outputs only if they contain pages.
    private static let pageNames = [sourceName, "site"]
    private static let sizeLimit = 1 << 20

    /// - Parameter path: The project as named by the user, for messages; `.` by default.
    /// - Throws: ``Failure``.
    init(_ project: Directory, path: String) throws {
        app = try HybridApp.find(in: project)
        name = Self.packageName(project)
        let hasPage = try project.status("index.html")?.kind == .file
        let isPackage = try project.status("package.json") != nil
        let mayBeOutput = !isPackage && app == nil
        if hasPage && mayBeOutput {
            (build, isOutput, pages) = (".", true, ["index.html"])
            return
        }
        let names = (app?.webDirectory).map { [Self.normalized($0)] } ?? []
        var pageless: String?
        for name in names + Self.usualNames {
            guard let output = try Self.output(name, of: project) else { continue }
            let found = try BuildLocation.find(in: output)
            if Self.pageNames.contains(name), isPackage || name != Self.sourceName,
                found.map({ Self.isTemplate($0, in: output) }) ?? true
            {
                continue
            }
            if let found {
                try Self.refuseSeveral(found, in: Self.location(of: name, in: project))
                (build, isOutput) = (Self.joined(name, found.path), false)
                pages = found.pages
                return
            }
            pageless = pageless ?? name
        }
        let found = pageless == nil ? try BuildLocation.find(in: project) : nil
        let isAtTop = found.map { $0.path.isEmpty && $0.hasPageAtTop } ?? false
        // An explicitly named directory is the output if its pages are in unusual directories. The
        // working directory is the output only if it has a page itself: pages below it may be
        // documentation or tests.
        if mayBeOutput, let found, path != "." || isAtTop {
            try Self.refuseSeveral(found, in: path)
            (build, isOutput) = (found.path.isEmpty ? "." : found.path, true)
            pages = found.pages
            return
        }
        if let pageless {
            (build, isOutput, pages) = (pageless, false, [])
            return
        }
        let other = found.flatMap { build -> String? in
            build.path.isEmpty || Self.isTemplate(build, in: project)
                ? nil : Self.joined(path == "." ? "" : path, build.path)
        }
        throw Failure.initNoBuild(
            directory: path, names: Self.usualNames, hasPage: isAtTop, other: other)
    }

    private static func joined(_ output: String, _ path: String) -> String {
        output.isEmpty ? path : path.isEmpty ? output : "\(output)/\(path)"
    }

    private static func refuseSeveral(_ found: BuildLocation, in output: String) throws {
        guard !found.separate.isEmpty else { return }
        throw Failure.initSeveralBuilds(
            output: output, builds: found.separate.map { joined(output, $0) })
    }

    /// An output directory, or the target of a link to it, because some projects keep their outputs
    /// elsewhere.
    private static func output(_ name: String, of project: Directory) throws -> Directory? {
        // A user's setting may point outside the project.
        if name == "." || name.hasBytes("/") || name.pathComponents().contains("..") {
            return try Directory.openIfPresent(location(of: name, in: project))
        }
        return switch try project.status(name)?.kind {
        case .directory: try project.directory(name)
        case .symbolicLink: try? Directory.open(project.display(name))
        case .file, .other, nil: nil
        }
    }

    /// Converts a path relative to the project to one relative to the working directory.
    private static func location(of path: String, in project: Directory) -> String {
        path.hasBytes("/") ? path : project.display(path)
    }

    /// The build output relative to the working directory.
    func location(in project: Directory) -> String { Self.location(of: build, in: project) }

    /// Removes `.`, empty components and a trailing slash: `./dist/` becomes `dist`.
    private static func normalized(_ path: String) -> String {
        let parts = path.pathComponents().filter { $0 != "." }
        return (path.hasBytes("/") ? "/" : parts.isEmpty ? "." : "") + parts.joined(separator: "/")
    }

    /// Whether a page is a bundler's template: `%PUBLIC_URL%/icon.png`, `<%= BASE_URL %>`.
    private static func isTemplate(_ found: BuildLocation, in output: Directory) -> Bool {
        guard let start = found.pages.first else { return false }
        let name = found.path.isEmpty ? start : "\(found.path)/\(start)"
        guard let page = try? output.readFile(name, limit: sizeLimit) else { return false }
        return ["%PUBLIC_URL%", "<%="].contains { page.firstRange(of: Array($0.utf8)) != nil }
    }

    /// The name in a directory's `package.json`, if any.
    static func packageName(_ project: Directory) -> String? {
        guard let bytes = try? project.readFile("package.json", limit: sizeLimit),
            let root = try? JSONObject(JSONParser.parse(bytes)),
            let name = try? root.optionalString("name")
        else { return nil }
        // Drop the npm scope.
        return name.pathComponents().last.map(String.init)
    }
}

extension Failure.Code {
    static let initNoBuild = Self("init.no-build")
    static let initSeveralBuilds = Self("init.several-builds")
    static let initInsideBuild = Self("init.inside-build")
}

extension Failure {
    /// No build output was found.
    ///
    /// - Parameters:
    ///   - hasPage: Whether the project has its own page next to `package.json`.
    ///   - other: A directory with pages under an unusual name, relative to the working directory.
    fileprivate static func initNoBuild(
        directory: String, names: [String], hasPage: Bool, other: String?
    ) -> Failure {
        let looked = "looked for " + names.joined(separator: ", ")
        let found = other.map { "); HTML pages are in '\(printable($0.utf8))'" }
        return Failure(
            .initNoBuild,
            "no build output found in '\(directory)' (\(looked)"
                + (found ?? (hasPage ? ")" : ", and for HTML pages)")),
            details: ["build": other.map(shellWord) ?? "DIR", "hasPage": hasPage ? "true" : ""])
    }

    /// There are several builds side by side, but only one can be packaged.
    ///
    /// - Parameter builds: Paths relative to the working directory.
    fileprivate static func initSeveralBuilds(output: String, builds: [String]) -> Failure {
        let names = builds.prefix(5).map { "'\(printable($0.utf8))'" }.joined(separator: ", ")
        return Failure(
            .initSeveralBuilds,
            "'\(output)' contains \(counted(builds.count, "build")), each with its own root: "
                + names + (builds.count > 5 ? ", …" : ""),
            unaffected: "existing files; nothing was written",
            details: ["build": shellWord(builds.first ?? output)])
    }

    /// The project's directory is the build, so a settings file in it would be packaged.
    ///
    /// - Parameter path: The directory's absolute path.
    static func initInsideBuild(file: String, path: String) -> Failure {
        Failure(
            .initInsideBuild,
            "this directory is the build output, and '\(file)' in it would be shipped",
            unaffected: "existing files; nothing was written",
            details: ["build": shellWord(path.pathComponents().last.map(String.init) ?? path)])
    }
}
