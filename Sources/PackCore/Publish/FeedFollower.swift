import PackFeeds
import PackGround
import PackOrigin
import PackRelease

/// Brings the feeds of a channel to the release offered to every device.
///
/// A feed whose client cannot install the release is withdrawn, and so are those of a closed
/// channel: a feed must not go on offering what was replaced.
struct FeedFollower: Sendable {
    private let offer: FeedOffer
    private let channel: Channel
    private let package: ObjectReference
    private let shown: [Feed]
    private let withdrawn: [(feed: Feed, reason: String)]
    private let store: any WritableStore
    private let jobs: Int

    /// What is staged and ready to replace the feeds.
    struct Prepared: Sendable {
        fileprivate(set) var files: [FollowingFile] = []
        fileprivate(set) var removed: [String] = []
        fileprivate(set) var notes: [String] = []

        var changes: FeedChanges {
            FeedChanges(replaced: files.map(\.upload.path), removed: removed)
        }
    }

    /// - Parameter feeds: The channel's feeds, existing or requested.
    init(
        _ feeds: [Feed], to offer: OriginReader.Published, _ release: Release, isClosed: Bool,
        _ store: any WritableStore, jobs: Int
    ) {
        let shows = FeedOffer(offer, release)
        self.offer = shows
        channel = offer.pointer.channel
        package = ObjectReference(
            OriginLayout.package(offer.pointer.version), offer.pointer.package.content)
        self.store = store
        self.jobs = jobs
        let problems = feeds.map { isClosed ? "the channel is closed" : shows.problem(of: $0) }
        shown = zip(feeds, problems).filter { $1 == nil }.map(\.0)
        withdrawn = zip(feeds, problems).compactMap { feed, reason in
            reason.map { (feed, $0) }
        }
    }

    /// Whether a polled file shows another release.
    ///
    /// Its list of files is written before it, so it needs no look here.
    func isBehind() async throws -> Bool {
        try await !pathsBehind().isEmpty
    }

    func pathsBehind() async throws -> [String] {
        var paths = try await removals()
        for feed in shown {
            let path = feed.path(on: channel)
            let document = FileDigest(of: offer.document(of: feed))
            if try await !store.holds(document, at: path) { paths.append(path) }
        }
        return paths
    }

    private func removals() async throws -> [String] {
        var paths: [String] = []
        for path in withdrawn.flatMap({ $0.feed.paths(on: channel) }) {
            // The release has a file of its own there.
            if offer.release.has(path: path) { continue }
            if try await store.status(of: path) != nil { paths.append(path) }
        }
        return paths
    }

    func prepare(in staging: Staging) async throws -> Prepared {
        var prepared = Prepared()
        prepared.removed = try await removals()
        for (feed, reason) in withdrawn {
            prepared.notes.append(
                "the feed '\(feed.rawValue)' of channel '\(channel)' is withdrawn: \(reason)")
        }
        for feed in shown {
            var files = [(feed.path(on: channel), offer.document(of: feed))]
            if feed == .cordovaHCP {
                let manifest = try await cordovaManifest(in: staging)
                files.insert((OriginLayout.siteManifest, manifest), at: 0)
            }
            for (path, bytes) in files {
                guard let file = try await FollowingFile.make(path, bytes, in: store) else {
                    continue
                }
                prepared.files.append(try await file.staged(in: staging, of: store))
            }
        }
        return prepared
    }

    private func cordovaManifest(in staging: Staging) async throws -> [UInt8] {
        let (directory, name): (Directory, String)
        // A dry run has not written the package there.
        if let local = store.localFiles, try local.holds(package.content, at: package.path) {
            (directory, name) = (local, package.path)
        } else {
            (directory, name) = (staging.directory, uniqueName())
            try await store.fetch(package, into: directory, as: name)
        }
        return try await CordovaHCPFeed.manifest(
            of: offer.release, package: name, in: directory, jobs: jobs)
    }

    /// Replaces and removes the files in order, unless another pointer is live.
    func follow(
        _ prepared: Prepared, while isLive: @Sendable () async throws -> Bool
    ) async throws {
        for file in prepared.files { try await file.replace(in: store, while: isLive) }
        guard !prepared.removed.isEmpty, try await isLive() else { return }
        try await store.remove(prepared.removed)
    }
}

extension Release {
    fileprivate func has(path: String) -> Bool {
        assets.contains { OriginLayout.site($0.path) == path }
    }
}

/// The files of feeds changed by a run.
package struct FeedChanges: Equatable, Sendable {
    package var replaced: [String]
    package var removed: [String]

    package init(replaced: [String] = [], removed: [String] = []) {
        self.replaced = replaced
        self.removed = removed
    }
}
