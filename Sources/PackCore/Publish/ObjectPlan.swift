import PackGround
import PackOrigin
import PackRelease

/// The objects of a release: one file per distinct content and name, published once.
struct ObjectPlan: Sendable {
    /// An object that a release needs, and one asset that has its content.
    struct Object: Sendable {
        let asset: Asset

        var path: String { OriginLayout.objectPath(asset) }
        var content: ObjectReference { ObjectReference(path, asset.content) }
    }

    /// Those that are at the origin already.
    let present: [Object]
    /// Those of ``present`` whose content is still to be proved.
    let unread: [Object]
    let missing: [Object]

    /// Objects of a directory to inspect at once, so that few paths are in memory.
    private static let batchSize = 4096

    /// The distinct objects of a release, in listing order.
    static func needed(by release: Release) -> [Object] {
        var first: [Digest: Int] = [:]
        // The other objects of contents that have several names.
        var others: Set<[UInt8]> = []
        var objects: [Object] = []
        for asset in release.assets {
            if let index = first[asset.sha256] {
                let isKnown =
                    objects[index].asset.path.lastComponent == asset.path.lastComponent
                    || !others.insert(OriginLayout.object(asset)).inserted
                if isKnown { continue }
            } else {
                first[asset.sha256] = objects.count
            }
            objects.append(Object(asset: asset))
        }
        return objects
    }

    /// Compares what a release needs with what is there.
    ///
    /// - Parameter repairs: whether the run replaces damaged objects.
    /// - Throws: ``Failure/publishDamagedObject(path:problem:)`` for one of another size that is not replaced.
    static func make(
        _ release: Release, _ store: any OriginStore, repairs: Bool
    ) async throws -> ObjectPlan {
        var (present, unread, missing) = ([Object](), [Object](), [Object]())
        var rest = Self.needed(by: release)[...]
        while !rest.isEmpty {
            let batch = store.localFiles == nil ? rest : rest.prefix(batchSize)
            rest = rest[batch.endIndex...]
            let statuses = try await store.statuses(ofFiles: batch.map(\.content))
            for (object, status) in zip(batch, statuses) {
                guard let status else {
                    missing.append(object)
                    continue
                }
                guard status.isFile(of: object.asset.size) || repairs && status.kind == .file else {
                    throw Failure.publishDamagedObject(
                        path: store.display(object.path),
                        problem: "it is not a file of \(object.asset.size) bytes")
                }
                present.append(object)
                if !status.isProved { unread.append(object) }
            }
        }
        return ObjectPlan(present: present, unread: unread, missing: missing)
    }

    /// The objects that are there and that no release of the channel has.
    ///
    /// A run that failed may have left them, before it read them back.
    func unproved(_ state: PublishState, _ history: OriginHistory) async throws -> [Object] {
        guard !present.isEmpty else { return [] }
        var proved: Set<[UInt8]> = []
        for offer in state.current?.offers ?? [] {
            do {
                let release = try await history.reader.manifest(of: offer).release
                proved.formUnion(Self.needed(by: release).map { Array($0.path.utf8) })
            } catch {
                // Of a damaged manifest nothing is known.
                if error.isLocalOrTransient { throw error }
            }
        }
        return present.filter { !proved.contains(Array($0.path.utf8)) }
    }

    /// The uploads of what is missing.
    func uploads(from build: Directory) -> [Upload] { Self.uploads(missing, from: build) }

    /// The same uploads of what is there, to compare or to replace it.
    func replacements(from build: Directory) -> [Upload] { Self.uploads(present, from: build) }

    private static func uploads(_ objects: [Object], from build: Directory) -> [Upload] {
        objects.enumerated().map { index, object in
            var upload = Upload(
                object.path, .file(in: build, named: object.asset.path.description),
                object.asset.content, stagedName: "object-\(index)")
            upload.isProvedAtOnce = true
            return upload
        }
    }
}
