import ArgumentParser

/// `packtool publish --repair`: restores a published release from its build.
extension PublishCommand {
    /// Rejects options for offering a release: a repair does not change a pointer.
    func checkRepairAlone() throws {
        let flags: [(name: String, isGiven: Bool)] = [
            ("--propose", propose.propose != nil), ("--label", label != nil),
            ("--reuse", reuse != nil),
            ("--expires-in-days", expiresInDays != nil), ("--deltas", deltas != nil),
            ("--delta-from", !deltaFrom.isEmpty), ("--allow-identity-change", allowIdentityChange),
            ("--actor", actor != nil),
            ("--renew", renew), ("--ignore", !ignore.isEmpty), ("--baseline", baseline != nil),
            ("--max-warnings", maxWarnings != nil),
            ("--rollout", conditions.rollout != nil),
            ("--rollout-salt", conditions.rolloutSalt != nil),
            ("--min-native", conditions.minNative != nil),
            ("--max-native", conditions.maxNative != nil),
            ("--mandatory", conditions.mandatory != nil), ("--resume", conditions.resume),
            ("--stay-paused", conditions.stayPaused), ("--verify-cdn", cdn.verifyCDN),
            ("--trust-sizes", bucketWriting.proof.trustSizes),
        ]
        guard let given = flags.first(where: \.isGiven) else { return }
        throw ValidationError(
            "--repair restores a published release unchanged; leave out \(given.name).")
    }
}
