package import PackGround
package import PackRelease

/// Every key required by a set of pointers and log entries, with size and hash if a pointer binds
/// them.
///
/// `verify` re-reads these keys and reports all others as orphans.
package struct Reachability: Sendable {
    /// A delta listed by a pointer, with its target release.
    package struct ListedDelta: Equatable, Sendable {
        package let delta: Pointer.Delta
        package let toHash: Digest

        package init(delta: Pointer.Delta, toHash: Digest) {
            self.delta = delta
            self.toHash = toHash
        }

        /// Whether both deltas are the same file, regardless of URL.
        func isTheSame(as other: ListedDelta) -> Bool {
            toHash == other.toHash && delta.from == other.delta.from
                && delta.fromHash == other.delta.fromHash
                && delta.needs.memory == other.delta.needs.memory
                && delta.content.content == other.delta.content.content
        }
    }

    /// Every referenced release, with the first pointer or log entry added for it.
    package private(set) var releases: [Version: OriginReader.Published] = [:]
    /// Every referenced manifest, by key.
    package private(set) var manifests: [String: OriginReader.Published] = [:]
    /// Every listed delta, by key.
    package private(set) var deltas: [String: ListedDelta] = [:]
    /// Every object of the releases with added manifests, by key.
    package private(set) var objects: [String: FileDigest] = [:]
    /// The distinct contents of each path of `site/` in these releases.
    package private(set) var site: [AssetPath: [Asset]] = [:]
    /// Files without a bound hash: pointers, log entries, prune marks, roots, `info.json`.
    private var names: Set<String> = []
    private var sitePaths: Set<String> = []

    package init() {}

    // MARK: Adding

    package mutating func addPointer(of channel: Channel) {
        names.insert(OriginLayout.pointer(channel))
    }

    package mutating func addLogEntry(_ sequence: Int, of channel: Channel) {
        names.insert(OriginLayout.logEntry(channel, sequence))
    }

    package mutating func addPruneMark(of channel: Channel) {
        names.insert(OriginLayout.pruneMark(channel))
    }

    package mutating func addRoot(_ version: Int) {
        names.insert(OriginLayout.root(version))
    }

    /// Adds files of feeds, which follow their channel.
    package mutating func addFeeds(_ paths: [String]) { names.formUnion(paths) }

    /// Adds `info.json` and `site/`, the files that follow the default channel.
    package mutating func addFollowers() {
        names.insert(OriginLayout.info)
        for path in site.keys { sitePaths.insert(OriginLayout.site(path)) }
    }

    /// Adds the releases and deltas of a pointer or log entry.
    ///
    /// - Parameter rebinds: Whether its hashes replace those of keys added before.
    /// - Returns: Problems: keys with a different hash or size in an earlier pointer.
    package mutating func add(
        _ published: OriginReader.Published, rebinds: Bool = true
    ) -> [String] {
        published.offers.flatMap { add(offer: $0, rebinds) }
    }

    private mutating func add(offer published: OriginReader.Published, _ rebinds: Bool) -> [String]
    {
        let pointer = published.pointer
        var problems: [String] = []
        for delta in pointer.deltas {
            let path = OriginLayout.delta(pointer.version, from: delta.from)
            let listed = ListedDelta(delta: delta, toHash: pointer.packageHash)
            let known = deltas[path]
            if known == nil || rebinds { deltas[path] = listed }
            if let known, !known.isTheSame(as: listed) {
                problems.append(
                    """
                    lists '\(path)' with a different hash or size than another pointer
                    """)
            }
        }
        if rebinds || manifests[published.manifestPath] == nil {
            manifests[published.manifestPath] = published
        }
        guard let known = releases[pointer.version] else {
            releases[pointer.version] = published
            return problems
        }
        // A corrected release has another manifest, with other URLs.
        let isAnother =
            known.manifestPath == published.manifestPath && known.pointer.info != pointer.info
        if isAnother || known.pointer.package.content != pointer.package.content {
            problems.append(
                "has another hash or size for release \(pointer.version) than '\(known.path)'")
        }
        return problems
    }

    /// Adds the objects of a release, and its files of `site/`.
    ///
    /// Keeps nothing else of the manifest: the manifests of a long log would not fit into memory.
    package mutating func add(_ release: Release) {
        for asset in release.assets {
            objects[OriginLayout.objectPath(asset)] = asset.content
            if site[asset.path]?.contains(where: { $0.sha256 == asset.sha256 }) != true {
                site[asset.path, default: []].append(asset)
            }
        }
    }

    // MARK: Asking

    /// Whether a key is required.
    package func contains(_ path: String) -> Bool {
        names.contains(path) || manifests[path] != nil || objects[path] != nil
            || deltas[path] != nil
            || sitePaths.contains(path) || isOfRelease(path)
    }

    /// The objects, sorted by key.
    package var objectContents: [ObjectReference] {
        objects.map { ObjectReference($0, $1) }.sorted { $0.path < $1.path }
    }

    private func isOfRelease(_ path: String) -> Bool {
        let parts = path.pathComponents(omittingEmpty: false)
        guard parts.count == 3, let version = Version(String(parts[1])), releases[version] != nil
        else { return false }
        return path == OriginLayout.package(version)
    }
}
