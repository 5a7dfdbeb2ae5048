import PackArchive
import PackProfile
import PackS3

/// All settings: the keys of `packtool.yaml`, and the equivalent flags.
///
/// The file's reader, the help of flags, the file written by `init`, and the tests of
/// `docs/packtool.schema.json` all use this list.
package enum SettingKey: String, CaseIterable, Sendable {
    case app
    case baseURL = "base-url"
    case build
    case channel
    case check
    case checkAPI = "check.api"
    case checkBaseline = "check.baseline"
    case checkBudgets = "check.budgets"
    case budgetFile = "check.budgets.file"
    case budgetFiles = "check.budgets.files"
    case budgetPackage = "check.budgets.package"
    case budgetUpdate = "check.budgets.update"
    case checkExternal = "check.external"
    case checkIgnore = "check.ignore"
    case checkMaxWarnings = "check.max-warnings"
    case checkUserAgent = "check.user-agent"
    case deltas
    case deltasCount = "deltas.count"
    case deltasFrom = "deltas.from"
    case exclude
    case feeds
    case host
    case launch
    case level
    case pageOrigin = "page-origin"
    case profile
    case profiles
    case profileAppSchemes = "profile.app-schemes"
    case profileBase = "profile.base"
    case profileCORS = "profile.cors"
    case profileFallback = "profile.fallback"
    case profileFragment = "profile.fragment"
    case profileIndexFile = "profile.index-file"
    case profileLookUp = "profile.look-up"
    case profileMediaTypes = "profile.media-types"
    case profileMinimumIOS = "profile.minimum-ios"
    case profileMinimumWebView = "profile.minimum-webview"
    case profilePercentDecoding = "profile.percent-decoding"
    case profileQuery = "profile.query"
    case profileRange = "profile.range"
    case profileRoot = "profile.root"
    case profileSchemeComparison = "profile.scheme-comparison"
    case profileServiceWorkers = "profile.service-workers"
    case profileSkipExisting = "profile.skip-existing"
    case s3
    case s3ACL = "s3.acl"
    case s3Addressing = "s3.addressing"
    case s3Endpoint = "s3.endpoint"
    case s3Profile = "s3.profile"
    case s3Region = "s3.region"
    case s3SSE = "s3.sse"
    case scheme
    case to

    /// The key without its parents.
    package var name: String { String(rawValue[nameStart...]) }

    /// The parent of this key; `nil` at the top level.
    package var parent: SettingKey? {
        guard nameStart > rawValue.startIndex else { return nil }
        return SettingKey(rawValue: String(rawValue[..<rawValue.index(before: nameStart)]))
    }

    private var nameStart: String.Index {
        rawValue.lastIndex(of: ".").map { rawValue.index(after: $0) } ?? rawValue.startIndex
    }

    /// The settings of an entry of `profiles`: those of a profile, and of its addresses.
    package static let ofProfiles: [SettingKey] =
        keys(under: .profile) + [.scheme, .host, .pageOrigin, .launch]

    /// The children of a key, or the top-level keys.
    package static func keys(under parent: SettingKey?) -> [SettingKey] {
        allCases.filter { $0.parent == parent }
    }

    /// The equivalent flag without dashes; `nil` if only the file can set it.
    ///
    /// It is the key's name, except for `delta-from` and `feed`, and for `deltas`, whose flag is the
    /// count.
    package var flag: String? {
        switch self {
        case .app, .baseURL, .build, .channel, .checkBaseline, .checkIgnore, .checkMaxWarnings,
            .exclude, .host, .launch, .level, .pageOrigin, .profile, .s3Endpoint, .s3Region,
            .scheme,
            .to:
            name
        case .deltasCount: "deltas"
        case .deltasFrom: "delta-from"
        case .feeds: "feed"
        default: nil
        }
    }

    /// The maximum number of releases from which a publish makes deltas, by count or by name.
    static let mostDeltas = 20

    /// The type of the value.
    package var form: SettingForm {
        switch self {
        case .app, .baseURL, .build, .channel, .checkBaseline, .checkUserAgent, .launch,
            .profileMinimumIOS, .profileRoot, .s3Endpoint, .s3Profile, .s3Region, .scheme, .to:
            .text
        case .checkAPI, .checkExternal, .checkIgnore, .deltasFrom, .exclude, .feeds, .host,
            .profileAppSchemes:
            .texts
        case .check, .checkBudgets, .deltas, .s3: .block
        case .budgetFile, .budgetPackage, .budgetUpdate: .size
        case .budgetFiles, .checkMaxWarnings: .number(0...1_000_000)
        case .deltasCount: .number(0...Self.mostDeltas)
        case .level: .choice(CompressionLevel.allCases.map(\.rawValue))
        case .pageOrigin: .choice(Profile.PageOrigin.allCases.map(\.rawValue))
        case .profile: .choiceOrBlock(Profile.builtIn.map(\.name))
        case .profiles: .profiles(Profile.builtIn.map(\.name))
        case .profileBase: .choice(Profile.builtIn.map(\.name))
        case .profileCORS, .profilePercentDecoding, .profileRange,
            .profileServiceWorkers, .profileSkipExisting:
            .truth
        case .profileMinimumWebView: .number(30...999)
        case .profileFallback: .choice(ClientModel.Fallback.allCases.map(\.rawValue))
        case .profileFragment: .choice(ClientModel.Fragment.allCases.map(\.rawValue))
        case .profileIndexFile: .choice(ClientModel.IndexFile.allCases.map(\.rawValue))
        case .profileLookUp: .choice(ClientModel.LookUp.allCases.map(\.rawValue))
        case .profileMediaTypes: .table
        case .profileQuery: .choice(ClientModel.Query.allCases.map(\.rawValue))
        case .profileSchemeComparison:
            .choice(ClientModel.SchemeComparison.allCases.map(\.rawValue))
        case .s3ACL: .choice(S3Store.Writing.accessLists)
        case .s3Addressing: .choice(S3Endpoint.Addressing.allCases.map(\.rawValue))
        case .s3SSE: .choice(S3Store.Writing.encryptions)
        }
    }
}

/// The type of a setting's value.
package enum SettingForm: Equatable, Sendable {
    case text
    /// One text, or a list of them.
    case texts
    case choice([String])
    case number(ClosedRange<Int>)
    case truth
    /// A number of bytes such as `5 MB`.
    case size
    /// Pairs of texts with arbitrary keys.
    case table
    /// Other settings.
    case block
    /// A word that replaces a block, or the block itself.
    case choiceOrBlock([String])
    /// A list of such words and blocks with the keys of ``SettingKey/ofProfiles``.
    case profiles([String])

    /// The allowed words, if the value is limited to some.
    package var choices: [String]? {
        switch self {
        case .choice(let words), .choiceOrBlock(let words), .profiles(let words): words
        default: nil
        }
    }
}
