import PackGround
import PackOrigin
import PackRelease

/// The files that a `prune` decided to delete and has not deleted yet, with the time of the decision.
///
/// A file of the origin's workspace (`docs/formats.md`). What is on the list is deleted by a later run, if nothing
/// refers to it then.
struct PruneCandidates: Equatable, Sendable {
    /// When each place was first found to be needed by nothing.
    var paths: [String: Timestamp]

    static let path = "\(OriginLayout.workspace)/condemned.json"
    private static let schema = 1
    private static let sizeLimit = 512 << 20
    private static let mostPlaces = 4_000_000

    func encode() -> [UInt8] {
        JSONWriter.write(
            .members([
                "schema": .integer(Self.schema),
                "places": .array(
                    paths.sorted { $0.key < $1.key }.map {
                        .members([
                            "place": .string($0.key), "since": .string($0.value.description),
                        ])
                    }),
            ]))
    }

    /// Reads the list of an origin; an empty one where there is none.
    ///
    /// - Throws: ``Failure/originDiffers(path:problem:)``; an error of the store.
    static func read(_ store: any OriginStore) async throws -> PruneCandidates {
        guard let file = try await store.read(path, limit: sizeLimit) else {
            return PruneCandidates(paths: [:])
        }
        do {
            let root = try JSONObject(JSONParser.parse(file.bytes))
            _ = try root.integer("schema", in: schema...schema)
            var paths: [String: Timestamp] = [:]
            for value in try root.array("places", atMost: mostPlaces) {
                let entry = try JSONObject(value, path: "places")
                guard let since = Timestamp(try entry.string("since")) else {
                    throw entry.error("since", "is not a time")
                }
                paths[try entry.string("place")] = since
            }
            return PruneCandidates(paths: paths)
        } catch {
            throw Failure.originDiffers(
                path: store.display(path), problem: "is not a list of condemned files: \(error)")
        }
    }
}
