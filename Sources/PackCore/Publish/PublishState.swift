import PackFeeds
import PackGround
import PackOrigin
import PackRelease

/// The state of an origin before a publish, as far as it matters to the publish.
struct PublishState: Sendable {
    let channel: ChannelState
    /// The release's manifest, where the release is published already.
    let manifest: Manifest?
    /// The hash of the manifest's bytes.
    let manifestReference: ContentReference?
    /// The release's usual manifest, where this publish corrects what it says.
    let corrected: Manifest?
    /// A pointer that names the release although its manifest is missing: the new manifest must
    /// match it.
    let bound: OriginReader.Published?
    /// A pointer that named the release before it was pruned.
    let pruned: OriginReader.Published?
    /// What is damaged or foreign at the origin and does not matter to this publish.
    let notes: [String]

    /// The channel's current pointer.
    var current: OriginReader.Published? { channel.current }
    /// The package that the release has already.
    var package: ContentReference? { (manifest ?? corrected)?.package }

    /// Refuses to write a missing manifest again with other bytes than a pointer binds.
    func checkBound(
        _ info: ContentReference, _ package: ContentReference, _ store: any OriginStore
    ) throws(Failure) {
        guard let bound,
            bound.pointer.info.sha256 != info.sha256 || bound.pointer.package != package
        else { return }
        let version = bound.pointer.version
        throw .publishDamaged(
            path: store.display(OriginLayout.manifest(version)),
            problem: "it is missing, and the one from this build does not match '\(bound.path)'")
    }

    /// The label that a new pointer to the same release keeps.
    func inheritedLabel(_ release: Release) -> String? {
        guard let pointer = current?.pointer, pointer.packageHash == release.packageHash else {
            return nil
        }
        return pointer.label
    }

    static func read(
        _ request: PublishRequest, _ run: RunState, _ store: any WritableStore,
        _ history: OriginHistory
    ) async throws -> PublishState {
        try await checkNames(request, store)
        let channel = try await ChannelState.read(
            request.channel, signing: request.signing, run, store, history)
        let neighbours = try await neighbours(of: channel, history, request, store)
        var notes = channel.notes
        if let label = request.label {
            try await checkLabel(
                label, of: request.scan.release.version, request.channel,
                after: channel.current?.pointer, upTo: channel.previous ?? 0, history, &notes)
        }
        if channel.replaced == nil, channel.previous == nil, !neighbours.read.isEmpty {
            notes.append(
                "channel '\(request.channel)' is new at this origin, which has "
                    + Self.shown(neighbours.names))
        }
        // A repair restores manifests, and writes no other.
        let published =
            request.repairs ? nil : try await PublishedManifest.find(request, store, history)
        notes += published?.notes ?? []
        let changes = try await identityChanges(
            request, channel, neighbours.read, published, history)
        if let first = changes.first, !request.correctsManifest {
            throw Failure.publishIdentityChanged(first)
        }
        notes += changes.map { "the \($0.setting) changes from '\($0.from)' to '\($0.to)'" }
        var (bound, pruned): (OriginReader.Published?, OriginReader.Published?)
        if published == nil, !request.repairs {
            (bound, pruned) = try await earlier(request, store, history)
        }
        return PublishState(
            channel: channel, manifest: published?.manifest,
            manifestReference: published?.reference, corrected: published?.corrected,
            bound: bound, pruned: pruned, notes: notes)
    }

