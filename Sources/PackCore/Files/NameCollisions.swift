/// Finds the names in a set of paths that some client's file system could not keep apart.
package enum NameCollisions {
    /// Each path that meets an earlier one: twice the same path, equal after case folding or
    /// normalisation, or a file where another path needs a directory.
    ///
    /// - Parameter paths: in listing order; the later of two paths is the one reported.
    package static func find(in paths: [AssetPath]) -> [(path: AssetPath, problem: NameProblem)] {
        find(among: paths.map { Name(path: $0, isFile: true) })
    }

    /// A name that is claimed: a file, or a directory that is named by itself (as in an archive).
    struct Name {
        let path: AssetPath
        let isFile: Bool
    }

    /// As ``find(in:)``, for files and directories mixed.
    static func find(among names: [Name]) -> [(path: AssetPath, problem: NameProblem)] {
        struct Taken {
            let name: ArraySlice<UInt8>
            let isFile: Bool
        }
        var taken: [[UInt8]: Taken] = [:]
        var found: [(path: AssetPath, problem: NameProblem)] = []
        taken.reserveCapacity(names.count)

        var before: ArraySlice<UInt8> = []
        for claimed in names {
            let path = claimed.path
            var problem: NameProblem?
            // In listing order most files lie in the directory of the one before, which met nothing.
            let directories = path.directories
            let isBeside = directories.last == before && !before.isEmpty
            for (name, isFile) in (isBeside ? [] : directories).map({ ($0, false) }) + [
                (path.bytes[...], claimed.isFile)
            ] {
                let key = AssetPath.foldedKey(name)
                guard let earlier = taken[key] else {
                    taken[key] = Taken(name: name, isFile: isFile)
                    continue
                }
                let isSameDirectory = !isFile && !earlier.isFile && earlier.name == name
                if !isSameDirectory, problem == nil {
                    problem = .collides(with: printable(earlier.name))
                }
            }
            before = problem == nil ? directories.last ?? [] : []
            if let problem { found.append((path, problem)) }
        }
        return found
    }
}
