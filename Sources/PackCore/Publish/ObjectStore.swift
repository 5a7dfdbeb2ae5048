/// The objects of a release: one file per distinct content and name, published once and for ever.
struct ObjectStore: Sendable {
    let root: Directory
    let scan: BuildScan

    /// An object that a release needs, and one asset that has its content.
    struct Object: Sendable {
        let asset: Asset
        let place: String
        let directory: String
    }

    /// The distinct objects of a release, in listing order.
    static func needed(by release: Release) -> [Object] {
        var seen: Set<[UInt8]> = []
        return release.assets.compactMap { asset in
            let (directory, place) = OriginLayout.object(asset)
            guard seen.insert(place).inserted else { return nil }
            return Object(
                asset: asset, place: String(decoding: place, as: UTF8.self), directory: directory)
        }
    }

    /// Splits the objects into those that lie at the origin and those that are missing.
    ///
    /// - Throws: ``PublishError/damagedObject(place:problem:)`` for one of another size.
    func split() throws -> (present: [Object], missing: [Object]) {
        var present: [Object] = []
        var missing: [Object] = []
        for object in Self.needed(by: scan.release) {
            guard let status = try root.status(object.place) else {
                missing.append(object)
                continue
            }
            guard status.kind == .file, status.size == object.asset.size else {
                throw PublishError.damagedObject(
                    place: root.display(object.place),
                    problem: "it is not a file of \(object.asset.size) bytes")
            }
            present.append(object)
        }
        return (present, missing)
    }

    /// Copies the missing objects into staging, hashing on the way: what is staged is what was planned.
    func stage(_ missing: [Object], in staging: Directory, jobs: Int, counter: ProgressCounter)
        async throws
    {
        let scan = scan
        _ = try await mapInParallel(
            count: missing.count, jobs: jobs, makeState: ByteBuffer.forReading
        ) { buffer, index in
            let asset = missing[index].asset
            let name = asset.path.description
            let digest = try FileDigest.copy(
                name, in: scan.directory, to: staging, as: Self.stagedName(index), buffer: buffer,
                limit: asset.size)
            guard digest == FileDigest(sha256: asset.sha256, size: asset.size) else {
                throw BuildError.changedWhileRead(path: scan.directory.display(name))
            }
            counter.add(asset.size)
        }
    }

    /// Gives the staged objects their public names, never replacing one.
    ///
    /// - Returns: the directories whose entries have to be made durable.
    func link(_ missing: [Object], from staging: Directory) throws -> [String] {
        guard !missing.isEmpty else { return [] }
        try root.makeDirectory(OriginLayout.objects)
        let buffer = ByteBuffer.forReading()
        var changed: [String] = ["", OriginLayout.objects]
        for (index, object) in missing.enumerated() {
            try root.makeDirectory(object.directory)
            changed.append(object.directory)
            if try staging.link(Self.stagedName(index), to: root, as: object.place) { continue }
            // Somebody else put it there in the meantime; the same content is as good.
            try check(object, buffer: buffer)
        }
        return changed
    }

    /// Re-reads every object of the release through its public name.
    func readBack(jobs: Int, counter: ProgressCounter) async throws {
        let objects = Self.needed(by: scan.release)
        _ = try await mapInParallel(
            count: objects.count, jobs: jobs, makeState: ByteBuffer.forReading
        ) { buffer, index in
            try check(objects[index], buffer: buffer)
            counter.add(objects[index].asset.size)
        }
    }

    private func check(_ object: Object, buffer: ByteBuffer) throws {
        let content = FileDigest(sha256: object.asset.sha256, size: object.asset.size)
        guard try root.holds(content, at: object.place, buffer: buffer) else {
            throw PublishError.damagedObject(
                place: root.display(object.place), problem: "its content is not what its name says")
        }
    }

    private static func stagedName(_ index: Int) -> String { "object-\(index)" }
}
