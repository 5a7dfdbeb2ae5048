import PackGround
import PackOrigin
import PackRelease

/// Chooses one of the releases in a pointer for this device.
extension Installer {
    /// Chooses the release for this device.
    ///
    /// - Parameter notes: Receives the reason why the device does not get the first one.
    /// - Returns: The pointer, reduced to the chosen release; `nil` to keep the installed one.
    /// - Throws: ``Failure/installNotOffered(channel:reason:)``,
    ///   ``Failure/installClosed(channel:at:open:)``.
    func choose(
        _ published: OriginReader.Published, _ state: InstallState, _ installed: Version?,
        _ notes: inout [String]
    ) async throws -> OriginReader.Published? {
        let pointer = published.pointer
        if pointer.isClosed {
            let (channel, time) = (pointer.channel.description, pointer.createdAt.description)
            guard installed != nil, !request.isForApps else {
                throw Failure.installClosed(
                    channel: channel, at: time, open: await openChannels())
            }
            notes.append("channel '\(channel)' was closed at \(time): there will be no updates")
            return nil
        }
        let device = ClientDevice(
            nativeVersion: request.nativeVersion, id: state.device,
            installed: pointer.entries.first { $0.version == installed }?.packageHash)
        let selection = pointer.select(for: device)
        let passed = zip(pointer.entries, selection.verdicts).filter { !$1.isTaken }
            .map { "not \($0.name): \($1.reason($0, device))" }
        guard let index = selection.index else {
            let channel = pointer.channel.description
            guard !request.isForApps else {
                throw Failure.installNotForEveryDevice(
                    channel: channel,
                    offers: pointer.entries.map {
                        "\($0.name) to \($0.rollout) %"
                            + ($0.native.isUnlimited ? "" : " of those with some native versions")
                    })
            }
            let reason = passed.joined(separator: "; ")
            guard installed != nil else {
                throw Failure.installNotOffered(channel: channel, reason: reason)
            }
            notes.append("the channel offers this device nothing: \(reason)")
            return nil
        }
        notes += passed
        return published.offers[index]
    }

    /// The open channels; `nil` if the store cannot list them.
    private func openChannels() async -> [String]? {
        guard let listing = store as? any ListingStore else { return nil }
        let channels = try? await OriginHistory(listing, policy: offer.policy).overview()
        return channels?.filter { $0.published?.pointer.isClosed == false }
            .map(\.channel.description)
    }

    /// Ends a run whose pointer offers this device nothing.
    func keep(
        _ outcome: InstallReport.Outcome,
        _ installed: Version?, _ state: InstallState, _ notes: [String], fetched: FetchedBytes
    ) async throws -> InstallReport {
        guard let installed, let known = state.installed, known.version == installed else {
            throw Failure.installNotOffered(
                channel: state.channel.description,
                reason: "'\(InstallState.fileName)' does not describe the installed files")
        }
        var notes = notes
        let scan = try await BuildScan.scan(
            installation.tree(installed), jobs: request.jobs, progress: request.progress)
        let isDamaged =
            scan.release.packageHash != known.packageHash || !scan.leftOut.isEmpty
        if isDamaged {
            notes.append("the installed tree is damaged; it cannot be put right from this channel")
        }
        return InstallReport(
            outcome: outcome, state: state, installed: known, previous: installed,
            files: scan.release.assets.count, bytes: scan.release.totalBytes, fetched: fetched,
            isDamaged: isDamaged, notes: notes)
    }
}
