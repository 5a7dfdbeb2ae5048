import PackCore

/// Small files that a user named.
enum ReadableFile {
    /// Splits a path into the directory it lies in and its name there.
    static func locate(_ path: String) throws -> (directory: Directory, name: String) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else {
            return (try Directory.open("."), path)
        }
        let parent = slash == path.startIndex ? "/" : String(path[..<slash])
        return (try Directory.open(parent), String(path[path.index(after: slash)...]))
    }

    /// Reads a whole file of at most `limit` bytes.
    static func read(_ path: String, limit: Int) throws -> [UInt8] {
        let (directory, name) = try locate(resolvedPath(path))
        return try directory.readFile(name, limit: limit)
    }

    /// Writes a file whole or not at all: beside its place first, then renamed over it.
    static func replace(_ path: String, with bytes: [UInt8]) throws {
        let (directory, name) = try locate(path)
        try directory.replace(name) { temporary in
            let file = try directory.createFile(temporary)
            try file.write(bytes)
            try file.sync()
            try file.close()
        }
    }
}

extension Directory {
    /// Lets `write` make a file under a temporary name, then gives it its own.
    ///
    /// What fails leaves nothing.
    func replace(_ name: String, _ write: (String) throws -> Void) throws {
        let temporary = ".\(uniqueName()).packtool"
        do {
            try write(temporary)
            try rename(temporary, to: self, as: name)
            try sync()
        } catch {
            try? removeFile(temporary)
            throw error
        }
    }
}
