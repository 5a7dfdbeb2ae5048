import PackGround
package import PackOrigin
package import PackRelease

/// A live-update client of another project; an origin can have a file in its format.
///
/// The trust root signs none of these files. `docs/guide/feeds.md` names the sources of the formats.
package enum Feed: String, CaseIterable, Sendable {
    /// Capawesome's live update plugin of Capacitor.
    case capawesome
    /// Capgo's updater plugin of Capacitor.
    case capgo
    /// The plugin cordova-hot-code-push.
    case cordovaHCP = "cordova-hcp"

    /// The file polled by the client.
    package func path(on channel: Channel) -> String { OriginLayout.feed(channel, rawValue) }

    /// All files of the feed, the polled one last: it must not exist without the others.
    package func paths(on channel: Channel) -> [String] {
        (self == .cordovaHCP ? [OriginLayout.siteManifest] : []) + [path(on: channel)]
    }

    /// The feeds of a channel, by their polled files.
    package static func present(
        on channel: Channel, in store: any ListingStore
    ) async throws -> [Feed] {
        let names = try await store.names(in: OriginLayout.feeds(channel))
        return allCases.filter { names.contains("\($0.rawValue).json") }
    }

    /// Why the client could not install a release; `nil` if it can.
    package func problem(of release: Release, on channel: Channel, at base: BaseURL) -> String? {
        switch self {
        case .capawesome, .capgo:
            release.has("index.html")
                ? nil : "the client needs an index.html at the root of the build"
        case .cordovaHCP: CordovaHCPFeed.problem(of: release, on: channel, at: base)
        }
    }
}

/// The release shown by a feed, and its base URL.
package struct FeedOffer: Sendable {
    let channel: Channel
    let entry: Pointer.Entry
    let base: BaseURL
    package let release: Release

    /// - Parameter offer: A pointer whose first entry every device may have.
    package init(_ offer: OriginReader.Published, _ release: Release) {
        channel = offer.pointer.channel
        entry = offer.pointer.entry
        base = offer.baseURL
        self.release = release
    }

    /// The bytes of the polled file.
    package func document(of feed: Feed) -> [UInt8] {
        switch feed {
        case .capawesome: CapawesomeFeed.document(of: self)
        case .capgo: CapgoFeed.document(of: self)
        case .cordovaHCP: CordovaHCPFeed.document(of: self)
        }
    }

    /// Why a client could not install the release; `nil` if it can.
    package func problem(of feed: Feed) -> String? {
        feed.problem(of: release, on: channel, at: base)
    }
}

extension Release {
    /// Whether a path is one of the assets.
    package func has(_ path: String) -> Bool {
        assets.contains { $0.path.bytes.elementsEqual(path.utf8) }
    }
}
