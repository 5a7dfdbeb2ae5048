import PackGround

/// Hashes of earlier publishes.
extension PublishCommand {
    /// The kept hashes of a directory's files; `nil` with `--no-cache`.
    func hashes(of directory: String, _ console: Console) -> HashFile? {
        if noCache { return nil }
        return HashFile(
            of: directory, in: bucketWriting.cache, readsAll: bucketWriting.proof.verifyAll,
            console.environment)
    }

    /// The kept hashes of an origin in a directory, for a publish that proves the existing files.
    ///
    /// A repair reads everything: it is run because of damage.
    func hashes(ofOrigin origin: String, isBucket: Bool, _ console: Console) -> HashFile? {
        isBucket || repair ? nil : hashes(of: origin, console)
    }
}
