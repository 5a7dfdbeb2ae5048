package import PackGround

/// The changes from one release to another.
package struct ReleaseDiff: Equatable, Sendable {
    /// A path whose content changed.
    package struct Change: Equatable, Sendable {
        package let old: Asset
        package let new: Asset
    }

    /// Paths only in the new release that are neither moved nor renamed.
    package let added: [Asset]
    /// Paths only in the old release that are neither moved nor renamed.
    package let removed: [Asset]
    package let changed: [Change]
    /// Content that has moved to another path.
    package let moved: [Change]
    /// Files whose path and content changed.
    package let renamed: [Change]
    package let unchanged: [Asset]

    package var isEmpty: Bool {
        added.isEmpty && removed.isEmpty && changed.isEmpty && moved.isEmpty
            && renamed.isEmpty
    }

    /// Bytes of content that the old release does not have, each content once.
    package let newContentBytes: UInt64

    /// Compares two releases.
    ///
    /// - Parameter pairs: The old path that each new path continues; paths in both releases are
    ///   ignored.
    package init(
        from old: Release, to new: Release, pairs: [AssetPath: AssetPath] = [:]
    ) {
        let oldByPath = Dictionary(
            old.assets.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        let newPaths = Set(new.assets.map(\.path))
        var gone: [Digest: [Asset]] = [:]
        for asset in old.assets.reversed() where !newPaths.contains(asset.path) {
            gone[asset.sha256, default: []].append(asset)
        }
        var added: [Asset] = []
        var changed: [Change] = []
        var moved: [Change] = []
        var unchanged: [Asset] = []
        for asset in new.assets {
            if let before = oldByPath[asset.path] {
                if before.sha256 == asset.sha256 {
                    unchanged.append(asset)
                } else {
                    changed.append(Change(old: before, new: asset))
                }
            } else if let before = gone[asset.sha256]?.popLast() {
                moved.append(Change(old: before, new: asset))
            } else {
                added.append(asset)
            }
        }
        var left = Dictionary(
            gone.values.joined().map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        var renamed: [Change] = []
        added.removeAll { asset in
            guard let path = pairs[asset.path], let before = left.removeValue(forKey: path) else {
                return false
            }
            renamed.append(Change(old: before, new: asset))
            return true
        }
        self.added = added
        self.renamed = renamed
        self.changed = changed
        self.moved = moved
        self.unchanged = unchanged
        removed = left.values.sorted { $0.path < $1.path }
        var known = Set(old.assets.map(\.sha256))
        newContentBytes = new.assets.reduce(0) {
            known.insert($1.sha256).inserted ? $0.addingClamped($1.size) : $0
        }
    }
}
