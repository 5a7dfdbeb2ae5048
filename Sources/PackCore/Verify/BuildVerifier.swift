package import PackGround
package import PackRelease

/// The differences between a manifest and a build, for checks of pull requests.
package struct BuildVerification: Equatable, Sendable {
    package let version: Version
    /// Paths listed in the manifest but missing in the build.
    package let missing: [AssetPath]
    /// Paths in the build but not in the manifest.
    package let extra: [AssetPath]
    /// Paths with different content.
    package let changed: [AssetPath]

    package var isMatch: Bool { missing.isEmpty && extra.isEmpty && changed.isEmpty }

    package init(_ manifest: Manifest, against build: Release) {
        version = manifest.release.version
        let listed = Dictionary(
            manifest.release.assets.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        let present = Set(build.assets.map(\.path))
        missing = manifest.release.assets.map(\.path).filter { !present.contains($0) }
        extra = build.assets.map(\.path).filter { listed[$0] == nil }
        changed = build.assets.filter { asset in
            listed[asset.path].map { $0 != asset } ?? false
        }.map(\.path)
    }
}
