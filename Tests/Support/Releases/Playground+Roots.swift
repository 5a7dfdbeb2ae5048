extension Playground {
    /// The name of a log entry.
    package static func entry(_ sequence: Int, of channel: String = "production") -> String {
        "origin/channels/\(channel)/log/\(sequence).json"
    }

    /// Publishes a root signed by key 1.
    package func publishRoot(
        _ version: Int, release: [Int], epoch: Int = 1, floor: Int? = nil
    ) throws {
        let root = try TrustLab.root(
            version, keys: [1], release: release, epoch: epoch,
            floors: floor.map { ["production": $0] } ?? [:])
        try write("origin/root/\(version).json", TrustLab.file(root, by: [1]))
    }
}
