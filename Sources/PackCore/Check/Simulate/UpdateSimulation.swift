package import PackGround
package import PackProfile
package import PackRelease
import PackURL

/// The files stored and served by a deployed client after an update.
///
/// The client's own algorithm runs on both releases: the old one is installed on an empty device,
/// then updated to the new one. Then every file of the new release is requested by its URL, with
/// the resolver used by the rules.
package struct UpdateSimulation: Sendable {
    /// The state of a file of the new release.
    package enum State: String, CaseIterable, Sendable {
        /// The device already has the correct content from the old release.
        case kept
        /// The device has downloaded it.
        case downloaded
        /// Not updated: the name existed, so the old content stays.
        case stale
        /// Another file of the release has the same name on the device.
        case shadowed
        /// The file's URL finds nothing on the device.
        case missing

        /// Whether the device does not serve the published content.
        package var isWrong: Bool { self == .stale || self == .shadowed || self == .missing }
    }

    /// A file of the new release as served by the device.
    package struct File: Equatable, Sendable {
        package let asset: Asset
        package let state: State
        /// The asset served instead of a stale or shadowed file.
        package let served: Asset?
        /// The name looked up by the handler for the file's URL.
        package let lookedUp: String
        /// The URL requested by the handler instead of a missing file.
        package let fallback: String?
    }

    /// Whether both releases have the same hash, so that the client does not start the update.
    package let isSameVersion: Bool
    /// In listing order.
    package let files: [File]
    /// The downloaded assets in listing order.
    package let downloads: [Asset]
    /// The names removed from the device, sorted.
    package let deleted: [AssetPath]
    /// The final content of the device.
    package let store: DeviceStore
    package let profile: Profile
    /// The size in bytes of content not in the old release: the download of a client that compares
    /// hashes.
    package let newContentBytes: UInt64

    /// Bytes downloaded file by file, without transport compression.
    package var downloadedBytes: UInt64 { downloads.clampedSum(of: \.size) }

    /// The files served incorrectly or not at all.
    package var wrong: [File] { files.filter(\.state.isWrong) }

    /// The number of files in a state.
    package func count(_ state: State) -> Int { files.count { $0.state == state } }

    package init(from old: Release, to new: Release, profile: Profile) {
        self.profile = profile
        var store = DeviceStore()
        _ = store.update(to: old, from: .old, of: profile.client)
        isSameVersion = old.packageHash == new.packageHash
        let changes =
            isSameVersion
            ? DeviceStore.Changes() : store.update(to: new, from: .new, of: profile.client)
        downloads = changes.downloads
        deleted = changes.deleted
        newContentBytes = ReleaseDiff(from: old, to: new).newContentBytes
        let device = Device(store, profile)
        files = new.assets.map(device.serve)
        self.store = store
    }
}

/// A device serving the files of a release.
private struct Device {
    private let store: DeviceStore
    private let profile: Profile
    private let resolver: Resolver

    init(_ store: DeviceStore, _ profile: Profile) {
        self.store = store
        self.profile = profile
        resolver = Resolver(profile: profile, listing: PackageListing(Array(store.items.keys)))
    }

    func serve(_ asset: Asset) -> UpdateSimulation.File {
        guard let url = profile.url(of: asset.path, secure: false) else {
            return file(asset, .missing, lookedUp: [])
        }
        let isPage = asset.path.bytes.suffix(5).elementsEqual(".html".utf8)
        let resolution = resolver.resolve(url, for: isPage ? .navigation : .load)
        let name = resolution.lookedUp ?? []
        guard let index = resolution.file, let item = store.items[resolver.listing.paths[index]]
        else {
            guard case .fallback = resolution.outcome else {
                return file(asset, .missing, lookedUp: name)
            }
            return file(asset, .missing, lookedUp: name, fallback: resolution.fallback)
        }
        if item.asset.sha256 == asset.sha256 {
            return file(asset, item.origin == .old ? .kept : .downloaded, lookedUp: name)
        }
        return file(
            asset, item.origin == .old ? .stale : .shadowed, served: item.asset, lookedUp: name)
    }

    private func file(
        _ asset: Asset, _ state: UpdateSimulation.State, served: Asset? = nil,
        lookedUp: [UInt8], fallback: URLRecord? = nil
    ) -> UpdateSimulation.File {
        UpdateSimulation.File(
            asset: asset, state: state, served: served, lookedUp: printable(lookedUp),
            fallback: fallback.map { printable($0.serialized()) })
    }
}
