import ArgumentParser

/// `--pointer` and `--repair` publish no build: they refuse the options of one.
extension PublishCommand {
    /// Rejects options for publishing a build: the pointer already contains these values.
    func checkPointerAlone() throws {
        try refuse(
            [
                ("a build", build != nil), ("--commit", commit != nil),
                ("--require-origin", requireOrigin), ("--repair", repair),
                ("--no-check", noCheck), ("--no-cache", noCache),
                ("--level", level.level != nil), ("--channel", line.channel != nil),
                ("--app", identity.app != nil), ("--base-url", identity.baseURL != nil),
                ("--profile", !pages.profile.isEmpty), ("--scheme", pages.scheme != nil),
                ("--host", !pages.host.isEmpty), ("--page-origin", pages.pageOrigin != nil),
                ("--launch", launch.launch != nil), ("--exclude", !exclude.exclude.isEmpty),
            ], because: "--pointer commits a proposal unchanged")
    }

    /// Rejects options for offering a release: a repair does not change a pointer.
    func checkRepairAlone() throws {
        try refuse(
            [
                ("--allow-identity-change", allowIdentityChange), ("--feed", !feed.isEmpty),
                ("--trust-sizes", bucketWriting.proof.trustSizes),
            ], because: "--repair restores a published release unchanged")
    }

    /// The options of the check and of the new pointer, which neither mode has.
    private var optionsOfAnOffer: [GivenOption] {
        [
            ("--propose", propose.propose != nil), ("--label", label != nil),
            ("--reuse", reuse != nil), ("--expires-in-days", expiresInDays != nil),
            ("--deltas", deltas != nil), ("--delta-from", !deltaFrom.isEmpty),
            ("--actor", actor != nil), ("--renew", renew),
            ("--ignore", !ignore.isEmpty), ("--baseline", baseline != nil),
            ("--max-warnings", maxWarnings != nil), ("--verify-cdn", cdn.verifyCDN),
            ("--cdn-wait", cdn.cdnWait != nil),
        ] + conditions.options
    }

    private func refuse(_ options: [GivenOption], because reason: String) throws {
        guard let given = (options + optionsOfAnOffer).first(where: \.isGiven) else { return }
        throw ValidationError("\(reason); leave out \(given.name).")
    }
}
