package import PackGround

/// A manifest of the first format: a version and the URLs of the files, without their content.
package struct LegacyManifest: Equatable, Sendable {
    package let version: String
    package let urls: [String]

    package init(version: String, urls: [String]) {
        self.version = version
        self.urls = urls
    }

    /// The release, as far as a newer release helps to reconstruct it.
    package struct Reading: Sendable {
        package let release: Release
        /// Files that may have changed: they have the name of a file in the newer release, without
        /// a hash.
        package let unknown: Set<AssetPath>
        /// The URL of each file.
        package let urls: [AssetPath: String]
    }

    /// The assumption about files with unknown content.
    package enum Unknown: Sendable {
        case same, changed
    }

    /// Derives the files' paths from their URLs, and their content from that of the newer release.
    ///
    /// The paths are relative to the base under which most URLs name a file of the newer release. A
    /// name with a content hash in both releases has the same content in both. The size of files
    /// that only the old release has is unknown and reported as 0.
    ///
    /// - Parameters:
    ///   - isHashed: Whether a file's name contains a hash of its content.
    ///   - unknown: The assumption about other files with the same name.
    package func reading(
        beside new: Release, isHashed: ([UInt8]) -> Bool, assuming unknown: Unknown
    ) -> Reading {
        if version == new.version.description {
            return Reading(release: new, unknown: [], urls: [:])
        }
        let known = Dictionary(
            new.assets.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        let locations = urls.map { (url: $0, path: Self.path(of: $0)) }
        let base = Self.base(of: locations.map(\.path), known: known)
        var assets: [AssetPath: Asset] = [:]
        var unclear: Set<AssetPath> = []
        var paths: [AssetPath: String] = [:]
        for (url, components) in locations {
            let isInside = components.count > base.count && components.starts(with: base)
            let rest = isInside ? components.dropFirst(base.count) : components.suffix(1)
            guard let path = Self.assetPath(rest), assets[path] == nil else { continue }
            paths[path] = url
            if let asset = known[path] {
                let isKnown = isHashed(path.fileName)
                if !isKnown { unclear.insert(path) }
                if isKnown || unknown == .same {
                    assets[path] = asset
                    continue
                }
            }
            let digest = StreamHasher.digest(of: Array("unknown content of \(url)".utf8))
            assets[path] = Asset(path: path, size: 0, sha256: digest)
        }
        return Reading(
            release: Release(assets: Array(assets.values)), unknown: unclear, urls: paths)
    }

    /// The decoded components of a URL's path.
    private static func path(of url: String) -> [[UInt8]] {
        var rest = url.utf8[...]
        if let colon = url.firstRange(of: "://") {
            rest = rest[colon.upperBound...].drop { $0 != UInt8(ascii: "/") }
        }
        rest = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return Substring(rest).pathComponents().map {
            PercentCoding.decode($0) ?? Array($0.utf8)
        }
    }

    private static func assetPath(_ components: ArraySlice<[UInt8]>) -> AssetPath? {
        try? AssetPath(Array(components.joined(separator: [UInt8(ascii: "/")])))
    }

    /// The components before the files' paths: the base under which most files are known.
    private static func base(
        of locations: [[[UInt8]]], known: [AssetPath: Asset]
    ) -> [[UInt8]] {
        let longest = known.keys.map(\.bytes.count).max() ?? 0
        let deepest = known.keys.map { $0.directories.count + 1 }.max() ?? 0
        var votes: [[[UInt8]]: Int] = [:]
        for components in locations {
            // The longest known path: 'a/index.html' rather than 'index.html'.
            let start = possibleStarts(components, deepest: deepest, longest: longest).first {
                assetPath(components[$0...]).map { known[$0] != nil } ?? false
            }
            if let start { votes[Array(components[..<start]), default: 0] += 1 }
        }
        let best = votes.max {
            ($0.value, -$0.key.count) < ($1.value, -$1.key.count)
        }
        if let best { return best.key }
        guard var common = locations.first.map({ Array($0.dropLast()) }) else { return [] }
        for components in locations {
            let shared = zip(common, components.dropLast()).prefix { $0 == $1 }.count
            common.removeLast(common.count - shared)
        }
        return common
    }

    /// The positions in a URL where a file's path may start.
    ///
    /// Positions deeper or longer than any file's path are skipped, since a URL may have as many
    /// components as a manifest has bytes.
    private static func possibleStarts(
        _ components: [[UInt8]], deepest: Int, longest: Int
    ) -> Range<Int> {
        var start = components.count
        var length = -1
        while start > 0, components.count - start < deepest {
            length += components[start - 1].count + 1
            if length > longest { break }
            start -= 1
        }
        return start..<components.count
    }
}
