package import PackGround
package import PackOrigin
package import PackRelease

/// The content of an installation's `state.json`: the releases on the device, and the pointers seen.
///
/// A pointer is stored as seen before it is acted on, so that older pointers are rejected even after
/// a kill or a refused update.
package struct InstallState: Equatable, Sendable {
    package let app: AppName
    /// Random, created at the first run and never sent; `nil` in a release bundled in apps.
    package var device: String?
    /// The channels used here, the current one first; never empty.
    package var channels: [ChannelState]
    /// The downloaded releases, the last chosen one first.
    package var trees: [Copy] = []
    /// The release in the app, if the last run had one.
    package var embedded: Copy?
    /// What was installed or started last.
    package var current: Place?
    /// What the last start ran; `nil` for no release.
    package var started: Place?
    /// The releases without readiness in this version of the app.
    package var failed: [Version] = []
    /// The starts of releases removed before they became ready.
    package var tried: [Version: Int] = [:]
    /// The version of the app at the last start.
    package var nativeVersion: NativeVersion?
    /// The root that accepted the last pointer; `nil` if none is trusted.
    package var trust: Trust?
    /// The processor's measured speed, in percent of ``UpdateTime``'s.
    package var speed: Int?

    package init(app: AppName, channel: ChannelState, device: String? = nil) {
        self.app = app
        channels = [channel]
        self.device = device
    }

    /// Where a release is on the device.
    package enum Place: Hashable, Sendable {
        /// In a tree on disk.
        case tree(Version)
        /// In the app itself.
        case embedded
    }

    /// The last trusted root.
    package struct Trust: Equatable, Sendable {
        package let root: Int
        package let epoch: Int
        /// The last time that a newer root was requested.
        package let checkedAt: Timestamp

        package init(root: Int, epoch: Int, checkedAt: Timestamp) {
            self.root = root
            self.epoch = epoch
            self.checkedAt = checkedAt
        }
    }

    /// The last pointer of a channel that this device accepted.
    package struct ChannelState: Equatable, Sendable {
        package let channel: Channel
        /// The highest sequence seen; a lower one is a replay.
        package var sequence: Int
        /// The hash of the payload with that sequence; `nil` in states written by older versions.
        package var payloadHash: Digest?
        /// The epoch of the trust root at that time; `nil` without a root.
        package var epoch: Int?
        package var isEnabled = true
        /// Whether apps load the https pages.
        package var bypasses = false
        package var mandatorySequence: Int?
        package var expires: Timestamp?
        /// The release that the pointer offers this device; `nil` if there is none.
        package var offered: Version?
        /// The pointer as received over HTTP, for a conditional request; `nil` if its server gave
        /// no tag.
        package var answer: Answer?

        package init(
            channel: Channel, sequence: Int, payloadHash: Digest?, epoch: Int? = nil
        ) {
            self.channel = channel
            self.sequence = sequence
            self.payloadHash = payloadHash
            self.epoch = epoch
        }
    }

    /// A pointer as received over HTTP.
    package struct Answer: Equatable, Sendable {
        package let file: HTTPAnswer
        package let receivedAt: Timestamp

        /// Whether a server may confirm it.
        ///
        /// Once a day the pointer is fetched whole, in case a server gave one tag to two files.
        func isFresh(at now: Timestamp) -> Bool {
            receivedAt <= now && now < receivedAt.adding(days: 1)
        }
    }

    /// A release on the device.
    package struct Copy: Equatable, Sendable {
        package let version: Version
        package let packageHash: Digest
        /// The channel, epoch (`nil` without a root) and sequence of the newest pointer that chose it.
        package var channel: Channel
        package var epoch: Int?
        package var sequence: Int
        package var label: String?
        /// The app versions that can run it.
        package var native = NativeRange()
        /// The app's first page.
        package var launch: AssetPath?
        /// The kind of download.
        package let route: Route
        package let installedAt: Timestamp
        /// Whether it has been ready at least once.
        package var isConfirmed = false
        /// The starts without becoming ready.
        package var attempts = 0

        package init(
            version: Version, packageHash: Digest, channel: Channel, epoch: Int? = nil,
            sequence: Int, label: String?, route: Route, installedAt: Timestamp
        ) {
            self.version = version
            self.packageHash = packageHash
            self.channel = channel
            self.epoch = epoch
            self.sequence = sequence
            self.label = label
            self.route = route
            self.installedAt = installedAt
        }

        /// The order of two pointers that chose releases of one channel.
        var order: (Int, Int) { (epoch ?? 0, sequence) }
    }

    /// The kinds of downloads.
    package enum Route: String, Sendable {
        case package, delta
        /// The files that differ.
        case files
        /// None: the release was on the device.
        case none
    }

    /// The longest device id, in bytes.
    package static let deviceLimit = 200
}

