package import PackGround
package import PackProfile
import PackURL

/// The scripts of a build requested only at run time: candidates for the engine to request.
package struct LazyChunks: Sendable {
    /// The modules among the scripts.
    private let modules: [AssetPath]
    /// The chunks named by each script, relative to an unknown base.
    private let named: [String: [String]]

    /// - Parameter content: The bytes of a script; `nil` for one that is not read.
    package init(
        _ paths: [AssetPath], content: (AssetPath) throws -> [UInt8]?
    ) rethrows {
        var modules: [AssetPath] = []
        var named: [String: [String]] = [:]
        for path in paths where Self.isScript(path) {
            guard let bytes = try content(path) else { continue }
            if Self.isModule(bytes) { modules.append(path) }
            let names = Self.chunkNames(in: bytes)
            if !names.isEmpty { named[path.description] = names }
        }
        self.modules = modules
        self.named = named
    }

    private static func isScript(_ path: AssetPath) -> Bool {
        path.bytes.suffix(3).elementsEqual(".js".utf8)
            || path.bytes.suffix(4).elementsEqual(".mjs".utf8)
    }

    /// The largest number of chunks requested by one page.
    private static let limit = 200

    /// The URLs to import and to fetch on a page.
    ///
    /// A module is imported on pages with other modules; a named chunk is fetched under the base of
    /// its script.
    package func unrequested(
        after report: VisitReport, profile: Profile
    ) -> (modules: [String], files: [String]) {
        let files = Set(report.answered.values)
        let loaded = Set(modules.map(\.description)).intersection(files)
        let imports =
            loaded.isEmpty
            ? []
            : modules.filter { !files.contains($0.description) }
                .compactMap { profile.url(of: $0)?.href }
        var fetches: [String] = []
        for (url, file) in report.answered.sorted(by: { $0.key < $1.key }) {
            guard let names = named[file] else { continue }
            for name in names {
                guard let folder = name.firstSegments,
                    let base = url.firstRange(of: "/" + folder)
                else { continue }
                let other = url[..<base.lowerBound] + "/" + name
                if report.answered[String(other)] == nil { fetches.append(String(other)) }
            }
        }
        return (
            Array(imports.prefix(Self.limit)), Array(Set(fetches).sorted().prefix(Self.limit))
        )
    }

    /// Whether a script imports or exports names, which only modules can.
    static func isModule(_ bytes: [UInt8]) -> Bool {
        let end = bytes.suffix(4096)
        let start = bytes.prefix(1024)
        return contains(end, "export{") || contains(end, "export {")
            || contains(end, "export default") || contains(start, "import{")
            || contains(start, "import {") || starts(start, "import\"")
    }

    private static func contains(_ bytes: ArraySlice<UInt8>, _ word: String) -> Bool {
        bytes.firstRange(of: Array(word.utf8)) != nil
    }

    private static func starts(_ bytes: ArraySlice<UInt8>, _ word: String) -> Bool {
        bytes.starts(with: word.utf8)
    }

    /// The literals `"static/chunks/….js"` of Turbopack's and Next.js's scripts.
    static func chunkNames(in bytes: [UInt8]) -> [String] {
        let word = Array("\"static/chunks/".utf8)
        var names: Set<String> = []
        var rest = bytes[...]
        while let found = rest.firstRange(of: word), names.count < limit {
            rest = rest[(found.lowerBound + 1)...]
            guard let end = rest.prefix(300).firstIndex(of: UInt8(ascii: "\"")) else { continue }
            let name = String(decoding: rest[..<end], as: UTF8.self)
            if name.hasSuffix(".js") || name.hasSuffix(".css"),
                name.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "\\") })
            {
                names.insert(name)
            }
            rest = rest[end...]
        }
        return names.sorted()
    }
}

extension String {
    /// The first two segments of a relative path with a slash at the end: "static/chunks/".
    fileprivate var firstSegments: String? {
        guard let first = utf8.firstIndex(of: UInt8(ascii: "/")),
            let second = utf8[utf8.index(after: first)...].firstIndex(of: UInt8(ascii: "/"))
        else { return nil }
        return String(self[...second])
    }
}
