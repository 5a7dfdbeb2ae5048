import PackGround
import PackURL
import PackWeb

/// The files loaded by a page, used to find its web root.
struct PageLoads {
    let page: String
    private let files: [Load]

    private struct Load: Hashable {
        /// Whether the path is relative to the site's root, not to the page's directory.
        let isFromRoot: Bool
        let parts: [String]
    }

    private static let kinds: Set<HTMLReferenceKind> = [
        .script, .moduleScript, .styleSheet, .modulePreload, .image,
    ]
    private static let mostFiles = 40
    private static let mostParts = 16

    init(_ page: String, _ references: HTMLReferences) {
        self.page = page
        let base = references.base.flatMap { Self.load(references.references[$0].value, base: nil) }
        var files: Set<Load> = []
        for reference in references.references where Self.kinds.contains(reference.kind) {
            guard files.count < Self.mostFiles else { break }
            if let load = Self.load(reference.value, base: base) { files.insert(load) }
        }
        self.files = Array(files)
    }

    /// - Returns: `nil` for a URL without a path, or with another scheme.
    private static func load(_ value: [UInt8], base: Load?) -> Load? {
        var path = value.drop { $0 <= 0x20 }.prefix {
            $0 > 0x20 && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        var isFromRoot = path.first == UInt8(ascii: "/")
        // URLs often include the site's own host; the path is in the build regardless.
        for start in ["https://", "http://", "//"] where path.starts(with: start.utf8) {
            path = path.dropFirst(start.utf8.count).drop { $0 != UInt8(ascii: "/") }
            isFromRoot = true
        }
        let first = path.prefix { $0 != UInt8(ascii: "/") }
        guard !path.isEmpty, !first.contains(UInt8(ascii: ":")) else { return nil }
        var parts = String(decoding: PercentEncoding.decode(path), as: UTF8.self)
            .pathComponents(omittingEmpty: false).map(String.init)
        if !isFromRoot, let base {
            isFromRoot = base.isFromRoot
            parts = base.parts.dropLast() + parts
        }
        guard parts.count <= mostParts else { return nil }
        return Load(isFromRoot: isFromRoot, parts: parts)
    }

    /// The number of files found if a directory of the output is the web root, or is served under a
    /// path.
    func found(below root: String, _ known: inout KnownFiles) -> Int {
        let directory = page.pathComponents().dropLast().map(String.init)
        let rootParts = root.pathComponents().map(String.init)
        return files.count { load in
            guard load.isFromRoot else {
                guard let parts = Self.normalized(directory + load.parts) else { return false }
                return parts.starts(with: rootParts) && known.contains(parts)
            }
            guard let parts = Self.normalized(load.parts) else { return false }
            return parts.indices.contains { known.contains(rootParts + parts[$0...]) }
        }
    }

    /// Removes `.`, `..` and empty components; `nil` for a path outside the output.
    private static func normalized(_ parts: [String]) -> [String]? {
        var result: [String] = []
        for part in parts where !part.isEmpty && part != "." {
            if part != ".." {
                result.append(part)
            } else if result.popLast() == nil {
                return nil
            }
        }
        return result.isEmpty ? nil : result
    }
}

/// The files of an output; each is looked up once.
struct KnownFiles {
    private let output: Directory
    private var known: [String: Bool] = [:]

    init(_ output: Directory) { self.output = output }

    mutating func contains(_ parts: [String]) -> Bool {
        let path = parts.joined(separator: "/")
        if let isThere = known[path] { return isThere }
        let isThere = (try? output.status(path))?.map { $0.kind == .file } ?? false
        known[path] = isThere
        return isThere
    }
}
