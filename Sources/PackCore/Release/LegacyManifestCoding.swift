package import PackGround

extension LegacyManifest {
    /// Decodes a manifest that has no `schema`; `nil` if it has one.
    ///
    /// - Parameter path: The source of the manifest, for messages.
    /// - Throws: ``Failure/manifestInvalid(path:problem:)``.
    package static func decode(
        _ bytes: [UInt8], path: String
    ) throws(Failure) -> LegacyManifest? {
        do {
            let root = try JSONObject(JSONParser.parse(bytes))
            guard root.optional("schema") == nil else { return nil }
            let version = try root.string("version")
            let urls = try root.array("files", atMost: Manifest.assetLimit).map { value in
                guard case .string(let url) = value, !url.isEmpty else {
                    throw root.error("files", "contains something else than URLs")
                }
                return url
            }
            return LegacyManifest(version: version, urls: urls)
        } catch {
            throw .manifestInvalid(path: path, problem: "\(error)")
        }
    }
}
