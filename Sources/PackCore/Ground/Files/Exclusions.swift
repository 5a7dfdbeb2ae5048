/// The `exclude` patterns of a project; the last pattern that matches a path decides.
package struct Exclusions: Sendable, Equatable {
    package let patterns: [ExclusionPattern]

    package init(_ patterns: [ExclusionPattern] = []) { self.patterns = patterns }

    /// The pattern that excludes a path; `nil` if the path is included.
    ///
    /// Files below an excluded directory cannot be re-included, because a walk does not open the
    /// directory.
    ///
    /// - Parameter path: Relative to the build output.
    package func match(_ path: [UInt8], isDirectory: Bool) -> ExclusionPattern? {
        let last = patterns.last { $0.matches(path, isDirectory: isDirectory) }
        return last?.isNegative == true ? nil : last
    }
}

/// The files and directories that a walk of a build output left out.
package struct LeftOut: Sendable, Equatable {
    /// Junk such as `.DS_Store`, sorted and printable.
    package var junk: [String] = []
    /// Excluded files and directories, sorted by path; a directory stands for its whole content.
    package var excluded: [Entry] = []

    package init(junk: [String] = [], excluded: [Entry] = []) {
        self.junk = junk
        self.excluded = excluded
    }

    /// An excluded file or directory.
    package struct Entry: Sendable, Equatable {
        /// Relative to the build output; any bytes.
        package let path: [UInt8]
        package let isDirectory: Bool
        /// In bytes; 0 for a directory.
        package let size: UInt64
        /// The pattern as written by the user.
        package let pattern: String
    }

    package var isEmpty: Bool { junk.isEmpty && excluded.isEmpty }
    package var excludedFiles: Int { excluded.count { !$0.isDirectory } }
    package var excludedDirectories: Int { excluded.count { $0.isDirectory } }
    /// The total size of the excluded files, without those in excluded directories.
    package var excludedBytes: UInt64 { excluded.clampedSum(of: \.size) }

    /// The entry that excludes a path: its own, or that of a parent directory.
    package func entry(for path: [UInt8]) -> Entry? {
        excluded.first {
            $0.path == path
                || $0.isDirectory && path.starts(with: $0.path)
                    && path.dropFirst($0.path.count).first == UInt8(ascii: "/")
        }
    }
}
