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
        let differences = new.differences(from: old)
        var gone: [Digest: [Asset]] = [:]
        for difference in differences.reversed() where difference.new == nil {
            guard let index = difference.old else { continue }
            gone[old.assets[index].sha256, default: []].append(old.assets[index])
        }
        var added: [Asset] = []
        var changed: [Change] = []
        var moved: [Change] = []
        var unchanged: [Asset] = []
        var next = 0
        for difference in differences {
            guard let index = difference.new else { continue }
            unchanged += new.assets[next..<index]
            next = index + 1
            let asset = new.assets[index]
            if let before = difference.old {
                changed.append(Change(old: old.assets[before], new: asset))
            } else if let before = gone[asset.sha256]?.popLast() {
                moved.append(Change(old: before, new: asset))
            } else {
                added.append(asset)
            }
        }
        unchanged += new.assets[next...]
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
        var novel = Dictionary(
            differences.compactMap { $0.new }.map { (new.assets[$0].sha256, new.assets[$0].size) },
            uniquingKeysWith: { first, _ in first })
        if !novel.isEmpty {
            for asset in old.assets { novel[asset.sha256] = nil }
        }
        newContentBytes = novel.values.clampedSum { $0 }
    }
}
