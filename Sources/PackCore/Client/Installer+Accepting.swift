import PackGround
import PackOrigin
import PackRelease

/// Checks a pointer before acting on it.
extension Installer {
    /// Checks that a pointer continues the sequence seen by this installation, and stores it as
    /// seen.
    ///
    /// It is stored durably before any action or decision, so that older pointers are rejected even
    /// if this one is refused or the run is killed.
    func accept(_ published: OriginReader.Published) throws -> InstallState {
        let pointer = published.pointer
        // With an id in the bundled release, all devices would have the same id.
        let device = request.isForApps ? nil : request.device ?? state?.device ?? uniqueName()
        let answer = answer(after: state)
        if let state {
            try checkContinues(published, state)
            if pointer.sequence == state.sequence, state.payloadHash == published.payloadHash,
                device == state.device, state.trust == offer.trust, state.answer == answer
            {
                return state
            }
        }
        let seen = InstallState(
            app: pointer.app, channel: pointer.channel, sequence: pointer.sequence,
            payloadHash: published.payloadHash, device: device, installed: state?.installed,
            trust: offer.trust, answer: answer, speed: state?.speed)
        try seen.write(in: installation.directory, staging: installation.staging)
        return seen
    }

    /// The pointer's file, for a conditional request of the next run.
    private func answer(after state: InstallState?) -> InstallState.Answer? {
        guard !request.isForApps, let file = offer.file.answer else { return nil }
        if let known = state?.answer, known.file == file, known.isFresh(at: request.now) {
            return known
        }
        return InstallState.Answer(file: file, receivedAt: request.now)
    }

    private func checkContinues(
        _ published: OriginReader.Published, _ state: InstallState
    ) throws(Failure) {
        let pointer = published.pointer
        guard state.app == pointer.app else {
            throw .installOtherApp(
                installed: state.app.description, offered: pointer.app.description)
        }
        guard state.channel == pointer.channel else {
            throw .installOtherChannel(
                installed: state.channel.description, asked: pointer.channel.description)
        }
        // The root has already checked this, by its floors and epochs.
        if offer.trust != nil { return }
        guard pointer.sequence >= state.sequence else {
            throw .installReplayed(offered: pointer.sequence, seen: state.sequence)
        }
        guard pointer.sequence == state.sequence else { return }
        let isSame =
            state.payloadHash.map { $0 == published.payloadHash }
            ?? (pointer.packageHash == state.installed?.packageHash)
        guard isSame else { throw .installSplitView(sequence: pointer.sequence) }
    }

    /// Throws if the pointer allows no update.
    func checkCondition(_ pointer: Pointer) throws(Failure) {
        let channel = pointer.channel.description
        switch pointer.updateStop(at: request.now) {
        // The effect of a closed channel depends on the installed release, so it is handled later.
        case nil, .closed: return
        case .bypassed: throw .installBypassed(channel: channel)
        case .disabled: throw .installDisabled(channel: channel)
        case .expired(let time): throw .installExpired(at: time.description)
        }
    }
}
