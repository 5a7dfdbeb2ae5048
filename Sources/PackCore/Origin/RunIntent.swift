import PackGround
package import PackRelease

/// A file in the workspace that marks a command at work.
///
/// A publisher makes its intent visible, then looks for those of prunes and of root publishes;
/// these make theirs visible, then look for publishers. So at least one of two concurrent runs sees
/// the other, and stops before anything is lost. In a directory the lock does this, and an intent
/// without a running command only means that a publish was interrupted.
package struct RunIntent: Sendable {
    package enum Kind: Sendable {
        /// A change of a channel's pointer; the version is `nil` while it is not known.
        case change(Channel, Version?)
        case prune
        case root

        /// The first part of the file's name.
        ///
        /// Channel names start with a letter or digit.
        var name: String {
            switch self {
            case .change(let channel, _): channel.description
            case .prune: RunIntent.pruneName
            case .root: RunIntent.rootName
            }
        }
    }

    private static let pruneName = "+prune"
    private static let rootName = "+root"

    package var kind: Kind
    let startedAt: Timestamp
    /// Different for each run.
    package let path: String

    package init(_ kind: Kind, startedAt: Timestamp) {
        self.kind = kind
        self.startedAt = startedAt
        path = "\(OriginLayout.intents)/\(kind.name).\(uniqueName())"
    }

    /// The file to create.
    package var upload: Upload {
        var (channel, version): (JSONValue?, JSONValue?)
        if case .change(let changed, let release) = kind {
            channel = .string(changed.description)
            version = (release?.description).json
        }
        let started = JSONValue.string(startedAt.description)
        return Upload(
            path,
            JSONWriter.write(
                .members(["channel": channel, "version": version, "startedAt": started])))
    }

    // MARK: Age

    /// How long an intent counts in a store without a lock, in seconds.
    ///
    /// A prune and the publish of a root keep publishers away, so theirs are shorter.
    fileprivate static func lifetime(_ name: String) -> Int {
        switch name {
        case pruneName: 3600
        case rootName: 15 * 60
        default: 24 * 3600
        }
    }

    /// Whether the run may still do what it announced.
    ///
    /// The second half of its lifetime is left for requests that the store is slow to answer.
    func isTimeLeft(_ now: Timestamp) -> Bool {
        now.seconds - startedAt.seconds < Self.lifetime(kind.name) / 2
    }

    // MARK: At an origin

    /// An intent at an origin.
    package struct Recorded: Sendable {
        /// The channel, or the name of a prune or root publish.
        package let name: String
        package let path: String
        /// `nil` for an unreadable intent: its run ended while writing it.
        package let startedAt: Timestamp?

        package var isPrune: Bool { name == RunIntent.pruneName }
        package var isRoot: Bool { name == RunIntent.rootName }

        /// Whether it is older than a run may take.
        package func isOver(_ now: Timestamp) -> Bool {
            guard let startedAt else { return false }
            return now.seconds - startedAt.seconds >= RunIntent.lifetime(name)
        }
    }

    /// The intents at an origin.
    ///
    /// - Parameters:
    ///   - own: The path of an intent to leave out.
    ///   - isWanted: Selects intents by the first part of their names; the others are not read.
    package static func recorded(
        _ store: any ListingStore, except own: String,
        where isWanted: (String) -> Bool = { _ in true }
    ) async throws -> [Recorded] {
        var found: [Recorded] = []
        for file in try await store.names(in: OriginLayout.intents) {
            let path = "\(OriginLayout.intents)/\(file)"
            let name = name(file)
            guard path != own, isWanted(name) else { continue }
            var text: String?
            do {
                guard let stored = try await store.read(path, limit: sizeLimit) else { continue }
                text = try? JSONObject(JSONParser.parse(stored.bytes)).string("startedAt")
            } catch  where error.meansAnotherContent {}
            found.append(
                Recorded(name: name, path: path, startedAt: text.flatMap { Timestamp($0) }))
        }
        return found
    }

    /// Whether an intent's name is that of a command that excludes publishers.
    package static func isExclusive(_ name: String) -> Bool { name.hasPrefix("+") }

    /// The channels that have an intent.
    package static func channelsUnderWay(
        _ store: any ListingStore, except own: String? = nil
    ) async throws -> Set<String> {
        let names = try await store.names(in: OriginLayout.intents)
        return Set(names.filter { "\(OriginLayout.intents)/\($0)" != own }.map(name))
    }

    /// An intent's file name is the channel, a dot and 32 digits.
    private static func name(_ file: String) -> String {
        String(decoding: file.utf8.dropLast(33), as: UTF8.self)
    }

    private static let sizeLimit = 4 << 10
}

extension WritableStore {
    /// A time of this machine's clock by the store's clock.
    package func time(_ clock: Timestamp) -> Timestamp {
        Timestamp(seconds: clock.seconds + secondsAhead)
    }

    /// The paths of intents whose runs have ended: killed runs left them.
    ///
    /// - Parameter isWanted: Selects intents by the first part of their names.
    package func leftIntents(
        now: Timestamp, except own: String, where isWanted: (String) -> Bool
    ) async throws -> [String] {
        try await RunIntent.recorded(self, except: own, where: isWanted)
            // A bucket writes files whole, so no run has an unreadable intent.
            .filter { $0.startedAt == nil || !mayBeAtWork($0, now: now) }.map(\.path)
    }
}
