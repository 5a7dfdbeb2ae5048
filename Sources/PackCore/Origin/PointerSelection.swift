package import PackGround
package import PackRelease

/// The properties of a device that determine its release.
package struct ClientDevice: Equatable, Sendable {
    /// The version of the app; `nil` if unknown.
    package var nativeVersion: NativeVersion?
    /// The platform of the app; `nil` for a client that names none.
    package var platform: AppPlatform?
    /// Random, created at the first launch and never sent; `nil` for a device without an ID.
    package var id: String?
    /// The package hash of the installed release.
    package var installed: Digest?
    /// The releases that did not become ready on the device.
    package var failed: Set<Version>

    package init(
        nativeVersion: NativeVersion? = nil, platform: AppPlatform? = nil, id: String? = nil,
        installed: Digest? = nil, failed: Set<Version> = []
    ) {
        self.nativeVersion = nativeVersion
        self.platform = platform
        self.id = id
        self.installed = installed
        self.failed = failed
    }
}

/// The offer of a pointer to one device, with the reason for each entry.
package struct Selection: Equatable, Sendable {
    /// The reason for selecting or skipping an entry.
    package enum Verdict: Equatable, Sendable {
        /// The device gets it; with its bucket if the share decided.
        case taken(bucket: Int?)
        /// The device is outside the share but already has the release.
        case kept(bucket: Int?)
        case nativeVersionUnknown
        case nativeVersionTooOld
        case nativeVersionTooNew
        /// It did not become ready on the device.
        case failedHere
        /// `nil` for a device without an ID.
        case outsideShare(bucket: Int?)

        package var isTaken: Bool {
            switch self {
            case .taken, .kept: true
            default: false
            }
        }
    }

    /// The verdicts on the first entries, in order; only the last can be a selection.
    package let verdicts: [Verdict]

    /// The index of the selected entry; `nil` to keep the installed release.
    package var index: Int? { verdicts.last?.isTaken == true ? verdicts.count - 1 : nil }
}

extension Pointer {
    /// Selects the release of a device: the first eligible entry, which may be older than the
    /// installed release.
    ///
    /// All clients, and all commands that predict clients, use this function.
    package func select(for device: ClientDevice) -> Selection {
        var verdicts: [Selection.Verdict] = []
        guard isEnabled, !bypasses else { return Selection(verdicts: []) }
        for entry in entries {
            let verdict = verdict(on: entry, device)
            verdicts.append(verdict)
            if verdict.isTaken { break }
        }
        return Selection(verdicts: verdicts)
    }

    private func verdict(on entry: Entry, _ device: ClientDevice) -> Selection.Verdict {
        switch entry.native[device.platform].problem(with: device.nativeVersion) {
        case nil: break
        case .unknown: return .nativeVersionUnknown
        case .tooOld: return .nativeVersionTooOld
        case .tooNew: return .nativeVersionTooNew
        }
        if device.failed.contains(entry.version) { return .failedHere }
        if entry.rollout == 100 { return .taken(bucket: nil) }
        let bucket = device.id.map {
            RolloutBucket.of(app: app, channel: channel, salt: entry.salt, device: $0)
        }
        if let bucket, RolloutBucket.contains(bucket, share: entry.rollout) {
            return .taken(bucket: bucket)
        }
        return device.installed == entry.packageHash
            ? .kept(bucket: bucket) : .outsideShare(bucket: bucket)
    }
}

extension Selection.Verdict {
    /// The verdict for messages, with the compared values.
    package func reason(_ entry: Pointer.Entry, _ device: ClientDevice) -> String {
        let native = device.nativeVersion?.description ?? ""
        let range = entry.native[device.platform]
        let strictest =
            device.platform == nil && !entry.native.isUniform
            ? ", the strictest limit: the client names no platform" : ""
        let share = { (bucket: Int?) -> String in
            guard let bucket else { return "it is offered to every device" }
            return "bucket \(grouped(bucket)) is below \(grouped(100 * entry.rollout))"
        }
        switch self {
        case .taken(let bucket): return share(bucket)
        case .kept:
            return "it is installed already, and stays although the share is \(entry.rollout) %"
        case .nativeVersionUnknown: return "it needs a native version that is known"
        case .nativeVersionTooOld where range.isNowhere:
            return "no native version can run it on all platforms, and the client names none"
        case .nativeVersionTooOld:
            return "native version \(native) is below \(range.lowest?.description ?? "")"
                + strictest
        case .nativeVersionTooNew:
            return "native version \(native) is above \(range.highest?.description ?? "")"
                + strictest
        case .failedHere: return "it did not become ready on this device"
        case .outsideShare(nil):
            return "it is offered to \(entry.rollout) % of the devices, and this one has no id"
        case .outsideShare(let bucket?):
            return "bucket \(grouped(bucket)) is not below \(grouped(100 * entry.rollout))"
        }
    }
}
