package import PackGround
import PackWeb

/// The directory in a bundler's output that is the web root, found by its pages and the files they
/// load.
///
/// Bundlers write `dist/index.html`, `dist/app/browser/index.html`, or pages in `dist/404` and
/// `dist/about` that load `/_next/…`. The build is the directory below which most of these files
/// exist.
package struct BuildLocation: Equatable, Sendable {
    /// The path of the build in the output; empty for the output itself.
    package let path: String
    /// The pages relative to the build, the most likely start page first; pages in deep directories
    /// are omitted.
    package let pages: [String]
    /// The paths of several builds side by side in the output; empty for a single build.
    ///
    /// The pages of each only find their files if it is the web root.
    package let separate: [String]

    /// Whether the build has a page at its top level.
    package var hasPageAtTop: Bool { pages.contains { $0.lastSlash == nil } }

    private static let sizeLimit = 2 << 20
    /// The maximum number of pages to read.
    private static let mostRead = 40

    /// - Returns: `nil` for an output without pages.
    package static func find(in output: Directory) throws(Failure) -> BuildLocation? {
        let pages = try PageSearch.pages(below: output)
        guard !pages.isEmpty else { return nil }
        if pages.contains("index.html") { return BuildLocation("", pages) }
        var loads: [PageLoads] = []
        for page in LaunchPages.sorted(pages).prefix(mostRead) {
            // The check reports unreadable pages.
            guard let bytes = try? output.readFile(page, limit: sizeLimit) else { continue }
            loads.append(PageLoads(page, HTMLReferences(of: bytes.span)))
        }
        return choose(pages, loads, KnownFiles(output))
    }

    private init(_ path: String, _ pages: [String], separate: [String] = []) {
        self.path = path
        self.separate = separate
        self.pages = LaunchPages.sorted(
            pages.filter { $0.isBelow(path) }.map {
                String(Substring($0.utf8.dropFirst(path.isEmpty ? 0 : path.utf8.count + 1)))
            })
    }

    private static func choose(
        _ pages: [String], _ loads: [PageLoads], _ known: KnownFiles
    ) -> BuildLocation {
        var known = known
        /// The number of files found by the pages below a directory if `root` is the web root.
        func found(_ directory: String, root: String) -> Int {
            loads.reduce(0) { sum, load in
                load.page.isBelow(directory) ? sum + load.found(below: root, &known) : sum
            }
        }
        let shared = sharedDirectory(of: pages)
        let inner = Set(pages.map { $0.directory }).filter { $0 != shared }.sorted { one, other in
            let depth = one.pathComponents().count
            let otherDepth = other.pathComponents().count
            return depth == otherDepth ? one < other : depth < otherDepth
        }
        var outer = [shared]
        while let last = outer.last, !last.isEmpty { outer.append(last.directory) }
        var best = (path: shared, count: 0)
        for candidate in outer + inner {
            let count = found(candidate, root: candidate)
            if count > best.count { best = (candidate, count) }
        }
        guard inner.contains(best.path) else { return BuildLocation(best.path, pages) }
        var separate: [String] = []
        for directory in inner where !separate.contains(where: { directory.isBelow($0) }) {
            if found(directory, root: directory) > found(directory, root: shared) {
                separate.append(directory)
            }
        }
        return BuildLocation(best.path, pages, separate: separate.count > 1 ? separate : [])
    }

    /// The deepest directory that contains all pages.
    private static func sharedDirectory(of pages: [String]) -> String {
        var shared = pages.first?.directory.pathComponents() ?? []
        for page in pages {
            let parts = zip(shared, page.directory.pathComponents())
            shared = Array(shared.prefix(parts.prefix { $0 == $1 }.count))
        }
        return shared.joined(separator: "/")
    }
}

/// Finds the pages of an output down to a limited depth.
private enum PageSearch {
    private static let depth = 3
    private static let mostDirectories = 400
    private static let mostPages = 400

    /// Sorted by depth, then by name.
    static func pages(below output: Directory) throws(Failure) -> [String] {
        var pages: [String] = []
        var level = [""]
        var visited = 0
        for _ in 0...depth {
            var next: [String] = []
            for path in level where visited < mostDirectories && pages.count < mostPages {
                visited += 1
                let directory = path.isEmpty ? output : try output.directory(path)
                let names = try directory.names().compactMap {
                    String(validating: $0, as: UTF8.self)
                }
                let isServed = names.contains { ["browser", "client", "public"].contains($0) }
                for name in names where !name.hasBytes(".") && name != "node_modules" {
                    let isPage = name.hasSuffix(".html") || name.hasSuffix(".htm")
                    guard isPage || next.count < mostDirectories else { continue }
                    let below = path.isEmpty ? name : "\(path)/\(name)"
                    switch try output.status(below)?.kind {
                    case .file where isPage: pages.append(below)
                    // Server-side rendering: the pages in this directory are templates.
                    case .directory where !(isServed && name == "server"): next.append(below)
                    default: break
                    }
                }
            }
            level = next
        }
        return pages
    }
}

/// Ranks the pages of a build by how likely an app opens them first.
enum LaunchPages {
    private static let errors: Set<String> = [
        "403", "404", "500", "50x", "_error", "_not-found", "error", "not-found", "offline",
    ]
    /// Static hosts serve `200.html` for every path of a single-page app.
    private static let usual = ["index.html", "index.htm", "200.html", "index.csr.html"]

    static func sorted(_ pages: [String]) -> [String] {
        let ranked: [(rank: Int, page: String)] = pages.map { (rank($0), $0) }
        return ranked.sorted { one, other in
            if one.rank != other.rank { return one.rank < other.rank }
            return one.page < other.page
        }.map { $0.page }
    }

    /// Lower is more likely.
    private static func rank(_ page: String) -> Int {
        let parts = page.pathComponents().map(String.init)
        guard let name = parts.last else { return .max }
        let isIndex = name == usual[0] || name == usual[1]
        let stem = String(Substring(name.utf8.prefix { $0 != UInt8(ascii: ".") }))
        let isError =
            errors.contains(stem)
            || isIndex && parts.dropLast().last.map(errors.contains) ?? false
        if isError { return 1000 + parts.count }
        if parts.count == 1, let place = usual.firstIndex(of: name) { return place }
        return 10 * parts.count + (isIndex || parts.count == 1 ? 0 : 5)
    }
}

extension String {
    /// The directory of a path; empty for a path without a slash.
    fileprivate var directory: String { self.lastSlash.map { String(self[..<$0]) } ?? "" }

    /// Whether a path is in a directory at any depth.
    fileprivate func isBelow(_ directory: String) -> Bool {
        directory.isEmpty || self.hasBytes(directory + "/") || self == directory
    }
}
