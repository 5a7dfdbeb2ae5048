package import PackGround
package import PackOrigin
package import PackRelease
package import PackTrust

/// The steps that a client on one device would take now.
package struct Explanation: Sendable {
    /// One check of a client, with the compared values.
    package struct Step: Equatable, Sendable {
        package let what: String
        package let finding: String
        /// Whether the client continues, or selects the entry.
        package let passes: Bool
    }

    /// The result for the device.
    package enum Verdict: String, Sendable {
        case updates, installed, kept, refused
    }

    package internal(set) var steps: [Step] = []
    package internal(set) var verdict = Verdict.refused
    package let pointer: Pointer
    /// The entry selected for the device.
    package internal(set) var entry: Pointer.Entry?
    package internal(set) var route: InstallState.Route?
    /// The bytes read by the client, including the pointer.
    package internal(set) var fetched = FetchedBytes()
    /// Whether the installed release must not run without an update.
    package internal(set) var mustUpdate = false
}

/// A device whose client is to be explained.
package struct ExplainRequest: Sendable {
    package var channel: Channel
    package var nativeVersion: NativeVersion?
    /// The platform of the app; `nil` for a client that names none.
    package var platform: AppPlatform?
    package var device: String?
    /// The installed release, if any.
    package var installed: Version?
    /// The sequence of the last pointer seen by the device.
    package var seen: Int?
    package var now: Timestamp
    /// The root pinned in the app; `nil` for a client without one.
    package var pin: TrustPin?
    /// The device's link and processor, by which it chooses between delta and package; `nil` for the
    /// route with the fewest bytes.
    package var time: UpdateTime?

    package init(
        channel: Channel, nativeVersion: NativeVersion? = nil, platform: AppPlatform? = nil,
        device: String? = nil, installed: Version? = nil, seen: Int? = nil, now: Timestamp,
        pin: TrustPin? = nil, time: UpdateTime? = nil
    ) {
        self.time = time
        self.pin = pin
        self.channel = channel
        self.nativeVersion = nativeVersion
        self.platform = platform
        self.device = device
        self.installed = installed
        self.seen = seen
        self.now = now
    }
}

extension Explanation {
    /// Explains the behaviour of a client for the current pointer of a channel.
    ///
    /// It calls the same functions as ``Installer``, and changes nothing.
    ///
    /// - Throws: ``Failure``; an error of the store.
    package static func of(
        _ request: ExplainRequest, at store: any ListingStore
    ) async throws -> Explanation {
        var history = OriginHistory(store, policy: .recordedInLog)
        guard try await history.isOrigin() else {
            throw Failure.originNotAnOrigin(path: store.address)
        }
        let reader = history.reader
        guard let file = try await reader.pointerFile(request.channel) else {
            throw Failure.originNothingPublished(
                channel: request.channel.description, origin: store.address)
        }
        let published = try reader.published(
            file, at: OriginLayout.pointer(request.channel), of: request.channel)
        var explanation = Explanation(pointer: published.pointer)
        explanation.fetched = FetchedBytes(pointer: file)
        if let pin = request.pin {
            guard let policy = try await explanation.trust(pin, request, file, reader) else {
                return explanation
            }
            history = OriginHistory(store, policy: policy)
        }
        if explanation.isAccepted(request) {
            try await explanation.choose(published, request, history)
        }
        return explanation
    }

    mutating func add(_ what: String, _ finding: String, passes: Bool) -> Bool {
        steps.append(Step(what: what, finding: finding, passes: passes))
        return passes
    }

    /// The steps before the selection, in the client's order.
    private mutating func isAccepted(_ request: ExplainRequest) -> Bool {
        if let seen = request.seen {
            let isNewer = pointer.sequence >= seen
            guard
                add(
                    "sequence", "\(pointer.sequence) is \(isNewer ? "not below" : "below") \(seen)",
                    passes: isNewer)
            else { return false }
        } else {
            _ = add("sequence", "\(pointer.sequence)", passes: true)
        }
        let stop = pointer.updateStop(at: request.now)
        let isBypassed = stop == .bypassed
        guard add("bypass", isBypassed ? "yes" : "no", passes: !isBypassed) else { return false }
        if stop == .closed {
            if request.installed != nil { verdict = .kept }
            return add("closed", "at \(pointer.createdAt)", passes: false)
        }
        let isDisabled = stop == .disabled
        guard add("enabled", isDisabled ? "no" : "yes", passes: !isDisabled) else { return false }
        guard let expires = pointer.expires else { return add("expires", "never", passes: true) }
        return add("expires", "\(expires); it is \(request.now)", passes: stop == nil)
    }

