import PackGround
import PackOrigin
import PackRelease

/// Rereads the pointer in a slow run before switching, because the release may have been withdrawn.
extension Installer {
    /// The largest duration of a run, in seconds, without rereading the pointer.
    static let patience = 300.0
    /// The largest number of restarts; after that, the run installs its release, offered minutes
    /// ago.
    static let mostLooks = 3

    /// The channel's current offer, if the run was slow and the offer has changed.
    ///
    /// A pointer that cannot be read or is refused changes nothing: the accepted one is still the
    /// newest that this device has seen, and a lost connection must not discard a finished
    /// download.
    ///
    /// - Parameter run: Receives a note with the reason why the pointer was not reread.
    /// - Returns: The offer, with what the run has fetched and noted.
    func laterOffer(_ run: inout Run) async -> PointerIntake.Offer? {
        guard let clock = request.seconds, let begun, clock() - begun > Self.patience else {
            return nil
        }
        do {
            var later = try await PointerIntake(
                request: request, store: store, installation: installation, channel: channel,
                state: run.state
            ).take()
            guard later.published.payloadHash != offer.published.payloadHash else { return nil }
            // The root has already checked the order: in a new epoch, sequences may be lower.
            guard later.trust != nil || later.published.pointer.sequence > run.state.sequence else {
                return nil
            }
            later.fetched = later.fetched.adding(run.fetched)
            later.notes = run.notes + ["a newer pointer went live during the run"]
            return later
        } catch {
            run.notes.append("the pointer could not be read again before the switch: \(error)")
            return nil
        }
    }

    /// The state and pointer to continue with, if this offer selects a release that is already
    /// downloaded or installed.
    ///
    /// - Throws: The errors of ``accept(_:)``, ``checkCondition(_:)`` and ``choose(_:_:_:)``.
    func continues(
        _ packageHash: Digest, _ installed: Base?
    ) async throws -> (state: InstallState, published: OriginReader.Published)? {
        var run = Run(offer: offer, state: try accept(offer.published))
        try checkCondition(offer.published.pointer)
        guard let chosen = try await choose(offer.published, installed, &run),
            chosen.pointer.packageHash == packageHash
        else { return nil }
        return (run.state, chosen)
    }
}
