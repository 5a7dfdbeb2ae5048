import PackFeeds
import PackGround
import PackOrigin
import PackRelease

extension OriginVerifier {
    /// Compares the feeds of all channels with the expected releases.
    func checkFeeds(_ run: inout AuditRun) async throws {
        for (channel, current) in run.currents.sorted(by: {
            $0.key.description < $1.key.description
        }) {
            let feeds = try await Feed.present(on: channel, in: store)
            guard !feeds.isEmpty else { continue }
            run.needs.addFeeds(feeds.flatMap { $0.paths(on: channel) })
            do {
                try await check(feeds, of: current, &run)
            } catch {
                if error.isLocalOrTransient { throw error }
                run.note("the feeds of channel '\(channel)' were not compared, because \(error)")
            }
        }
    }

    private func check(
        _ feeds: [Feed], of current: OriginReader.Published, _ run: inout AuditRun
    ) async throws {
        guard let offer = try await history.followed(by: current) else { return }
        let pointer = offer.pointer
        let shows = FeedOffer(offer, try await reader.manifest(of: offer).release)
        for feed in feeds {
            let path = feed.path(on: pointer.channel)
            if current.pointer.isClosed {
                failFeed(path, "exists, although the channel is closed", pointer.channel, &run)
            } else if let problem = shows.problem(of: feed) {
                failFeed(
                    path, "cannot show release \(pointer.version): \(problem)", pointer.channel,
                    &run)
            } else {
                for (path, bytes) in try await files(of: feed, shows, offer)
                where try await !store.holds(FileDigest(of: bytes), at: path) {
                    failFeed(
                        path, "does not show release \(pointer.version)", pointer.channel, &run)
                }
            }
        }
    }

    private func files(
        of feed: Feed, _ shows: FeedOffer, _ offer: OriginReader.Published
    ) async throws -> [(path: String, bytes: [UInt8])] {
        let document = (
            path: feed.path(on: offer.pointer.channel), bytes: shows.document(of: feed)
        )
        guard feed == .cordovaHCP else { return [document] }
        let package = ObjectReference(
            OriginLayout.package(offer.pointer.version), offer.pointer.package.content)
        let manifest = try await store.withFiles([package]) {
            try await CordovaHCPFeed.manifest(
                of: shows.release, package: package.path, in: $0, jobs: jobs)
        }
        return [(OriginLayout.siteManifest, manifest), document]
    }

    /// While a publish is unfinished, a feed may still show the previous release.
    private func failFeed(
        _ path: String, _ problem: String, _ channel: Channel, _ run: inout AuditRun
    ) {
        guard run.underWay.contains(channel.description) else { return run.fail(path, problem) }
        run.note("\(path) \(problem) yet; publish again to finish the interrupted publish")
    }
}
