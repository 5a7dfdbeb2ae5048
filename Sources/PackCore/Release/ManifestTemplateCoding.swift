package import PackGround

/// The wire form of a manifest without its files: the member `info` of `delta.json`
/// (`docs/formats.md`).
extension ManifestTemplate {
    package var json: JSONValue {
        .members([
            "app": .string(app.description), "baseURL": .string(baseURL.description),
            "launch": launch.map { .string($0.description) }, "scheme": .string(scheme),
            "package": package.map {
                .members([
                    "sha256": .string($0.sha256.description), "size": .integer($0.size),
                ])
            },
            "build": ManifestCoding.encode(build),
            "types": types.isEmpty
                ? nil
                : .object(
                    types.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
                        .init(String(decoding: $0.key, as: UTF8.self), .string($0.value))
                    }),
        ])
    }

    /// Decodes and checks a template.
    package init(_ object: JSONObject) throws {
        var types: [[UInt8]: String] = [:]
        if object.optional("types") != nil {
            for member in try object.members("types", atMost: Self.mostTypes) {
                guard case .string(let type) = member.value else {
                    throw object.error("types", "contains something that is not a string")
                }
                types[Array(member.name.utf8)] = type
            }
        }
        self.init(
            app: try AppName(object.string("app")), baseURL: try Self.baseURL(object),
            launch: try ManifestCoding.decodeLaunch(object), scheme: try object.string("scheme"),
            package: try object.optionalObject("package").map {
                FileDigest(
                    sha256: try $0.digest("sha256"),
                    size: UInt64(try $0.integer("size", in: 0...(1 << 53 - 1))))
            },
            build: try ManifestCoding.decodeBuild(object.object("build")), types: types)
    }

    private static let mostTypes = 1000

    /// Accepts only the exact form that a manifest has, because ``BaseURL`` would normalize
    /// another.
    private static func baseURL(_ object: JSONObject) throws -> BaseURL {
        let text = try object.string("baseURL")
        guard let url = try? BaseURL(text), url.description == text else {
            throw object.error("baseURL", "is not a base URL")
        }
        return url
    }

    /// Writes the manifest of a release piece by piece.
    ///
    /// - Parameter sink: Receives the text in pieces.
    package func write(_ release: Release, to sink: ([UInt8]) throws -> Void) rethrows {
        let head = ManifestCoding.Head(
            version: release.version, packageHash: release.packageHash, app: app, launch: launch,
            scheme: scheme, package: package(of: release), build: build)
        try ManifestCoding.write(
            head, count: release.assets.count, entry: { entry(of: release.assets[$0]) }, to: sink)
    }
}