// MARK: The current channel

extension InstallState {
    /// The state of the current channel.
    package var seen: ChannelState {
        get { channels[0] }
        set { channels[0] = newValue }
    }

    package var channel: Channel { seen.channel }

    package var sequence: Int { seen.sequence }

    /// The most channels remembered; older ones are forgotten.
    static let mostChannels = 50

    /// The last pointer seen of a channel.
    func seen(of channel: Channel) -> ChannelState? { channels.first { $0.channel == channel } }

    /// Stores the last pointer seen of a channel, which becomes the current one.
    mutating func see(_ new: ChannelState) {
        channels.removeAll { $0.channel == new.channel }
        // Only the channel in use is asked for again.
        for index in channels.indices { channels[index].answer = nil }
        channels = [new] + channels.prefix(Self.mostChannels - 1)
    }
}

// MARK: Releases

extension InstallState {
    /// The release at a place.
    package subscript(place: Place) -> Copy? {
        get {
            switch place {
            case .embedded: embedded
            case .tree(let version): trees.first { $0.version == version }
            }
        }
        set {
            switch place {
            case .embedded: embedded = newValue
            case .tree(let version):
                guard let index = trees.firstIndex(where: { $0.version == version }) else { return }
                if let newValue { trees[index] = newValue } else { trees.remove(at: index) }
            }
        }
    }

    /// The release that was installed or started last.
    package var installed: Copy? { current.flatMap { self[$0] } }

    /// Forgets the trees that fulfil a condition.
    mutating func forgetTrees(where isGone: (Version) throws -> Bool) rethrows {
        try trees.removeAll { try isGone($0.version) }
        if installed == nil { current = nil }
    }

    /// Makes a downloaded release the current one.
    mutating func choose(_ copy: Copy) {
        var copy = copy
        copy.attempts = max(copy.attempts, tried.removeValue(forKey: copy.version) ?? 0)
        trees.removeAll { $0.version == copy.version }
        trees.insert(copy, at: 0)
        current = .tree(copy.version)
    }

    /// Removes unneeded trees.
    ///
    /// What stays: the current release, the running one, and the newest confirmed one of this
    /// channel and the one before it. Until there is a confirmed one, the previous release also
    /// stays.
    ///
    /// - Parameter used: Further releases that stay.
    mutating func trim(except used: Set<Version> = []) {
        var kept = Set([current, started].compactMap { $0 } + used.map { Place.tree($0) })
        let confirmed = trees.filter(\.isConfirmed)
        for channel in channels.prefix(2).map(\.channel) {
            if let newest = confirmed.first(where: { $0.channel == channel }) {
                kept.insert(.tree(newest.version))
            }
        }
        if confirmed.isEmpty {
            let others = trees.filter { !kept.contains(.tree($0.version)) }
            if let previous = others.first(where: { !failed.contains($0.version) }) {
                kept.insert(.tree(previous.version))
            }
        }
        for tree in trees where !kept.contains(.tree(tree.version)) {
            if !tree.isConfirmed, tree.attempts > 0 { tried[tree.version] = tree.attempts }
        }
        trees.removeAll { !kept.contains(.tree($0.version)) }
    }
}
