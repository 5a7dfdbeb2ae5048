import PackGround
import PackOrigin
import PackRelease

/// The files that a `prune` decided to delete and has not deleted yet, with the time of the decision.
///
/// A file of the origin's workspace (`docs/formats.md`). What is on the list is deleted by a later run, if nothing
/// refers to it then.
struct PruneCandidates: Equatable, Sendable {
    /// When each place was first found to be needed by nothing.
    var places: [String: Timestamp]

    static let place = "\(OriginLayout.workspace)/condemned.json"
    private static let schema = 1
    private static let sizeLimit = 512 << 20
    private static let mostPlaces = 4_000_000

    func encode() -> [UInt8] {
        JSONWriter.write(
            .members([
                "schema": .integer(Self.schema),
                "places": .array(
                    places.sorted { $0.key < $1.key }.map {
                        .members([
                            "place": .string($0.key), "since": .string($0.value.description),
                        ])
                    }),
            ]))
    }

    /// Reads the list of an origin; an empty one where there is none.
    ///
    /// - Throws: ``Failure/originDiffers(place:problem:)``; an error of the store.
    static func read(_ store: any OriginStore) async throws -> PruneCandidates {
        guard let file = try await store.read(place, limit: sizeLimit) else {
            return PruneCandidates(places: [:])
        }
        do {
            let root = try JSONObject(JSONParser.parse(file.bytes))
            _ = try root.integer("schema", in: schema...schema)
            var places: [String: Timestamp] = [:]
            for value in try root.array("places", atMost: mostPlaces) {
                let entry = try JSONObject(value, place: "places")
                guard let since = Timestamp(try entry.string("since")) else {
                    throw entry.error("since", "is not a time")
                }
                places[try entry.string("place")] = since
            }
            return PruneCandidates(places: places)
        } catch {
            throw Failure.originDiffers(
                place: store.display(place), problem: "is not a list of condemned files: \(error)")
        }
    }
}
