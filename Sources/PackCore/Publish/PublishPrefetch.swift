import PackArchive
import PackGround
import PackOrigin
import PackRelease

/// What a publish to a distant store reads while it waits for other answers: the channel's pointer and what that names.
///
/// All of it is a hint. The run reads the pointer again once others know of it, and compares every file with a hash.
struct PublishPrefetch: Sendable {
    /// A package made before the run was announced.
    struct Made: Sendable {
        let directory: Directory
        let summary: PackageBuilder.Result
        let notes: [String]
    }

    private let request: PublishRequest
    private let channel: Channel
    private let release: Release
    private let store: any WritableStore
    private let reader: OriginReader
    /// Whether the run reads the pointer before the current one.
    private let readsPrevious: Bool
    private let offered = Promise<OriginReader.Published?>()
    private let made = Promise<Made?>()
    private let end = Promise<Void>()

    /// How much larger than this build an earlier package may be to be read before it is known to be needed.
    private static let packageMargin: UInt64 = 64 << 20

    init(_ request: PublishRequest, _ store: any WritableStore) {
        self.request = request
        channel = request.channel
        release = request.scan.release
        readsPrevious = request.label != nil || request.deltas.count > 0
        self.store = store
        reader = OriginReader(store, policy: .recordedInLog)
    }

    /// Reads the pointer, and then the files that the run needs whether or not it has something to write.
    func readPointer() async {
        let current = try? await reader.glance(channel)
        offered.set(current)
        guard let current else { return }
        async let log: Void = reader.readLogAhead(of: current, withPrevious: readsPrevious)
        async let info: Void = store.readManifestAhead(of: current)
        if current.pointer.packageHash == release.packageHash { await check(current.pointer) }
        await log
        await info
    }

    /// Reads what a publish of the current release compares.
    private func check(_ pointer: Pointer) async {
        let version = pointer.version
        let files =
            [ObjectReference(OriginLayout.package(version), pointer.package)]
            + pointer.deltas.map {
                ObjectReference(OriginLayout.delta(version, from: $0.from), $0.content)
            }
        _ = try? await store.check(files, jobs: 1, counter: nil)
    }

    /// The channel's pointer, once it was read; `nil` where there is none, or it is damaged.
    var pointer: Pointer? {
        get async { try? await offered.value?.pointer }
    }

    /// Ends all waits, and removes a package that was not used.
    func stop() {
        offered.abandon()
        made.abandon()
        end.abandon()
    }

    /// Makes the release's package, after ``readPointer()``, while the run waits for other answers.
    ///
    /// It depends on the build and on the pointer's package alone. Failures are ignored: the run
    /// then makes the package. Returns after ``stop()``.
    func makePackage() async {
        guard store.readsAtOnce > 1 else { return made.set(nil) }
        if await pointer?.packageHash != release.packageHash {
            await store.expectUploads(of: release.assets.map(OriginLayout.objectPath))
        }
        await readPackage()
        guard await isPackageNeeded() else { return made.set(nil) }
        try? await Staging.temporary(below: request.temporaryDirectory) { directory in
            var notes: [String] = []
            let summary = try? await PublishReuse(request: request, store: store, reader: reader)
                .build(Self.packageName, in: directory, after: await pointer, notes: &notes)
            made.set(summary.map { Made(directory: directory, summary: $0, notes: notes) })
            try? await end.value
        }
        made.abandon()
    }

    private func isPackageNeeded() async -> Bool {
        let current = await pointer
        // Another channel's package may be used instead.
        guard current != nil || channel == .production,
            current?.packageHash != release.packageHash, !request.repairs
        else { return false }
        let path = OriginLayout.package(release.version)
        guard let status = try? await store.statuses(of: [path]) else { return false }
        return status[0] == nil
    }

    private static let packageName = "package.zip"

    /// The package made by ``makePackage()``.
    ///
    /// - Parameter current: The channel's pointer; `nil` is returned if another one was read before.
    func package(after current: Pointer?) async -> Made? {
        guard await pointer == current else { return nil }
        return try? await made.value
    }

    /// Reads the package that a new one copies unchanged files from, after ``readPointer()``.
    private func readPackage() async {
        guard let pointer = await pointer, pointer.packageHash != release.packageHash,
            pointer.package.size <= release.totalBytes.addingClamped(Self.packageMargin)
        else { return }
        await store.readAhead([
            ObjectReference(OriginLayout.package(pointer.version), pointer.package)
        ])
    }
}
