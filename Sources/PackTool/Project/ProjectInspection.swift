import PackCheck
import PackGround

/// What the files of a project say about its build and its app, before a page is checked.
struct ProjectInspection {
    /// The build output, relative to the project; `.` if the project's directory is one.
    let build: String
    /// Whether the project's directory is a build output: the build is in it, or the directory itself.
    let isOutput: Bool
    /// The build's pages, relative to the build, the most likely start page first.
    let pages: [String]
    /// The name in `package.json`.
    let name: String?
    /// The app that the project builds, by its own configuration.
    let app: HybridApp?

    /// The page that the app most likely opens first; `nil` for a build without pages.
    var launch: String? { pages.first }

    /// Where bundlers put their output, the most telling names first.
    static let usualNames = [
        "dist", "build", "out", "www", "_site", ".output/public", "public", "site",
    ]
    /// Whether a directory of this name is an output, whatever the project is called.
    static func isUsualName(_ name: Substring) -> Bool { usualNames.contains(String(name)) }
    /// What some bundlers write, and others (Vite, Create React App, Vue CLI) only copy from.
    private static let sourceName = "public"
    /// Outputs by these names have pages, or are something else.
    private static let pageNames = [sourceName, "site"]
    private static let sizeLimit = 1 << 20

    /// - Parameter path: the project as a user named it, for messages; `.` if none was named.
    /// - Throws: ``NoBuildFound``, ``SeveralBuilds``, ``FileSystemError``.
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
        // A named directory is the output if its pages are in other directories than usual. One that is not named is
        // the output only if it has a page itself: pages below it may be documentation or tests.
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
        throw NoBuildFound(
            directory: path, names: Self.usualNames, hasPage: isAtTop, other: other)
    }

    private static func joined(_ output: String, _ path: String) -> String {
        output.isEmpty ? path : path.isEmpty ? output : "\(output)/\(path)"
    }

    private static func refuseSeveral(_ found: BuildLocation, in output: String) throws {
        guard !found.separate.isEmpty else { return }
        throw SeveralBuilds(output: output, builds: found.separate.map { joined(output, $0) })
    }

    /// The directory of a name; also where the name is a link to one, as of outputs that are kept elsewhere.
    private static func output(_ name: String, of project: Directory) throws -> Directory? {
        // The user's own setting, which may leave the project.
        if name == "." || name.hasBytes("/") || name.pathComponents().contains("..") {
            return try Directory.openIfPresent(location(of: name, in: project))
        }
        return switch try project.status(name)?.kind {
        case .directory: try project.directory(name)
        case .symbolicLink: try? Directory.open(project.display(name))
        case .file, .other, nil: nil
        }
    }

    /// A path that is relative to the project, as a path of this run.
    private static func location(of path: String, in project: Directory) -> String {
        path.hasBytes("/") ? path : project.display(path)
    }

    /// The build output, as a path of this run.
    func location(in project: Directory) -> String { Self.location(of: build, in: project) }

    /// A path without `.`, empty components and a slash at its end: `./dist/` is `dist`.
    private static func normalized(_ path: String) -> String {
        let parts = path.pathComponents().filter { $0 != "." }
        return (path.hasBytes("/") ? "/" : parts.isEmpty ? "." : "") + parts.joined(separator: "/")
    }

    /// Whether a page is what a bundler makes one of: `%PUBLIC_URL%/icon.png`, `<%= BASE_URL %>`.
    private static func isTemplate(_ found: BuildLocation, in output: Directory) -> Bool {
        guard let start = found.pages.first else { return false }
        let name = found.path.isEmpty ? start : "\(found.path)/\(start)"
        guard let page = try? output.readFile(name, limit: sizeLimit) else { return false }
        return ["%PUBLIC_URL%", "<%="].contains { page.firstRange(of: Array($0.utf8)) != nil }
    }

    /// The name in the `package.json` of a directory, if it has one.
    static func packageName(_ project: Directory) -> String? {
        guard let bytes = try? project.readFile("package.json", limit: sizeLimit),
            let root = try? JSONObject(JSONParser.parse(bytes)),
            let name = try? root.optionalString("name")
        else { return nil }
        // A scope is an owner, not a name.
        return name.pathComponents().last.map(String.init)
    }
}

/// No build output was found.
struct NoBuildFound: Remedied {
    let directory: String
    let names: [String]
    /// Whether the project has a page of its own, beside `package.json`.
    let hasPage: Bool
    /// A directory with pages that has none of the names, as a path of this run.
    let other: String?

    var code: String { "init.no-build" }
    var description: String {
        let looked = "looked for " + names.joined(separator: ", ")
        let found = other.map { "); HTML pages are in '\(printable($0.utf8))'" }
        return "no build output found in '\(directory)' (\(looked)"
            + (found ?? (hasPage ? ")" : ", and for HTML pages)"))
    }
    var remedy: String {
        let known =
            "run the front-end build first, or name its output: 'packtool init \(other.map(shellWord) ?? "DIR")'"
        return hasPage
            ? known
                + "; pages that need no build go into a directory of their own, such as 'public', "
                + "so that package.json and node_modules are not shipped"
            : known
    }
}

/// Several builds are side by side, and only one can be the package.
struct SeveralBuilds: Remedied {
    let output: String
    /// Each as a path of this run.
    let builds: [String]

    var code: String { "init.several-builds" }
    var description: String {
        let names = builds.prefix(5).map { "'\(printable($0.utf8))'" }.joined(separator: ", ")
        return "'\(output)' contains \(counted(builds.count, "build")), each with its own root: "
            + names + (builds.count > 5 ? ", …" : "")
    }
    var unaffected: String? { "existing files; nothing was written" }
    var remedy: String {
        "name the build of the app: 'packtool init \(shellWord(builds.first ?? output))'"
    }
}

/// The project's directory is the build, where a file of settings would be shipped.
struct BuildIsProject: Remedied {
    let file: String
    /// The directory's absolute path.
    let path: String

    var code: String { "init.inside-build" }
    var description: String {
        "this directory is the build output, and '\(file)' in it would be shipped"
    }
    var unaffected: String? { "existing files; nothing was written" }
    var remedy: String {
        let name = path.pathComponents().last.map(String.init) ?? path
        return "write it one directory up: 'cd .. && packtool init \(shellWord(name))'"
    }
}
