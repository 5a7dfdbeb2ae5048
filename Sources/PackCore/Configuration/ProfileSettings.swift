/// The `profile` of `packtool.yaml`: the name of a built-in, or a client spelled out.
package struct ProfileSettings: Equatable, Sendable {
    /// The built-in that it is, or starts from; the strict one where none is named.
    package var base: String?
    package var minimumIOS: Profile.IOSVersion?
    package var lookUp: ClientModel.LookUp?
    package var query: ClientModel.Query?
    package var fragment: ClientModel.Fragment?
    package var percentDecoding: Bool?
    package var schemeComparison: ClientModel.SchemeComparison?
    package var indexFile: ClientModel.IndexFile?
    package var range: Bool?
    package var cors: Bool?
    package var mediaTypes: [String: String]?
    package var fallback: ClientModel.Fallback?
    package var skipExisting: Bool?
    package var root: String?
    package var appSchemes: [String]?

    package init(base: String? = nil) { self.base = base }

    /// The keys of a profile that is spelled out.
    package enum Key: String, CaseIterable, Sendable {
        case appSchemes = "app-schemes"
        case base
        case cors
        case fallback
        case fragment
        case indexFile = "index-file"
        case lookUp = "look-up"
        case mediaTypes = "media-types"
        case minimumIOS = "minimum-ios"
        case percentDecoding = "percent-decoding"
        case query
        case range
        case root
        case schemeComparison = "scheme-comparison"
        case skipExisting = "skip-existing"

        /// The words a key is limited to, where there are such.
        package var choices: [String]? {
            switch self {
            case .base: Profile.builtIn.map(\.name)
            case .fallback: ClientModel.Fallback.allCases.map(\.rawValue)
            case .fragment: ClientModel.Fragment.allCases.map(\.rawValue)
            case .indexFile: ClientModel.IndexFile.allCases.map(\.rawValue)
            case .lookUp: ClientModel.LookUp.allCases.map(\.rawValue)
            case .query: ClientModel.Query.allCases.map(\.rawValue)
            case .schemeComparison: ClientModel.SchemeComparison.allCases.map(\.rawValue)
            case .appSchemes, .cors, .mediaTypes, .minimumIOS, .percentDecoding, .range, .root,
                .skipExisting:
                nil
            }
        }
    }

    /// The profile that these settings describe.
    ///
    /// - Returns: `nil` where ``base`` names no built-in.
    package func profile() -> Profile? {
        guard var profile = Profile.builtIn(named: base ?? Profile.pathStrict.name) else {
            return nil
        }
        if self != ProfileSettings(base: base) { profile.name = "custom" }
        profile.minimumIOS = minimumIOS ?? profile.minimumIOS
        profile.root = root ?? profile.root
        if let appSchemes { profile.appSchemes = Set(appSchemes.map { $0.lowercased() }) }
        var client = profile.client
        client.lookUp = lookUp ?? client.lookUp
        client.query = query ?? client.query
        client.fragment = fragment ?? client.fragment
        client.decodesPercent = percentDecoding ?? client.decodesPercent
        client.schemeComparison = schemeComparison ?? client.schemeComparison
        client.indexFile = indexFile ?? client.indexFile
        client.answersRanges = range ?? client.answersRanges
        client.sendsCORS = cors ?? client.sendsCORS
        client.mediaTypes = mediaTypes ?? client.mediaTypes
        client.fallback = fallback ?? client.fallback
        client.skipsExisting = skipExisting ?? client.skipsExisting
        profile.client = client
        return profile
    }
}
