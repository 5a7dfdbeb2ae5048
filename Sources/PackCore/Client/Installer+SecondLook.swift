import PackGround
import PackOrigin
import PackRelease

/// A slow run reads the pointer once more before it switches: the release may have been taken back meanwhile.
extension Installer {
    /// How long a run may take without a second look, in seconds.
    static let patience = 300.0
    /// How often a run begins anew; then it installs what it has, which was offered minutes ago.
    static let mostLooks = 3

    /// What the channel offers now, where the run took long and that is not what it began with.
    ///
    /// A pointer that cannot be read or is refused changes nothing: the accepted one is still the newest that this
    /// device has seen, and a connection that broke must not cost what was fetched over it.
    ///
    /// - Parameter notes: gets why there was no second look.
    func laterOffer(_ state: InstallState, _ notes: inout [String]) async -> PointerIntake.Offer? {
        guard let clock = request.seconds, let begun, clock() - begun > Self.patience else {
            return nil
        }
        do {
            let later = try await PointerIntake(
                request: request, store: store, installation: installation, state: state
            ).take()
            guard later.published.payloadHash != offer.published.payloadHash else { return nil }
            // By its root the order is decided already: in a new epoch, sequences may be lower.
            guard later.trust != nil || later.published.pointer.sequence > state.sequence else {
                return nil
            }
            return later
        } catch {
            notes.append("the pointer could not be read again before the switch: \(error)")
            return nil
        }
    }

    /// Where this offer gives the device a release that an earlier one gave it, the state and pointer to go on with.
    ///
    /// - Throws: what ``accept(_:)``, ``checkCondition(_:)`` and ``choose(_:_:_:_:)`` throw.
    func continues(
        _ packageHash: Digest, _ installed: Version?
    ) async throws -> (InstallState, OriginReader.Published)? {
        let state = try accept(offer.published)
        try checkCondition(offer.published.pointer)
        var notes: [String] = []
        guard let chosen = try await choose(offer.published, state, installed, &notes),
            chosen.pointer.packageHash == packageHash
        else { return nil }
        return (state, chosen)
    }
}
