import PackProfile
import PackWeb

extension Profile {
    /// What scripts find out about the page that runs them.
    var surroundings: JavaScriptSurroundings {
        JavaScriptSurroundings(
            scheme: pageOrigin == .dual
                ? nil : pageOrigin == .https ? Array("https".utf8) : canonicalScheme,
            // Several hosts, and one that the configuration does not name, are not known.
            host: hosts.count == 1 ? Array(pageHost.lowercased().utf8) : nil,
            // WebKit trusts the pages of a scheme handler since iOS 15.
            isSecure: minimumIOS < .init(15) && pageOrigin != .https ? nil : true,
            framework: isCapacitor ? .capacitor : name == "cordova" ? .cordova : nil)
    }
}
