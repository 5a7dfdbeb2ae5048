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
        if let app = request.app, app != pointer.app {
            throw Failure.installOtherApp(
                installed: app.description, offered: pointer.app.description)
        }
        return try installation.stateFile.change { stored in
            var new =
                stored ?? state
                ?? InstallState(
                    app: pointer.app,
                    channel: InstallState.ChannelState(
                        channel: channel, sequence: pointer.sequence, payloadHash: nil))
            if let embedded = request.embedded { try new.include(embedded) }
            try new.forgetTrees { try !Installation.hasTree($0, in: installation.directory) }
            if stored ?? state != nil {
                try checkContinues(published, new)
            } else if let found {
                new.choose(copy(found))
            }
            // With an id in the bundled release, all devices would have the same id.
            new.device = request.isForApps ? nil : request.device ?? new.device ?? uniqueName()
            new.trust = offer.trust
            let answer = answer(after: new)
            new.see(
                InstallState.ChannelState(
                    channel: channel, sequence: pointer.sequence,
                    payloadHash: published.payloadHash, epoch: offer.trust?.epoch))
            new.seen.isEnabled = pointer.isEnabled
            new.seen.bypasses = pointer.bypasses
            new.seen.mandatorySequence = pointer.mandatorySequence
            new.seen.expires = pointer.expires
            new.seen.offered = pointer.select(for: device(new, pointer)).index
                .map { pointer.entries[$0].version }
            new.seen.answer = answer
            return new
        }
    }

    /// The entry of a release whose state was lost: it was in use.
    private func copy(_ release: Release) -> InstallState.Copy {
        var copy = InstallState.Copy(
            version: release.version, packageHash: release.packageHash, channel: channel,
            sequence: 1, label: nil, route: .package, installedAt: request.now)
        copy.isConfirmed = true
        return copy
    }

    /// The properties of this device that determine its release.
    func device(_ state: InstallState, _ pointer: Pointer) -> ClientDevice {
        let version = state.installed?.version
        return ClientDevice(
            nativeVersion: request.nativeVersion, platform: request.platform, id: state.device,
            installed: pointer.entries.first { $0.version == version }?.packageHash,
            failed: state.excluded(nativeVersion: request.nativeVersion))
    }

    /// The pointer's file, for a conditional request of the next run.
    private func answer(after state: InstallState) -> InstallState.Answer? {
        guard !request.isForApps, let file = offer.file.answer else { return nil }
        if let known = state.seen(of: channel)?.answer, known.file == file,
            known.isFresh(at: request.now)
        {
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
        // The root has already checked this, by its floors and epochs.
        guard offer.trust == nil, let seen = state.seen(of: channel) else { return }
        guard pointer.sequence >= seen.sequence else {
            throw .installReplayed(offered: pointer.sequence, seen: seen.sequence)
        }
        guard pointer.sequence == seen.sequence else { return }
        let isSame =
            seen.payloadHash.map { $0 == published.payloadHash }
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
