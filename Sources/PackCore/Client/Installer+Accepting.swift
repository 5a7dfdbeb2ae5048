import PackGround
import PackOrigin
import PackRelease

/// What a pointer has to be before anything is done by it.
extension Installer {
    /// Checks that a pointer continues what this installation has seen, and stores that it was seen.
    ///
    /// Durably, before anything is done or decided by it: a pointer that is refused, or a run that is killed, still
    /// ends all older ones.
    func accept(_ published: OriginReader.Published) throws -> InstallState {
        let pointer = published.pointer
        // With an id in it, all devices would be one.
        let device = request.isForApps ? nil : request.device ?? state?.device ?? uniqueName()
        if let state {
            try checkContinues(published, state)
            if pointer.sequence == state.sequence, state.payloadHash == published.payloadHash,
                device == state.device, state.trust == offer.trust
            {
                return state
            }
        }
        let seen = InstallState(
            app: pointer.app, channel: pointer.channel, sequence: pointer.sequence,
            payloadHash: published.payloadHash, device: device, installed: state?.installed,
            trust: offer.trust)
        try seen.write(in: installation.directory, staging: installation.staging)
        return seen
    }

    private func checkContinues(
        _ published: OriginReader.Published, _ state: InstallState
    ) throws(ClientError) {
        let pointer = published.pointer
        guard state.app == pointer.app else {
            throw .otherApp(installed: state.app.description, offered: pointer.app.description)
        }
        guard state.channel == pointer.channel else {
            throw .otherChannel(
                installed: state.channel.description, asked: pointer.channel.description)
        }
        // A root has decided this already, by its floors and epochs.
        if offer.trust != nil { return }
        guard pointer.sequence >= state.sequence else {
            throw .replayed(offered: pointer.sequence, seen: state.sequence)
        }
        guard pointer.sequence == state.sequence else { return }
        let isSame =
            state.payloadHash.map { $0 == published.payloadHash }
            ?? (pointer.packageHash == state.installed?.packageHash)
        guard isSame else { throw .splitView(sequence: pointer.sequence) }
    }

    /// Whether a pointer starts an update at all.
    func checkCondition(_ pointer: Pointer) throws(ClientError) {
        guard !pointer.bypasses else { throw .bypassed(channel: pointer.channel.description) }
        // What that means depends on what is installed.
        if pointer.isClosed { return }
        guard pointer.isEnabled else { throw .disabled(channel: pointer.channel.description) }
        if let expires = pointer.expires, expires <= request.now {
            throw .expired(at: expires.description)
        }
    }
}