    /// The changed settings that determine where devices find releases, and how they open pages.
    ///
    /// A mistake in one of these reaches every device with the next pointer, and the devices then no
    /// longer read the origin that could correct it.
    private static func identityChanges(
        _ request: PublishRequest, _ channel: ChannelState, _ others: [OriginReader.Published],
        _ published: PublishedManifest?, _ history: OriginHistory
    ) async throws -> [Failure.IdentityChange] {
        var changes: [Failure.IdentityChange] = []
        let base = request.manifest.baseURL
        // An origin has one address: a new channel goes by those that are there.
        var known = channel.current.map { [$0] } ?? []
        if channel.replaced == nil { known = others }
        if let before = known.first, !known.contains(where: { $0.baseURL == base }) {
            changes.append(
                .init(
                    setting: "base URL", flag: "--base-url", from: before.baseURL.description,
                    to: base.description,
                    effect: "devices would fetch this release from there"))
        }
        let scheme = request.manifest.scheme
        if let before = try await liveScheme(channel, published, history), before != scheme {
            changes.append(
                .init(
                    setting: "scheme", flag: "--scheme", from: before, to: scheme,
                    effect: "apps open pages by the scheme that they were built with"))
        }
        return changes
    }

    /// The scheme of the channel's release; `nil` where there is none, or a damaged manifest.
    private static func liveScheme(
        _ channel: ChannelState, _ published: PublishedManifest?, _ history: OriginHistory
    ) async throws -> String? {
        guard let current = channel.current else { return nil }
        if let published, published.reference?.content == current.pointer.info.content {
            return published.manifest?.scheme
        }
        do {
            return try await history.reader.manifest(of: current).scheme
        } catch {
            if error.isLocalOrTransient { throw error }
            return nil
        }
    }

    /// A pointer that names the release although its manifest is missing: because it was damaged, or pruned.
    private static func earlier(
        _ request: PublishRequest, _ store: any WritableStore, _ history: OriginHistory
    ) async throws -> (bound: OriginReader.Published?, pruned: OriginReader.Published?) {
        let version = request.scan.release.version
        // Looking for it reads the whole log.
        let isLeft = try await store.isFolder(OriginLayout.release(version))
        let found =
            isLeft
            ? try await history.pointer(to: version, startingWith: request.channel)
            : try await history.prunedOffer(of: version, on: [request.channel, .production])
        guard let found else { return (nil, nil) }
        if try await history.mayBePruned(found.pointer) { return (nil, found) }
        return (isLeft ? found : nil, nil)
    }

    /// Refuses, before anything is written, a name that is needed and taken by something else.
    private static func checkNames(
        _ request: PublishRequest, _ store: any WritableStore
    ) async throws {
        guard let obstacle = try await store.obstacle(among: neededNames(request)) else { return }
        throw Failure.publishForeignFile(
            path: store.display(obstacle.name.path), found: obstacle.found.name,
            needed: obstacle.name.purpose)
    }

    /// The names that do not depend on what is published already; folders before what is in them.
    private static func neededNames(_ request: PublishRequest) -> [NeededName] {
        let version = request.scan.release.version
        let channel = request.channel
        var names = [
            OriginLayout.workspace, OriginLayout.intents, OriginLayout.staging,
            OriginLayout.channels, OriginLayout.channel(channel),
            OriginLayout.log(channel), OriginLayout.releases, OriginLayout.release(version),
            OriginLayout.objects,
        ].map { NeededName($0, .directory, "a directory") }
        names += [
            NeededName(OriginLayout.pointer(channel), .file, "the channel's pointer"),
            NeededName(OriginLayout.manifest(version), .file, "the release's manifest"),
            NeededName(OriginLayout.package(version), .file, "the release's package"),
        ]
        if !request.feeds.isEmpty {
            names.append(NeededName(OriginLayout.feeds(channel), .directory, "a directory"))
        }
        for path in request.feeds.map({ $0.path(on: channel) }) {
            names.append(NeededName(path, .file, "a feed"))
        }
        guard channel == .production else { return names }
        return names + [
            NeededName(OriginLayout.site, .directory, "a directory"),
            NeededName(OriginLayout.info, .file, "the current release's manifest"),
        ]
    }

    /// What a publish to a new channel knows of the others.
    struct Neighbours {
        /// The other channels, by the names of their folders.
        var names: [String] = []
        /// The pointers that were read, production's first: none where the channel has its own, and no more than it takes
        /// to find one with the request's base URL.
        var read: [OriginReader.Published] = []
    }

