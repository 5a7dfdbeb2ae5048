import CFiles

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Whether a path is a directory or below it.
///
/// Directories are compared by identity: a bind mount or a case-insensitive file system has several
/// names for one directory.
///
/// - Parameter path: The path; it may not exist.
package func isInside(_ path: String, _ directory: String) -> Bool {
    let identity = { (path: String) in
        (try? Directory.open(path).status("."))?.map(\.identity)
    }
    guard let wanted = identity(directory) else { return false }
    var path = resolvedPath(path)
    while identity(path) != wanted {
        guard path != "/", let slash = path.lastSlash else { return false }
        path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
    return true
}

/// The absolute path without links of a path that may not exist.
///
/// Resolves its nearest existing directory and keeps the rest.
package func resolvedPath(_ path: String) -> String {
    var existing = WorkingDirectory.locate(path.isEmpty ? "." : path)
    while existing.count > 1, existing.hasSuffix("/") { existing.removeLast() }
    var rest = ""
    while true {
        if let resolved = unsafe cfiles_resolve(existing, existing.utf8.count) {
            defer { unsafe free(resolved) }
            let base = unsafe String(cString: resolved)
            return rest.isEmpty ? base : (base == "/" ? "" : base) + rest
        }
        // The working directory was removed, so relative paths cannot be resolved.
        if existing == "." { return path }
        guard let slash = existing.lastSlash else {
            rest = "/" + existing + rest
            existing = "."
            continue
        }
        rest = existing[slash...] + rest
        existing = slash == existing.startIndex ? "/" : String(existing[..<slash])
        if existing == "/", rest.isEmpty { return "/" }
    }
}
