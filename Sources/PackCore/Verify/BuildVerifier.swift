package import PackGround
package import PackRelease

/// Compares a manifest with a build: the check of a pull request.
package struct BuildVerification: Equatable, Sendable {
    package let version: Version
    /// Paths that the manifest lists and the build lacks.
    package let missing: [AssetPath]
    /// Paths that the build has and the manifest does not list.
    package let extra: [AssetPath]
    /// Paths whose content is not what the manifest says.
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
