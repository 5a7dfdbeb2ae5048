package import PackGround
import PackProfile
package import PackRelease

/// The content stored by a client on a device, by name.
///
/// A client that looks up the last component of a URL has one flat directory; others have a tree of
/// paths.
package struct DeviceStore: Equatable, Sendable {
    /// The release that delivered a file.
    package enum Origin: String, Sendable {
        case old, new
    }

    /// A stored file: the asset downloaded under its name.
    package struct Item: Equatable, Sendable {
        package let asset: Asset
        package let origin: Origin
    }

    package private(set) var items: [AssetPath: Item] = [:]

    /// An empty device.
    package init() {}

    /// The result of one update.
    struct Changes {
        /// Every downloaded file, including overwritten ones.
        var downloads: [Asset] = []
        /// The deleted names, sorted.
        var deleted: [AssetPath] = []
    }

    /// Runs the client's own update: unlisted files are deleted, and existing ones are kept
    /// (docs/sources.md#s003) or replaced.
    ///
    /// If two files have the same name, a client that skips existing files keeps the first in the
    /// listing, because `moveItemAtURL:toURL:` does not replace. On a device the faster download
    /// wins; the simulation uses the listing's order. A client that overwrites keeps the last.
    mutating func update(to release: Release, from origin: Origin, of client: ClientModel)
        -> Changes
    {
        var changes = Changes()
        let present = Set(items.keys)
        let listed = Set(release.assets.map { Self.name(of: $0.path, for: client) })
        changes.deleted = present.subtracting(listed).sorted()
        for name in changes.deleted { items[name] = nil }
        for asset in release.assets {
            let name = Self.name(of: asset.path, for: client)
            if client.skipsExisting {
                guard !present.contains(name) else { continue }
                changes.downloads.append(asset)
                if items[name] == nil { items[name] = Item(asset: asset, origin: origin) }
            } else {
                changes.downloads.append(asset)
                let isKept = items[name].map {
                    $0.origin != origin && $0.asset.sha256 == asset.sha256
                }
                if isKept != true { items[name] = Item(asset: asset, origin: origin) }
            }
        }
        return changes
    }

    /// The name under which a client stores an asset.
    static func name(of path: AssetPath, for client: ClientModel) -> AssetPath {
        switch client.lookUp {
        case .path: path
        // The last component of a valid path is a valid path itself.
        case .basename: (try? AssetPath(path.fileName)) ?? path
        }
    }
}
