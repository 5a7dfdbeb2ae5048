import PackArchive
import PackCheck
import PackFeeds
import PackGround
import PackProfile
import PackRelease
import PackS3

extension SettingKey {
    /// The meaning of the setting in one sentence.
    package var about: String {
        switch self {
        case .app: "The app's name; an app installs only releases of its own name."
        case .baseURL: "The public URL of the origin."
        case .build: "The build output."
        case .channel: "The channel, which is a line of releases such as beta."
        case .check: "Options of 'check' and of the check of 'publish'."
        case .checkAPI: "Paths that the app's handler forwards: requests, not files."
        case .checkBaseline: "The file of accepted findings; only other findings count."
        case .checkBudgets: "Sizes above which a warning is reported."
        case .budgetFile: "The largest file; pictures are reported from a quarter of it."
        case .budgetFiles: "The maximum number of files."
        case .budgetPackage: "The sum of all files, before compression."
        case .budgetUpdate: "The maximum download size of an update."
        case .checkExternal: "Hosts or addresses that pages may need from the network."
        case .checkIgnore: "Do not run this rule."
        case .checkMaxWarnings: "Fail if there are more warnings than this."
        case .checkUserAgent: "The word that the app adds to its user agent."
        case .deltas: "The earlier releases with a delta to the new one."
        case .deltasCount: "Make deltas from this many earlier releases of the channel."
        case .deltasFrom: "Make a delta from exactly this release."
        case .exclude: "Files left out of the package, as .gitignore patterns."
        case .feeds: "Write the file of another live-update client: capawesome, capgo, cordova-hcp."
        case .host: "A host of the pages' addresses, the pages' own first."
        case .launch: "The page that the app opens first."
        case .level: "The compression level of packages."
        case .pageOrigin: "How the app loads its pages."
        case .profile: "The capabilities of the app's handler and client."
        case .profiles: "Several apps to check a build for, such as one for each platform."
        case .profileAppSchemes: "Schemes by which pages open other apps, such as weixin."
        case .profileBase: "The built-in profile that this one starts from."
        case .profileCORS: "Whether the handler sends Access-Control-Allow-Origin."
        case .profileFallback: "The handler's fallback for missing files."
        case .profileFragment: "Whether the handler removes #... from the URL of a file."
        case .profileIndexFile: "The file opened by a path without a file name."
        case .profileLookUp: "Whether files are found by the last component of the URL or its path."
        case .profileMediaTypes:
            "Media types that the handler knows in addition to the system's, by file-name extension."
        case .profileMinimumIOS: "The oldest iOS that opens the pages."
        case .profileMinimumWebView:
            "The oldest Android WebView that opens the pages, as a major version of Chrome."
        case .profilePercentDecoding: "Whether %20 finds a file with a space in its name."
        case .profileQuery: "How the handler treats ?... in the URL of a file."
        case .profileRange: "Whether the handler answers Range requests with 206."
        case .profileRoot: "The path under which the package's root is served."
        case .profileSchemeComparison:
            "Whether the client compares schemes byte by byte or in lower case."
        case .profileServiceWorkers:
            "Whether the handler also answers the requests of service workers."
        case .profileSkipExisting:
            "Whether an update skips files whose name the client already has."
        case .s3: "The access to the bucket of an s3:// origin; credentials are never stored here."
        case .s3ACL:
            "The access list of uploaded files, if the bucket supports access lists."
        case .s3Addressing: "Whether the bucket is named in the path or the host of a URL."
        case .s3Endpoint: "The address of an S3-compatible store."
        case .s3Profile: "The profile of ~/.aws that has the credentials."
        case .s3Region: "The bucket's region."
        case .s3SSE: "The encryption of uploaded files, if the store's default does not fit."
        case .scheme: "The custom scheme that an iOS app registers, or https or http on Android."
        case .to:
            "The origin: the directory that the CDN serves, a file:// URL of it, or s3://bucket/prefix."
        }
    }

