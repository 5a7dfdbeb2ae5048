import PackGround
import PackS3

/// The observed behavior of a bucket's store with conditional requests, as text and as data.
struct StoreConditionsText {
    private let found: StoreConditions
    private let origin: String
    private let seconds: Double

    init(_ found: StoreConditions, _ origin: String, seconds: Double) {
        self.found = found
        self.origin = origin
        self.seconds = seconds
    }

    var text: Text {
        var lines = Lines("\(origin) keeps two publishers apart")
        lines.add("create", "only if nothing is there: kept")
        let replacing =
            switch found.replacing {
            case .quoted: "kept"
            case .unquoted: "kept, for an ETag without quotes"
            case nil: "not kept, so the log decides (docs/guide/s3.md)"
            }
        lines.add("replace", "only if it is unchanged: \(replacing)")
        lines.add(
            "parts",
            found.keepsWhenJoining
                ? "only if nothing is there: kept"
                : "are joined over what is there: a package above 5 GiB needs --no-conditional-writes"
        )
        lines.add("time", "\(secondsText(seconds)) s")
        return lines.text
    }

    var json: JSONValue {
        .members([
            "origin": .string(origin), "create": .bool(true),
            "replace": (found.replacing?.rawValue).json, "parts": .bool(found.keepsWhenJoining),
            "seconds": .decimal(secondsText(seconds)),
        ])
    }
}