    /// Every app needs its own origin: its channels share releases, objects and `site/`.
    ///
    /// The channel's own pointer says which app that is. Only a new channel asks another one, so a publish does not get
    /// slower with the number of channels that an origin has, or ever had.
    private static func neighbours(
        of channel: ChannelState, _ history: OriginHistory, _ request: PublishRequest,
        _ store: any OriginStore
    ) async throws -> Neighbours {
        if let current = channel.current {
            try checkApp(of: current, request, store)
            return Neighbours()
        }
        guard try await history.isOrigin() else { return Neighbours() }
        let all = try await history.channels().filter { $0 != request.channel }
        var found = Neighbours(names: all.map(\.description))
        for other in all.filter({ $0 == .production }) + all.filter({ $0 != .production }) {
            do {
                guard let pointer = try await history.reader.pointer(other) else { continue }
                found.read.append(pointer)
            } catch  where error.isLocalOrTransient {
                throw error
            } catch {
                // A pointer of another channel that is damaged is that channel's trouble.
                continue
            }
            guard let last = found.read.last else { continue }
            try checkApp(of: last, request, store)
            if request.signing == nil { try PointerSigning.checkIsUnsigned(last, store) }
            if last.baseURL == request.manifest.baseURL { break }
        }
        return found
    }

    private static func checkApp(
        of published: OriginReader.Published, _ request: PublishRequest, _ store: any OriginStore
    ) throws(Failure) {
        guard published.pointer.app != request.manifest.app else { return }
        throw .publishOtherApp(
            origin: store.address, theirs: published.pointer.app.description,
            ours: request.manifest.app.description)
    }

    /// The first of some names, and how many more there are.
    private static func shown(_ names: [String]) -> String {
        let more = names.count - namesShown
        let shown = names.prefix(namesShown).joined(separator: ", ")
        return more > 0 ? "\(shown) and \(grouped(more)) more" : shown
    }

    private static let namesShown = 8

    /// A label that fits into a pointer.
    static func checkForm(ofLabel label: String) throws(Failure) {
        guard label.utf8.count <= Pointer.labelLimit, !label.isEmpty,
            label.unicodeScalars.allSatisfy({ !$0.isControl })
        else { throw .publishLabelTooLong }
        guard Version(label) == nil else { throw .publishLabelIsVersion(label: label) }
    }

    /// One label names one release: that of the last entry with it that was live.
    ///
    /// No other release is known by that label.
    static func checkLabel(
        _ label: String, of version: Version, _ channel: Channel, after current: Pointer?,
        upTo highest: Int, _ history: OriginHistory, _ notes: inout [String]
    ) async throws {
        var unread: [Int] = []
        var owner: Version?
        var last = highest
        try await history.forEachLive(channel, upTo: highest) { sequence, published in
            if published == nil { unread.append(sequence) }
            let offer = published?.pointer.entries.first { $0.label == label }
            owner = offer?.version
            last = sequence
            return owner != nil
        }
        // Damage of an old entry must not stop a publish that does not need it.
        note(unread, label, channel, &notes)
        if let owner, owner != version {
            throw Failure.publishLabelTaken(label: label, version: owner.description)
        }
        if owner != nil, let current, !current.entries.contains(where: { $0.version == version }) {
            notes.append(
                "'\(label)' was live before (sequence \(last)) and was replaced; this puts it back in place of "
                    + current.entry.name)
        }
    }

    private static func note(
        _ unread: [Int], _ label: String, _ channel: Channel, _ notes: inout [String]
    ) {
        guard let first = unread.first else { return }
        let more =
            unread.count > 1
            ? " and \(counted(unread.count - 1, "older entry", plural: "older entries"))" : ""
        notes.append(
            """
            '\(OriginLayout.logEntry(channel, first))'\(more) cannot be read, so it is not \
            known whether \
            the label '\(label)' is taken there; run 'packtool verify' on the origin
            """)
    }
}
