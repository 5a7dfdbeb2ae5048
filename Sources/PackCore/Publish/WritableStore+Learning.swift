import PackGround
import PackOrigin
import PackRelease
import PackZip

extension WritableStore {
    /// Downloads the package of a release, and hashes its files: its objects then need not be read where the store
    /// states their hashes.
    ///
    /// What goes wrong on this machine is no matter: the objects are read then.
    ///
    /// - Throws: ``Failure`` for a package that is missing or damaged; an error of the store.
    func learn(_ package: ObjectReference, of release: Release, jobs: Int) async throws {
        guard let hashes, hashes.learnsContents else { return }
        do {
            let staging = try makeStaging()
            defer { try? staging.discard() }
            try await fetch(package, into: staging.directory, as: "package.zip")
            try await PackageReader("package.zip", in: staging.directory, expecting: release)
                .readAll(jobs: jobs, progress: nil, by: ZlibDecoder.init) { LearningSink(hashes) }
        } catch let failure as Failure where failure.number != nil {
        } catch let failure as Failure where failure.code.isOf("archive") {
        }
    }
}

/// Hashes the files of a package as stores do.
private struct LearningSink: PackageReader.ContentSink {
    private let hashes: any HashingStore
    private var md5 = MD5Hasher()

    init(_ hashes: any HashingStore) { self.hashes = hashes }

    mutating func begin(_ path: AssetPath) { md5 = MD5Hasher() }

    mutating func receive(_ piece: RawSpan) { md5.update(piece) }

    func end(_ asset: Asset) { hashes.learn(asset.content, md5: md5.finish()) }
}
