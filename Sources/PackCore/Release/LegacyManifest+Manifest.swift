package import PackGround

extension LegacyManifest {
    /// The same as a full manifest, as far as a comparison with a newer release tells it: content that is not known
    /// is taken for that of the newer one.
    package func manifest(
        beside new: Release, isHashed: ([UInt8]) -> Bool
    ) throws(InvalidArgument) -> Manifest {
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
