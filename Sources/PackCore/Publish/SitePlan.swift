package import PackGround
package import PackOrigin
package import PackRelease

/// How `site/`, the copy for the https fallback, is updated to a release.
///
/// New names come first, then replaced ones, pages after the files they refer to, and the launch
/// page last.
/// Nothing is deleted: a page that is still open may load a chunk of an earlier release.
package struct SitePlan: Sendable {
    package let new: [Asset]
    package let replaced: [Asset]
    package let unchanged: [Asset]

    /// What there is to do, in order.
    package var copies: [SiteCopy] { (new + replaced).map(SiteCopy.init) }

    /// Compares `site/` with the release.
    package static func make(
        _ release: Release, launch: AssetPath?, _ store: any OriginStore, jobs: Int
    ) async throws -> SitePlan {
        let copies = release.assets.map(SiteCopy.init)
        var (new, replaced, unchanged) = ([SiteCopy](), [SiteCopy](), [SiteCopy]())
        for (copy, state) in zip(copies, try await store.compare(copies, jobs: jobs)) {
            switch state {
            case .missing: new.append(copy)
            case .differs: replaced.append(copy)
            case .current: unchanged.append(copy)
            case .unreadable(let error): throw error
            }
        }
        let ordered = { (copies: [SiteCopy]) in
            copies.map { copy in
                (rank: copy.asset.path == launch ? 2 : (copy.isPage ? 1 : 0), asset: copy.asset)
            }
            .sorted { ($0.rank, $0.asset.path) < ($1.rank, $1.asset.path) }.map(\.asset)
        }
        return SitePlan(
            new: ordered(new), replaced: ordered(replaced), unchanged: unchanged.map(\.asset))
    }
}
