/// What of a build output is not shipped: the patterns of `exclude`, the last match of which counts.
package struct Exclusions: Sendable, Equatable {
    package let patterns: [ExclusionPattern]

    package init(_ patterns: [ExclusionPattern] = []) { self.patterns = patterns }

    /// The pattern by which a path is excluded; `nil` if it is shipped.
    ///
    /// Nothing below an excluded directory can be taken back, because a walk does not open one.
    ///
    /// - Parameter path: relative to the build output.
    package func match(_ path: [UInt8], isDirectory: Bool) -> ExclusionPattern? {
        let last = patterns.last { $0.matches(path, isDirectory: isDirectory) }
        return last?.isNegative == true ? nil : last
    }
}

/// What a walk of a build output left out.
package struct LeftOut: Sendable, Equatable {
    /// Junk such as `.DS_Store`, sorted and printable.
    package var junk: [String] = []
    /// What `exclude` named, sorted by path; a directory includes all that it contains.
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
        /// The pattern as it was written.
        package let pattern: String
    }

    package var isEmpty: Bool { junk.isEmpty && excluded.isEmpty }
    package var excludedFiles: Int { excluded.count { !$0.isDirectory } }
    package var excludedDirectories: Int { excluded.count { $0.isDirectory } }
    /// The sum of the excluded files, without those in excluded directories.
    package var excludedBytes: UInt64 { excluded.clampedSum(of: \.size) }

    /// The entry by which a path is excluded: its own, or that of a directory above it.
    package func entry(for path: [UInt8]) -> Entry? {
        excluded.first {
            $0.path == path
                || $0.isDirectory && path.starts(with: $0.path)
                    && path.dropFirst($0.path.count).first == UInt8(ascii: "/")
        }
    }
}
