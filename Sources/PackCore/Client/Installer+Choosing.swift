import PackGround
import PackOrigin
import PackRelease

/// Chooses one of the releases in a pointer for this device.
extension Installer {
    /// Chooses the release for this device.
    ///
    /// - Parameter run: Receives notes with the reasons why the device does not get the first one.
    /// - Returns: The pointer, reduced to the chosen release; `nil` to keep the installed one.
    /// - Throws: ``Failure/installNotOffered(channel:reason:)``,
    ///   ``Failure/installClosed(channel:at:open:)``.
    func choose(
        _ published: OriginReader.Published, _ installed: Base?, _ run: inout Run
    ) async throws -> OriginReader.Published? {
        let pointer = published.pointer
        let channel = channel.description
        if pointer.isClosed {
            let time = pointer.createdAt.description
            guard installed != nil, !request.isForApps else {
                throw Failure.installClosed(
                    channel: channel, at: time, open: await openChannels())
            }
            run.notes.append("channel '\(channel)' was closed at \(time): there will be no updates")
            run.held = .closed
            return nil
        }
        let device = device(run.state, pointer)
        let selection = pointer.select(for: device)
        let passed = zip(pointer.entries, selection.verdicts).filter { !$1.isTaken }
            .map { "not \($0.name): \($1.reason($0, device))" }
        guard let index = selection.index else {
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
            run.notes.append("the channel offers this device nothing: \(reason)")
            run.held = selection.verdicts.contains(.failedHere) ? .failed : .kept
            return nil
        }
        run.notes += passed
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
    func keep(_ installed: Base?, _ run: Run) async throws -> InstallReport {
        guard let installed else {
            throw Failure.installNotOffered(
                channel: channel.description, reason: "nothing is installed")
        }
        guard request.isTreeChecked else {
            return InstallReport(
                outcome: run.held, state: run.state, installed: installed.copy,
                previous: installed.copy.version, files: 0, bytes: 0, fetched: run.fetched,
                notes: run.notes)
        }
        var notes = run.notes
        let scan = try await scan(installed)
        let isDamaged =
            scan.release.packageHash != installed.copy.packageHash || !scan.leftOut.isEmpty
        if isDamaged {
            notes.append("the installed tree is damaged; it cannot be put right from this channel")
        }
        return InstallReport(
            outcome: run.held, state: run.state, installed: installed.copy,
            previous: installed.copy.version,
            files: scan.release.assets.count, bytes: scan.release.totalBytes,
            fetched: run.fetched, isDamaged: isDamaged, notes: notes)
    }
}
