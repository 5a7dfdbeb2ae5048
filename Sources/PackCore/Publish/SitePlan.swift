/// How `site/`, the copy that the https fallback reaches, is brought to a release.
///
/// New names come first, then replaced ones, pages after what they refer to, the launch page last of all.
/// Nothing is deleted: a page that is still open may ask for a chunk of an earlier release.
struct SitePlan: Sendable {
    let new: [Asset]
    let replaced: [Asset]
    let unchanged: [Asset]

    /// Compares `site/` with the release.
    ///
    /// A path is unchanged where it is the object itself (one inode) or a copy with the same content.
    static func make(
        _ release: Release, launch: AssetPath?, root: Directory, jobs: Int
    ) async throws -> SitePlan {
        enum Kind: Sendable { case new, replaced, unchanged }
        let misplaced = try misplacedDirectories(of: release, root: root)
        // Neighbours lie in one directory, which is opened once.
        typealias State = (buffer: ByteBuffer, place: String, directory: Directory?)
        let kinds = try await mapInParallel(
            count: release.assets.count, jobs: jobs,
            makeState: { () -> State in (.forReading(), "", nil) }
        ) { state, index -> Kind in
            let (asset, buffer) = (release.assets[index], state.buffer)
            let place = Self.place(asset)
            if asset.path.directories.contains(where: misplaced.contains) { return .new }
            let parent = String(
                decoding: place.utf8.dropLast(asset.path.fileName.count + 1), as: UTF8.self)
            if parent != state.place {
                state.directory =
                    try root.status(parent)?.kind == .directory ? root.directory(parent) : nil
                state.place = parent
            }
            let name = String(decoding: asset.path.fileName, as: UTF8.self)
            guard let status = try state.directory?.status(name) else { return .new }
            guard status.kind == .file, status.size == asset.size else { return .replaced }
            let object = String(decoding: OriginLayout.object(asset).bytes, as: UTF8.self)
            if try root.status(object)?.identity == status.identity { return .unchanged }
            let digest = try FileDigest.read(place, in: root, buffer: buffer, limit: asset.size)
            return digest?.sha256 == asset.sha256 ? .unchanged : .replaced
        }
        let pairs = Array(zip(release.assets, kinds))
        let select = { (kind: Kind) in pairs.filter { $0.1 == kind }.map(\.0) }
        let rank = { (asset: Asset) in
            asset.path == launch ? 2 : (isPage(asset) ? 1 : 0)
        }
        let ordered = { (assets: [Asset]) in
            assets.sorted { (rank($0), $0.path) < (rank($1), $1.path) }
        }
        return SitePlan(
            new: ordered(select(.new)), replaced: ordered(select(.replaced)),
            unchanged: select(.unchanged))
    }

    /// The directories of a release that are something else in `site/`, a link for one: what seems to lie
    /// below them does not lie in `site/`.
    private static func misplacedDirectories(
        of release: Release, root: Directory
    ) throws -> Set<ArraySlice<UInt8>> {
        var seen: Set<ArraySlice<UInt8>> = []
        var misplaced: Set<ArraySlice<UInt8>> = []
        for asset in release.assets {
            for directory in asset.path.directories where seen.insert(directory).inserted {
                let place = "\(OriginLayout.site)/" + String(decoding: directory, as: UTF8.self)
                if try root.status(place)?.kind != .directory { misplaced.insert(directory) }
            }
        }
        return misplaced
    }

    private static func isPage(_ asset: Asset) -> Bool {
        MediaType.of(asset.path).contains("html")
    }

    static func place(_ asset: Asset) -> String { "\(OriginLayout.site)/\(asset.path)" }

    /// Makes the plan's files ready in staging, and looks whether they can be moved to `site/`.
    ///
    /// Each is a second name of its object where the file system can do that. What is left for
    /// ``apply(root:staging:)`` is making directories and renaming.
    func prepare(root: Directory, staging: Directory) throws {
        var seen: Set<ArraySlice<UInt8>> = []
        var checked: Set<String> = []
        for (index, asset) in (new + replaced).enumerated() {
            try duplicate(asset, root: root, to: staging, as: Self.stagedName(index))
            // What lies in one directory has the same way to it.
            guard seen.insert(asset.path.directories.last ?? []).inserted else { continue }
            let name = try deepestDirectory(of: asset, root: root)
            guard checked.insert(name).inserted else { continue }
            guard try (name.isEmpty ? root : root.directory(name)).isWritable() else {
                throw PublishError.notWritable(place: root.display(name))
            }
        }
    }

    /// The directory that gets a new name for an asset: its own, or the deepest of its way that is there.
    private func deepestDirectory(of asset: Asset, root: Directory) throws -> String {
        guard try root.status(OriginLayout.site)?.kind == .directory else { return "" }
        var deepest = OriginLayout.site
        for directory in asset.path.directories {
            let name = "\(OriginLayout.site)/" + String(decoding: directory, as: UTF8.self)
            guard try root.status(name)?.kind == .directory else { break }
            deepest = name
        }
        return deepest
    }

    private static func stagedName(_ index: Int) -> String { "site-\(index)" }

    /// Carries the plan out.
    ///
    /// - Returns: the directories whose entries have to be made durable.
    func apply(root: Directory, staging: Directory) throws -> [String] {
        guard !new.isEmpty || !replaced.isEmpty else { return [] }
        var changed: Set<String> = ["", OriginLayout.site]
        try root.makeDirectory(OriginLayout.site)
        var mustSync = false
        for (index, asset) in (new + replaced).enumerated() {
            let isPage = Self.isPage(asset)
            // A page must not survive a power cut that what it refers to does not.
            if isPage, mustSync { try root.syncDirectories(changed.sorted()) }
            mustSync = !isPage
            try makeParents(of: asset, root: root, staging: staging, changed: &changed)
            let place = Self.place(asset)
            if try root.status(place)?.kind == .directory {
                // A release before had a directory of this name.
                try root.rename(place, to: staging, as: uniqueName())
            }
            try staging.rename(Self.stagedName(index), to: root, as: place)
        }
        return changed.sorted()
    }

    private func makeParents(
        of asset: Asset, root: Directory, staging: Directory, changed: inout Set<String>
    ) throws {
        for directory in asset.path.directories {
            let name = "\(OriginLayout.site)/" + String(decoding: directory, as: UTF8.self)
            guard changed.insert(name).inserted else { continue }
            if let status = try root.status(name), status.kind != .directory {
                // A release before had a file of this name.
                try root.rename(name, to: staging, as: uniqueName())
            }
            try root.makeDirectory(name)
        }
    }

    /// Links an object into staging, or copies it where links are not to be had.
    private func duplicate(
        _ asset: Asset, root: Directory, to staging: Directory, as name: String
    ) throws {
        let object = String(decoding: OriginLayout.object(asset).bytes, as: UTF8.self)
        do {
            if try root.link(object, to: staging, as: name) { return }
        } catch {
            guard error.meansNoLinks else { throw error }
        }
        _ = try FileDigest.copy(
            object, in: root, to: staging, as: name, buffer: .forReading(), limit: asset.size,
            isSynced: true)
    }
}
