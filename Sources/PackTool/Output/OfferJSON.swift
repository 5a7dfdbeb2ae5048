import PackGround
import PackOrigin
import PackRelease

extension Pointer.Entry {
    /// The JSON of an offer in all commands that print a pointer; see `docs/json.md#offer`.
    var json: JSONValue {
        .members([
            "version": .string(version.description),
            "packageHash": .string(packageHash.description), "label": label.json,
            "rollout": .integer(rollout), "rolloutSalt": rolloutSalt.json,
            "minNativeVersion": (native.others.lowest?.description).json,
            "maxNativeVersion": (native.others.highest?.description).json,
            "platforms": native.platforms ?? .null,
            "package": .integer(package.size),
            "deltas": .array(
                deltas.map {
                    .members([
                        "from": .string($0.from.description), "size": .integer($0.content.size),
                    ])
                }),
        ])
    }
}
