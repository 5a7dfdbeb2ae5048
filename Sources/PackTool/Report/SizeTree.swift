import PackGround

/// The files of a release as a tree of directories with sizes.
struct SizeTree: Sendable {
    /// The name below the parent; several components if a directory has a single entry.
    let name: String
    let size: UInt64
    /// `nil` for a directory.
    let kind: FileKind?
    /// The largest first.
    let children: [SizeTree]
    /// The number of files in it; 1 for a file.
    let files: Int

    /// - Parameter files: Distinct paths.
    init(files: [(path: String, kind: FileKind, size: UInt64)]) {
        self.init(
            name: "",
            files.map { ($0.path.pathComponents().map(String.init)[...], $0.kind, $0.size) })
    }

    private typealias Entry = (path: ArraySlice<String>, kind: FileKind, size: UInt64)

    private init(name: String, _ entries: [Entry]) {
        var folders: [String: [Entry]] = [:]
        var children: [SizeTree] = []
        for entry in entries {
            guard let first = entry.path.first else { continue }
            if entry.path.count == 1 {
                children.append(
                    SizeTree(
                        name: first, size: entry.size, kind: entry.kind, children: [], files: 1))
            } else {
                folders[first, default: []].append(
                    (entry.path.dropFirst(), entry.kind, entry.size))
            }
        }
        for (name, entries) in folders { children.append(SizeTree(name: name, entries)) }
        children.sort { ($0.size, $1.name) > ($1.size, $0.name) }
        if children.count == 1, let child = children.first, child.kind == nil, !name.isEmpty {
            self = child.renamed("\(name)/\(child.name)")
            return
        }
        self.init(
            name: name, size: children.reduce(0) { $0 + $1.size }, kind: nil, children: children,
            files: children.reduce(0) { $0 + $1.files })
    }

    private init(name: String, size: UInt64, kind: FileKind?, children: [SizeTree], files: Int) {
        self.name = name
        self.size = size
        self.kind = kind
        self.children = children
        self.files = files
    }

    private func renamed(_ name: String) -> SizeTree {
        SizeTree(name: name, size: size, kind: kind, children: children, files: files)
    }

    /// Combines children too small to be drawn.
    static func rest(of children: ArraySlice<SizeTree>) -> SizeTree {
        SizeTree(
            name: "", size: children.reduce(0) { $0 + $1.size }, kind: nil, children: [],
            files: children.reduce(0) { $0 + $1.files })
    }
}
