package import PackArchive
package import PackCheck
import PackGround
package import PackProfile
import PackPublish
package import PackRelease
package import PackS3

/// The values used if neither a flag nor `packtool.yaml` sets them.
///
/// All defaults are defined here. `docs/defaults.md` lists them, and a test compares the two. The
/// values of a profile (scheme, hosts, launch page) are defined with the profile.
package enum Defaults {
    package static let configurationFile = "packtool.yaml"
    package static let channel = Channel.production
    package static let deltas = 3
    /// The maximum number of findings, files or changes shown in a list.
    package static let shownItems = 20
    /// The number of earlier pointers read by `verify https://…`: not more releases than a prune
    /// keeps.
    package static let verifiedPointers = prunedKeep - 1
    /// The time in seconds for which `publish --verify-cdn` accepts the previous pointer from
    /// caches.
    package static let cdnWait = 120
    /// The releases kept by `prune`: the last ones of a channel, and those replaced within the last
    /// days.
    package static let prunedKeep = 5
    package static let prunedGraceDays = 30
    package static let signedPointerDays = PointerSigning.lifetimeDays
    package static let rootDays = 730
    /// The delay in hours before `prune` deletes an unused file.
    package static let prunedDelayHours = 24
    /// The time in seconds for which `keys publish` waits until a bucket's base URL serves the
    /// root: CDNs cache a "not found" for seconds to minutes.
    package static let rootWait = 300
    /// The address of `serve`.
    package static let listen = "127.0.0.1:8080"
    /// The largest number of pages that 'check --engine' opens.
    package static let enginePages = 50
    /// The time for opening pages in seconds.
    package static let engineSeconds = 300
    package static let level = CompressionLevel.default
    package static let addressing = S3Endpoint.Addressing.auto
    package static let region = "us-east-1"
    package static let profile = Profile.pathStrict
    /// The base of a custom profile.
    package static let profileBase = Profile.pathStrict
    package static var launch: String { profile.launch }
    package static var pageOrigin: Profile.PageOrigin { profile.pageOrigin }
    /// Workbox also reports files above 2 MiB (`maximumFileSizeToCacheInBytes`).
    package static let budgets = CheckOptions.Budgets(
        package: 50_000_000, update: nil, file: 2_000_000, files: nil)

    /// The default of a setting as shown in its help, if any.
    package static func text(of key: SettingKey) -> String? {
        switch key {
        case .channel: channel.description
        case .deltasCount: "\(deltas)"
        case .launch: "\(launch), if there is one"
        case .level: level.rawValue
        case .s3Addressing: addressing.rawValue
        case .s3Region: "AWS_REGION, that of the profile, or \(region)"
        case .s3Endpoint: "AWS_ENDPOINT_URL_S3, that of the profile, or AWS"
        case .s3Profile: "AWS_PROFILE, or default"
        case .pageOrigin: pageOrigin.rawValue
        case .profile: profile.name
        case .profileBase: profileBase.name
        case .host: "those of the profile, if any"
        case .scheme: "that of the profile, \(profile.scheme) for \(profile.name)"
        case .budgetFile: budgets.file.map(megabytes)
        case .budgetPackage: budgets.package.map(megabytes)
        default: nil
        }
    }

    /// The rows of the table in `docs/defaults.md`: description, flag, key, default.
    package static var table: [(what: String, flag: String, key: String, value: String)] {
        var rows = SettingKey.allCases.compactMap { key in
            text(of: key).map {
                (
                    what: key.about, flag: key.flag.map { "`--\($0)`" } ?? "",
                    key: "`\(key.rawValue)`",
                    value: $0
                )
            }
        }
        rows.append(
            (
                what: "The configuration file.", flag: "`--config`", key: "",
                value: "\(configurationFile), if there is one"
            ))
        rows.append(
            (
                what: "How many days clients may update by a pointer that `publish` makes.",
                flag: "`--expires-in-days`", key: "",
                value: "no limit; \(signedPointerDays) days if it is signed"
            ))
        rows.append(
            (
                what: "How many findings or changes text and Markdown show.", flag: "`--limit`",
                key: "", value: "\(shownItems)"
            ))
        rows.append(
            (
                what: "How many earlier pointers `verify https://…` reads.", flag: "`--depth`",
                key: "", value: "\(verifiedPointers)"
            ))
        rows.append(
            (
                what: "How many seconds `publish --verify-cdn` waits for caches.",
                flag: "`--cdn-wait`", key: "", value: "\(cdnWait)"
            ))
        rows.append(
            (
                what: "The last releases of each channel that `prune` keeps.", flag: "`--keep`",
                key: "", value: "\(prunedKeep)"
            ))
        rows.append(
            (
                what: "How many days `prune` keeps a replaced release.", flag: "`--grace-days`",
                key: "", value: "\(prunedGraceDays)"
            ))
        rows.append(
            (
                what: "How many hours `prune` waits before it deletes.", flag: "`--delay-hours`",
                key: "", value: "\(prunedDelayHours)"
            ))
        rows.append(
            (
                what: "How many seconds `keys publish` waits for a bucket's base URL.",
                flag: "`--wait`", key: "", value: "\(rootWait)"
            ))
        rows.append(
            (
                what: "How many pages `--engine` opens.", flag: "`--pages`", key: "",
                value: "\(enginePages)"
            ))
        rows.append(
            (
                what: "How many seconds `--engine` takes for all pages.",
                flag: "`--engine-time`", key: "", value: "\(engineSeconds)"
            ))
        for profile in Profile.builtIn {
            let isAndroid = profile.platform == .android
            let hosts =
                profile.hosts.isEmpty
                ? isAndroid ? "none" : "any host" : profile.hosts.joined(separator: ", ")
            let minimum = isAndroid ? "\(profile.minimumWebView)" : "\(profile.minimumIOS)"
            rows.append(
                (
                    what: "Scheme, hosts and minimum \(isAndroid ? "WebView" : "iOS") of profile "
                        + "`\(profile.name)`.", flag: "",
                    key: "", value: "\(profile.scheme), \(hosts), \(minimum)"
                ))
        }
        rows.append(
            (
                what: "Where `serve` listens.", flag: "`--listen`", key: "", value: listen
            ))
        rows.append(
            (
                what: "How many files are worked on at a time.",
                flag: "`PACKTOOL_JOBS` (environment)",
                key: "", value: "the number of processors"
            ))
        return rows
    }

    private static func megabytes(_ bytes: UInt64) -> String { "\(bytes / 1_000_000) MB" }
}
