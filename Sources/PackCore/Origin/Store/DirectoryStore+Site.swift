import PackGround
import PackRelease

extension DirectoryStore {
    package func compare(_ copies: [SiteCopy], jobs: Int) async throws -> [CopyState] {
        let (root, known) = (root, known)
        let misplaced = try misplacedFolders(of: copies)
        // Neighbours are in one directory, which is opened once.
        typealias State = (
            buffer: ByteBuffer, folder: ArraySlice<UInt8>?, directory: Directory?
        )
        return try await mapInParallel(
            count: copies.count, jobs: jobs,
            makeState: { () -> State in (.forReading(), nil, nil) }
        ) { state, index -> CopyState in
            let copy = copies[index]
            let asset = copy.asset
            if !misplaced.isEmpty, asset.path.directories.contains(where: misplaced.contains) {
                return .missing
            }
            let folder = asset.path.bytes[..<asset.path.directoryLength]
            if folder != state.folder {
                let path = folder.isEmpty ? OriginLayout.site : Self.path(folder)
                state.directory =
                    try root.status(path)?.kind == .directory ? root.directory(path) : nil
                state.folder = folder
            }
            let name = String(decoding: asset.path.lastComponent, as: UTF8.self)
            guard let status = try state.directory?.status(name) else { return .missing }
            guard status.kind == .file, status.size == asset.size else { return .differs }
            if known?.content(of: status)?.sha256 == asset.sha256 { return .current }
            if try root.status(copy.object)?.identity == status.identity { return .current }
            return try root.state(of: copy, buffer: state.buffer)
        }
    }

    /// The directories of some assets that are something else in `site/`, such as a link: what seems to be below
    /// them is not in `site/`.
    private func misplacedFolders(of copies: [SiteCopy]) throws -> Set<ArraySlice<UInt8>> {
        var seen: Set<ArraySlice<UInt8>> = []
        var misplaced: Set<ArraySlice<UInt8>> = []
        var last: ArraySlice<UInt8> = []
        for copy in copies {
            // Neighbours are in one directory.
            let path = copy.asset.path
            let parent = path.bytes[..<path.directoryLength]
            if parent == last { continue }
            last = parent
            for folder in path.directories where seen.insert(folder).inserted {
                if try root.status(Self.path(folder))?.kind != .directory {
                    misplaced.insert(folder)
                }
            }
        }
        return misplaced
    }

    private static func path(_ folder: ArraySlice<UInt8>) -> String {
        "\(OriginLayout.site)/" + String(decoding: folder, as: UTF8.self)
    }

    private static func stagedName(_ index: Int) -> String { "site-\(index)" }

    /// Links each file to its object, or copies it if the file system has no links.
    ///
    /// ``copy(_:from:while:)`` then only makes directories and renames.
    package func stage(_ copies: [SiteCopy], in staging: Staging) async throws {
        for (index, copy) in copies.enumerated() {
            try duplicate(copy, to: staging.directory, as: Self.stagedName(index))
        }
    }

    package func unwritableFolder(of copies: [SiteCopy]) async throws -> String? {
        var seen: Set<ArraySlice<UInt8>> = []
        var checked: Set<String> = []
        for copy in copies {
            // Files of one directory have the same path to it.
            guard seen.insert(copy.asset.path.directories.last ?? []).inserted else { continue }
            let folder = try deepestFolder(of: copy.asset)
            guard checked.insert(folder).inserted else { continue }
            guard try await isWritable(folder) else { return folder }
        }
        return nil
    }

    /// The directory in which an asset needs a new name: its own, or the deepest existing one above it.
    private func deepestFolder(of asset: Asset) throws -> String {
        guard try root.status(OriginLayout.site)?.kind == .directory else { return "" }
        var deepest = OriginLayout.site
        for folder in asset.path.directories {
            let name = Self.path(folder)
            guard try root.status(name)?.kind == .directory else { break }
            deepest = name
        }
        return deepest
    }

    /// Links an object into staging, or copies it if the file system has no links.
    private func duplicate(
        _ copy: SiteCopy, to staging: Directory, as name: String
    ) throws {
        do {
            if try root.link(copy.object, to: staging, as: name) { return }
        } catch {
            guard error.meansNoLinks else { throw error }
        }
        _ = try FileDigest.copy(
            copy.object, in: root, to: staging, as: name, buffer: .forReading(),
            limit: copy.asset.size, isSynced: true)
    }

    package func copy(
        _ copies: [SiteCopy], from staging: Staging, while isWanted: () async throws -> Bool
    ) async throws {
        guard !copies.isEmpty, try await isWanted() else { return }
        var changed: Set<String> = ["", OriginLayout.site]
        try root.makeDirectory(OriginLayout.site)
        var mustSync = false
        for (index, copy) in copies.enumerated() {
            if index > 0, index % SiteCopy.batchSize == 0, try await !isWanted() { break }
            // A page must not survive a power cut that what it refers to does not.
            if copy.isPage, mustSync { try root.syncDirectories(changed.sorted()) }
            mustSync = !copy.isPage
            try makeParents(of: copy.asset, staging.directory, changed: &changed)
            let path = copy.path
            if try root.status(path)?.kind == .directory {
                // An earlier release had a directory of this name.
                try root.rename(path, to: staging.directory, as: uniqueName())
            }
            try staging.directory.rename(Self.stagedName(index), to: root, as: path)
        }
        try root.syncDirectories(changed.sorted())
    }

    private func makeParents(
        of asset: Asset, _ staging: Directory, changed: inout Set<String>
    ) throws {
        for folder in asset.path.directories {
            let name = Self.path(folder)
            guard changed.insert(name).inserted else { continue }
            if let status = try root.status(name), status.kind != .directory {
                // An earlier release had a file of this name.
                try root.rename(name, to: staging, as: uniqueName())
            }
            try root.makeDirectory(name)
        }
    }
}

extension Directory {
    /// Compares the content of a file that has its object's size.
    fileprivate func state(
        of copy: SiteCopy, buffer: ByteBuffer
    ) throws(Failure) -> CopyState {
        do throws(Failure) {
            let digest = try FileDigest.read(
                copy.path, in: self, buffer: buffer, limit: copy.asset.size)
            return digest == copy.asset.content ? .current : .differs
        } catch {
            if error.isLocalOrTransient { throw error }
            return .unreadable(error)
        }
    }
}
