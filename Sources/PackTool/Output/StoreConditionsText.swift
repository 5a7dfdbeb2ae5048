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
        var lines = Lines("\(origin) supports concurrent publishers")
        lines.add("create", "if the file is absent: supported")
        let replacing =
            switch found.replacing {
            case .quoted: "supported"
            case .unquoted: "supported, for an ETag without quotes"
            case nil: "not supported, so the log decides (docs/guide/s3.md)"
            }
        lines.add("replace", "if the file is unchanged: \(replacing)")
        lines.add("time", "\(secondsText(seconds)) s")
        return lines.text
    }

    var json: JSONValue {
        .members([
            "origin": .string(origin), "create": .bool(true),
            "replace": (found.replacing?.rawValue).json, "seconds": .decimal(secondsText(seconds)),
        ])
    }
}