    /// A value as written in the file.
    package var example: String {
        switch self {
        case .app: "shop"
        case .baseURL: "https://cdn.example.com/shop"
        case .build: "dist"
        case .channel: Defaults.channel.description
        case .check: "{max-warnings: 20}"
        case .checkAPI: "[/api/]"
        case .checkBaseline: "packtool-baseline.json"
        case .checkBudgets: "{file: 1 MB}"
        case .budgetFile: "1 MB"
        case .budgetFiles: "5000"
        case .budgetPackage: "5 MB"
        case .budgetUpdate: "200 kB"
        case .checkExternal: "[fonts.googleapis.com]"
        case .checkIgnore: "[js-window-open]"
        case .checkMaxWarnings: "20"
        case .checkUserAgent: "ShopApp"
        case .deltas: "{count: \(Defaults.deltas)}"
        case .deltasCount: "\(Defaults.deltas)"
        case .deltasFrom: "[9b7c0f3a52d14e88a6b1]"
        case .exclude: "[\"**/*.map\"]"
        case .feeds: "[capgo]"
        case .host: "[shop.example.com]"
        case .launch: Defaults.launch
        case .level: Defaults.level.rawValue
        case .pageOrigin: Defaults.pageOrigin.rawValue
        case .profile: Defaults.profile.name
        case .profiles: "[capacitor, capacitor-android]"
        case .profileAppSchemes: "[weixin]"
        case .profileBase: Profile.pathStrict.name
        case .profileCORS, .profilePercentDecoding, .profileRange,
            .profileServiceWorkers:
            "true"
        case .profileFallback: "https"
        case .profileFragment, .profileQuery: "strip"
        case .profileIndexFile: "start-page"
        case .profileLookUp: "path"
        case .profileMediaTypes: "{wasm: application/wasm}"
        case .profileMinimumIOS: "13"
        case .profileMinimumWebView: "80"
        case .profileRoot: "/shop/"
        case .profileSchemeComparison: "lower"
        case .profileSkipExisting: "false"
        case .s3: "{region: eu-central-1}"
        case .s3ACL: "bucket-owner-full-control"
        case .s3Addressing: S3Endpoint.Addressing.auto.rawValue
        case .s3Endpoint: "https://s3.example.com"
        case .s3Profile: "ci"
        case .s3Region: "eu-central-1"
        case .s3SSE: "aws:kms"
        case .scheme: Profile.basenameCache.scheme
        case .to: "../cdn/shop"
        }
    }

    /// The kind of the flag's value in errors.
    package var wordKind: String {
        switch self {
        case .checkIgnore: "rule"
        case .exclude: "pattern"
        case .feeds: "feed"
        default: name
        }
    }

    /// The fault of a value or list element; `nil` if it is valid.
    ///
    /// Names, URLs and schemes are not checked here: a command that does not use them accepts any.
    package func fault(of word: String) -> WordFault? {
        switch self {
        case .host: HostName.fault(of: word)
        case .checkExternal: HostName.fault(ofAddress: word)
        case .checkAPI:
            word.hasPrefix("/")
                ? nil
                : WordFault(
                    problem: "does not start with a slash",
                    example: "/" + (word.hasPrefix("./") ? String(word.dropFirst(2)) : word))
        case .checkIgnore:
            RuleCatalog.rule(word) != nil
                ? nil
                : WordFault(
                    problem: "is not known; 'packtool rules' lists all rules",
                    example: nearestWord(
                        to: word, in: RuleCatalog.all.map { (rule: Rule) in rule.id })
                        ?? "missing-file")
        case .exclude: exclusionFault(of: word)
        case .feeds:
            Feed(rawValue: word) != nil
                ? nil
                : WordFault(
                    problem: "is not known; the feeds are "
                        + Feed.allCases.map(\.rawValue).joined(separator: ", "),
                    example: nearestWord(to: word, in: Feed.allCases.map(\.rawValue))
                        ?? Feed.capgo.rawValue)
        case .checkUserAgent:
            word.isEmpty ? WordFault(problem: "is empty", example: "ShopApp") : nil
        case .profileMinimumIOS:
            Profile.IOSVersion(word) != nil
                ? nil : WordFault(problem: "is not a version of iOS", example: "13 or 11.3")
        case .profileRoot:
            word.hasPrefix("/") && word.hasSuffix("/")
                ? nil
                : WordFault(problem: "does not start and end with a slash", example: "/shop/")
        default: nil
        }
    }

    /// The fault of a name in the table; `nil` if it is valid.
    package func fault(ofName word: String) -> WordFault? {
        guard self == .profileMediaTypes, word.contains(".") || word.isEmpty else { return nil }
        return WordFault(
            problem: "is not an extension without its dot",
            example: word.split(separator: ".").last.map(String.init) ?? "wasm")
    }

    /// The fault of a value in the table; `nil` if it is valid.
    package func fault(ofNamed word: String) -> WordFault? {
        let parts = word.pathComponents(omittingEmpty: false)
        guard self == .profileMediaTypes, parts.count != 2 || parts.contains(where: \.isEmpty)
        else { return nil }
        return WordFault(problem: "is not a media type", example: "text/javascript")
    }

    private func exclusionFault(of pattern: String) -> WordFault? {
        do throws(PatternFault) {
            _ = try ExclusionPattern(pattern)
            return nil
        } catch {
            return WordFault(problem: error.problem, example: error.example)
        }
    }
}

/// The problem of a word, and a valid example.
package struct WordFault: Equatable, Sendable {
    package let problem: String
    package let example: String

    package init(problem: String, example: String) {
        self.problem = problem
        self.example = example
    }
}
