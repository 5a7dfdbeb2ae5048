#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The result of one walk of a build output: its assets in listing order, and the files left out.
package struct FileTree: Sendable {
    /// A regular file of the tree.
    package struct File: Sendable {
        package let path: AssetPath
        package let status: FileStatus
        package var size: UInt64 { status.size }
    }

    /// Sorted by the bytes of the path.
    package let files: [File]
    package let leftOut: LeftOut
    package let totalBytes: UInt64

    /// Walks a directory.
    ///
    /// This is the only walk of a build output; no other code sorts or filters names.
    ///
    /// - Parameter exclusions: Patterns of files to leave out; their names are not checked.
    /// - Throws: ``Failure`` with every name that a package cannot contain, or
    ///   ``Failure``.
    package static func walk(
        _ root: Directory, excluding exclusions: Exclusions = Exclusions()
    ) throws -> FileTree {
        let survey = try survey(root, excluding: exclusions)
        guard survey.refused.isEmpty else {
            throw Failure.buildNames(root: root.path, names: survey.refused)
        }
        return FileTree(
            files: survey.files, leftOut: survey.leftOut,
            totalBytes: survey.files.clampedSum(of: \.size))
    }

    /// The result of a walk, including refused names.
    package struct Survey: Sendable {
        /// Sorted by the bytes of the path; includes names that collide and are also in
        /// ``refused``.
        package let files: [File]
        package let leftOut: LeftOut
        /// Sorted by name.
        package let refused: [RefusedName]
    }

    /// Walks a directory and collects names that a package cannot contain, instead of throwing.
    package static func survey(
        _ root: Directory, excluding exclusions: Exclusions = Exclusions()
    ) throws(Failure) -> Survey {
        var walk = Walk(exclusions: exclusions)
        try walk.visitAll(below: root)
        walk.files.sort { $0.path < $1.path }
        walk.refused += NameCollisions.find(in: walk.files.map(\.path)).map {
            RefusedName(name: printable($0.path.bytes), problem: $0.problem)
        }
        return Survey(
            files: walk.files,
            leftOut: LeftOut(
                junk: walk.leftOut.junk.sorted(),
                excluded: walk.leftOut.excluded.sorted {
                    $0.path.lexicographicallyPrecedes($1.path)
                }),
            refused: walk.refused.sorted { $0.name < $1.name })
    }

    private struct Walk {
        let exclusions: Exclusions
        var files: [File] = []
        var leftOut = LeftOut()
        var refused: [RefusedName] = []

        /// Directories still to visit.
        ///
        /// Each is opened from the root, because one descriptor per level would run out in a deep
        /// tree.
        private var pending: [[UInt8]] = []

        init(exclusions: Exclusions) { self.exclusions = exclusions }

        mutating func visitAll(below root: Directory) throws(Failure) {
            try visit(root, prefix: [])
            while let path = pending.popLast() {
                let directory = try root.directory(String(decoding: path, as: UTF8.self))
                try visit(directory, prefix: path + [UInt8(ascii: "/")])
            }
        }

        private mutating func visit(_ directory: Directory, prefix: [UInt8]) throws(Failure) {
            for name in try directory.names() {
                let path = prefix + name
                if JunkFiles.isJunk(name) {
                    leftOut.junk.append(printable(path))
                    continue
                }
                // The status is needed this early only if there are patterns.
                let status =
                    exclusions.patterns.isEmpty ? nil : try Self.status(of: name, in: directory)
                if exclude(path, status) { continue }
                let asset: AssetPath
                do throws(NameProblem) {
                    asset = try AssetPath(path)
                } catch {
                    refused.append(.init(name: printable(path), problem: error))
                    continue
                }
                try visit(asset, String(decoding: name, as: UTF8.self), status, in: directory)
            }
        }

        /// The status of a name; `nil` for invalid UTF-8, which can only be excluded as a file.
        private static func status(
            of name: [UInt8], in directory: Directory
        ) throws(Failure) -> FileStatus? {
            let text = String(decoding: name, as: UTF8.self)
            return text.utf8.elementsEqual(name) ? try directory.status(text) : nil
        }

        /// Whether a name is excluded; an excluded directory is not opened.
        private mutating func exclude(_ path: [UInt8], _ status: FileStatus?) -> Bool {
            let isDirectory = status?.kind == .directory
            guard let pattern = exclusions.match(path, isDirectory: isDirectory) else {
                return false
            }
            leftOut.excluded.append(
                LeftOut.Entry(
                    path: path, isDirectory: isDirectory,
                    size: status?.kind == .file ? status?.size ?? 0 : 0, pattern: pattern.text))
            return true
        }

        private mutating func visit(
            _ asset: AssetPath, _ name: String, _ known: FileStatus?, in directory: Directory
        ) throws(Failure) {
            // Not with `??`, which would lose the type of the error.
            guard let status = known == nil ? try directory.status(name) : known else {
                throw Failure.fileSystem("inspect", directory.display(name), number: ENOENT)
            }
            switch status.kind {
            case .file:
                files.append(File(path: asset, status: status))
            case .directory:
                // A longer path could not be opened again in one call.
                guard asset.bytes.count < 4000 else {
                    refused.append(.init(name: printable(asset.bytes), problem: .pathTooLong))
                    return
                }
                pending.append(asset.bytes)
            case .symbolicLink:
                refused.append(.init(name: printable(asset.bytes), problem: .symbolicLink))
            case .other:
                refused.append(.init(name: printable(asset.bytes), problem: .notAFile))
            }
        }
    }
}

/// A name that a package cannot contain.
package struct RefusedName: Sendable, Equatable {
    package let name: String
    package let problem: NameProblem

    /// A printable name and the reason for its refusal.
    package init(name: String, problem: NameProblem) {
        self.name = name
        self.problem = problem
    }
}

extension Failure.Code {
    package static let buildNames = Self("build.names")
}

extension Failure {
    /// The names of a build that a package cannot contain.
    ///
    /// - Parameter root: The directory or archive that contains the names.
    package static func buildNames(root: String, names: [RefusedName]) -> Failure {
        let list = names.map { "\n  \($0.name): \($0.problem.reason)" }.joined()
        return Failure(
            .buildNames,
            "\(counted(names.count, "name")) in '\(root)' cannot be shipped:\(list)",
            unaffected: "existing files; nothing was written",
            details: ["count": "\(names.count)"])
    }
}
