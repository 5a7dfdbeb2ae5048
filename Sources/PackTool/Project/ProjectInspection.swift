import PackCore

/// What the files of a project say about its build and its app, before a page is read.
struct ProjectInspection {
    /// The build output, relative to the project; `.` if the project's directory is one.
    let build: String
    /// The build's first page, relative to the build.
    let launch: String?
    /// The name in `package.json`.
    let name: String?
    /// The app that the project builds, by its own configuration.
    let app: HybridApp?

    /// Where bundlers put their output, the most telling names first.
    static let usualNames = [
        "dist", "build", "out", "www", "_site", ".output/public", "public",
    ]
    /// What some bundlers write, and others (Vite, Create React App, Vue CLI) only copy from.
    private static let sourceName = "public"
    /// How many directories deep the page of a nested output may be (`dist/shop/browser`).
    private static let depthLimit = 3
    private static let sizeLimit = 1 << 20

    /// - Parameter path: the project as a user named it, for messages.
    /// - Throws: ``NoBuildFound``, ``FileSystemError``.
    init(_ project: Directory, path: String) throws {
        app = try HybridApp.find(in: project)
        name = Self.packageName(project)
        let hasPage = try project.status("index.html")?.kind == .file
        let isPackage = try project.status("package.json") != nil
        if hasPage && !isPackage && app == nil {
            (build, launch) = (".", "index.html")
            return
        }
        let names = (app?.webDirectory).map { [Self.normalized($0)] } ?? []
        var pageless: String?
        for name in names + Self.usualNames {
            guard let output = try Self.output(name, of: project) else { continue }
            let found = try Self.pageDirectory(in: output)
            if name == Self.sourceName, isPackage,
                found.map({ Self.isTemplate($0, in: output) }) ?? true
            {
                continue
            }
            if let found {
                (build, launch) = (found.isEmpty ? name : "\(name)/\(found)", "index.html")
                return
            }
            pageless = pageless ?? name
        }
        if let pageless {
            (build, launch) = (pageless, nil)
            return
        }
        throw NoBuildFound(directory: path, names: Self.usualNames, hasPage: hasPage)
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

    /// The shallowest directory with an `index.html`, the first of several by name; empty for the output
    /// itself.
    private static func pageDirectory(in output: Directory) throws -> String? {
        var level = [""]
        for _ in 0...depthLimit {
            for path in level
            where try output.status(path.isEmpty ? "index.html" : "\(path)/index.html")?.kind
                == .file
            {
                return path
            }
            var next: [String] = []
            for path in level {
                let directory = path.isEmpty ? output : try output.directory(path)
                for child in try directory.names().prefix(200) {
                    let name = String(decoding: child, as: UTF8.self)
                    let below = path.isEmpty ? name : "\(path)/\(name)"
                    guard child.first != UInt8(ascii: "."),
                        try output.status(below)?.kind == .directory
                    else { continue }
                    next.append(below)
                }
            }
            level = next
        }
        return nil
    }

    /// Whether a page is what a bundler makes one of: `%PUBLIC_URL%/icon.png`, `<%= BASE_URL %>`.
    private static func isTemplate(_ path: String, in output: Directory) -> Bool {
        let name = path.isEmpty ? "index.html" : "\(path)/index.html"
        guard let page = try? output.readFile(name, limit: sizeLimit) else { return false }
        return ["%PUBLIC_URL%", "<%="].contains { page.firstRange(of: Array($0.utf8)) != nil }
    }

    private static func packageName(_ project: Directory) -> String? {
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

    var code: String { "init.no-build" }
    var description: String {
        "no build output found in '\(directory)' (looked for \(names.joined(separator: ", ")))"
    }
    var remedy: String {
        let known = "run the front-end build first, or name its output: 'packtool init DIR'"
        return hasPage
            ? known
                + "; pages that need no build go into a directory of their own, such as 'public', "
                + "so that package.json and node_modules are not shipped"
            : known
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
