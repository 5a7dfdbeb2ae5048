import PackGround
package import PackProfile

extension Configuration {
    /// The profile described by these settings: a built-in by its name, or a custom one; `nil` if
    /// no profile is set.
    package var profile: Profile? {
        if let name = text(.profile) { return Profile.builtIn(named: name) }
        let given = SettingKey.keys(under: .profile).filter { self[$0] != nil }
        guard !given.isEmpty else { return nil }
        var profile = text(.profileBase).flatMap(Profile.builtIn(named:)) ?? Defaults.profileBase
        let minimumIOS = text(.profileMinimumIOS).flatMap { Profile.IOSVersion($0) }
        let minimumWebView = number(.profileMinimumWebView)
        profile.minimumIOS = minimumIOS ?? profile.minimumIOS
        profile.minimumWebView = minimumWebView ?? profile.minimumWebView
        profile.statesMinimum =
            profile.platform == .ios ? minimumIOS != nil : minimumWebView != nil
        profile.root = text(.profileRoot) ?? profile.root
        if let schemes = texts(.profileAppSchemes) {
            profile.appSchemes = Set(schemes.map { $0.lowercased() })
        }
        profile.client = client(basedOn: profile.client)
        return profile
    }

    /// The settings with a built-in profile's name.
    package static func ofProfile(_ name: String) -> Configuration {
        var settings = Configuration()
        settings.set(.profile, name)
        return settings
    }

    private func client(basedOn base: ClientModel) -> ClientModel {
        var client = base
        client.lookUp = choice(.profileLookUp) ?? client.lookUp
        client.query = choice(.profileQuery) ?? client.query
        client.fragment = choice(.profileFragment) ?? client.fragment
        client.decodesPercent = truth(.profilePercentDecoding) ?? client.decodesPercent
        client.schemeComparison = choice(.profileSchemeComparison) ?? client.schemeComparison
        client.indexFile = choice(.profileIndexFile) ?? client.indexFile
        client.answersRanges = truth(.profileRange) ?? client.answersRanges
        client.sendsCORS = truth(.profileCORS) ?? client.sendsCORS
        client.mediaTypes = table(.profileMediaTypes) ?? client.mediaTypes
        client.fallback = choice(.profileFallback) ?? client.fallback
        client.skipsExisting = truth(.profileSkipExisting) ?? client.skipsExisting
        client.answersServiceWorkers =
            truth(.profileServiceWorkers) ?? client.answersServiceWorkers
        return client
    }

    /// The value of a setting with a fixed list of choices.
    package func choice<Choice: RawRepresentable<String>>(_ key: SettingKey) -> Choice? {
        text(key).flatMap { Choice(rawValue: $0) }
    }
}
