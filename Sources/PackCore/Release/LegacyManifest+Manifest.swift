package import PackGround

extension LegacyManifest {
    /// This manifest in full form, for comparison with a newer release.
    ///
    /// Unknown content is assumed to be that of the newer release.
    package func manifest(
        beside new: Release, isHashed: ([UInt8]) -> Bool
    ) throws(Failure) -> Manifest {
        let reading = reading(beside: new, isHashed: isHashed, assuming: .same)
        return Manifest(
            app: try AppName("unknown"),
            entries: reading.release.assets.map { asset in
                ManifestEntry(
                    asset: asset, url: reading.urls[asset.path] ?? "",
                    type: MediaType.of(asset.path))
            }, launch: nil, scheme: "", package: nil,
            build: Manifest.BuildInfo(commit: nil, tool: ""))
    }
}
