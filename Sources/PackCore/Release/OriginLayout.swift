package import PackGround

/// The paths of an origin (`docs/formats.md`), relative to its root.
package enum OriginLayout {
    package static let info = "info.json"
    package static let channels = "channels"
    package static let releases = "releases"
    package static let objects = "objects"
    package static let site = "site"
    package static let roots = "root"
    /// Lock, intents, pins and staging; never served.
    package static let workspace = ".packtool"
    package static let lock = "lock"
    package static let intents = ".packtool/intents"
    package static let pins = ".packtool/pins"
    package static let proposals = ".packtool/proposals"

    /// A channel's proposed pointer, which waits for signatures.
    package static func proposal(_ channel: Channel) -> String { "\(proposals)/\(channel).json" }

    package static let staging = ".packtool/staging"

    /// The directory of a channel.
    package static func channel(_ channel: Channel) -> String { "\(channels)/\(channel)" }

    /// The current pointer of a channel.
    package static func pointer(_ channel: Channel) -> String {
        "\(channels)/\(channel)/pointer.json"
    }

    /// The directory of a channel's log.
    package static func log(_ channel: Channel) -> String { "\(channels)/\(channel)/log" }

    /// A log entry of a channel.
    package static func logEntry(_ channel: Channel, _ sequence: Int) -> String {
        "\(channels)/\(channel)/log/\(sequence).json"
    }

    /// The record of the sequence below which a channel's releases may have been pruned.
    package static func pruneMark(_ channel: Channel) -> String {
        "\(channels)/\(channel)/pruned.json"
    }

    /// The directory of a channel's feeds, the files for clients of other projects.
    package static func feeds(_ channel: Channel) -> String { "\(channels)/\(channel)/feeds" }

    /// The feed of a client.
    package static func feed(_ channel: Channel, _ client: String) -> String {
        "\(feeds(channel))/\(client).json"
    }

    /// The list of the files of ``site`` for cordova-hot-code-push.
    package static let siteManifest = "\(site)/chcp.manifest"

    /// A trust root.
    package static func root(_ version: Int) -> String { "\(roots)/\(version).json" }

    /// The directory of a release.
    package static func release(_ version: Version) -> String { "\(releases)/\(version)" }

    /// The manifest of a release.
    package static func manifest(_ version: Version) -> String {
        "\(releases)/\(version)/info.json"
    }

    /// The manifest of a release republished to correct its base URL, scheme or launch page.
    ///
    /// - Parameter digest: The hash of the manifest's bytes, so that the content of a name never
    ///   changes.
    package static func manifest(_ version: Version, _ digest: Digest) -> String {
        "\(releases)/\(version)/info-\(digest.description.prefix(16)).json"
    }

    /// The package of a release.
    package static func package(_ version: Version) -> String {
        "\(releases)/\(version)/package.zip"
    }

    /// The delta to a release from an older one.
    package static func delta(_ version: Version, from base: Version) -> String {
        "\(releases)/\(version)/delta-\(base).zip"
    }

    /// The object of an asset: one for each distinct content and file name.
    package static func object(_ asset: Asset) -> [UInt8] {
        var path: [UInt8] = []
        path.reserveCapacity(objects.utf8.count + 66 + asset.path.bytes.count)
        append(folderOf: asset, to: &path)
        path += asset.path.lastComponent
        return path
    }

    /// Appends the folder of ``object(_:)`` and the slash after it.
    static func append(folderOf asset: Asset, to path: inout [UInt8]) {
        path += objects.utf8
        path.append(UInt8(ascii: "/"))
        asset.sha256.append(to: &path)
        path.append(UInt8(ascii: "/"))
    }

    /// The path of ``object(_:)`` as text.
    package static func objectPath(_ asset: Asset) -> String {
        String(decoding: object(asset), as: UTF8.self)
    }

    /// The live copy of an asset, served by the https fallback.
    package static func site(_ path: AssetPath) -> String { "\(site)/\(path)" }
}