    private mutating func choose(
        _ published: OriginReader.Published, _ request: ExplainRequest, _ history: OriginHistory
    ) async throws {
        let device = ClientDevice(
            nativeVersion: request.nativeVersion, platform: request.platform, id: request.device,
            installed: pointer.entries.first { $0.version == request.installed }?.packageHash)
        let selection = pointer.select(for: device)
        for (entry, verdict) in zip(pointer.entries, selection.verdicts) {
            _ = add(
                "release \(entry.name)", verdict.reason(entry, device), passes: verdict.isTaken)
        }
        guard let index = selection.index else {
            verdict = request.installed == nil ? .refused : .kept
            return
        }
        let offer = published.offers[index]
        let entry = offer.pointer.entry
        self.entry = entry
        if entry.version == request.installed {
            verdict = .installed
            return
        }
        verdict = .updates
        if let chosen = request.installed, let since = pointer.mandatorySequence {
            mustUpdate = try await history.isOlder(chosen, than: since, pointer)
        }
        var delta: DeltaRoute?
        if let installed = request.installed {
            delta = await DeltaRoute.find(
                from: [installed], to: offer, of: published, history.reader, &fetched)
        }
        if let delta, try await isThere(delta, at: history.store) {
            fetched.deltas = delta.size
            if isFaster(delta, than: entry, request.time) {
                route = .delta
                return
            }
        }
        if let files = try await missingFiles(of: offer, for: request, history) {
            route = .files
            fetched.files = files.size
        } else {
            route = .package
            fetched.package = entry.package.size
        }
    }

    /// The files that a device fetches instead of the package; its installed release must be known at
    /// the origin.
    private mutating func missingFiles(
        of offer: OriginReader.Published, for request: ExplainRequest, _ history: OriginHistory
    ) async throws -> MissingFiles? {
        let entry = offer.pointer.entry
        guard let installed = request.installed, MissingFiles.isPossible(for: entry),
            let known = try? await history.manifest(named: installed.description)
        else { return nil }
        fetched.info = entry.info.size
        return MissingFiles(
            of: try await history.reader.manifest(of: offer).release, offered: entry,
            known: Set(known.release.assets.map(\.sha256)))
    }

    /// Whether the device applies a route's deltas, rather than fetch the package after them.
    private mutating func isFaster(
        _ delta: DeltaRoute, than entry: Pointer.Entry, _ time: UpdateTime?
    ) -> Bool {
        guard let time else { return true }
        let text = { (seconds: Double?) in
            grouped(Int(min((seconds ?? 0) * 1000, 1e15).rounded())) + " ms"
        }
        return add(
            "delta by time",
            "\(text(time.fetching(delta.size))) to fetch and "
                + "\(text(time.applying(delta.deltas.map(\.needs)))) to apply; the package "
                + "\(text(time.fetching(entry.package.size))) to fetch and "
                + "\(text(time.unpacking(entry.tree))) to unpack",
            passes: !time.prefersPackage(of: entry, to: delta.deltas))
    }

    /// Whether an origin has all deltas of a route; if one is missing, a client uses the package.
    private mutating func isThere(
        _ route: DeltaRoute, at store: any ListingStore
    ) async throws -> Bool {
        for step in route.steps {
            let path = OriginLayout.delta(step.to, from: step.delta.from)
            let size = try await store.status(of: path)?.size
            guard size == step.delta.content.size else {
                let problem = size == nil ? "is missing" : "has another size than in its pointer"
                return add("delta", "\(store.display(path)) \(problem)", passes: false)
            }
        }
        return true
    }
}
