import PackProfile
import PackWeb

extension Profile {
    /// The properties of the page visible to scripts.
    var surroundings: JavaScriptSurroundings {
        JavaScriptSurroundings(
            scheme: pageOrigin == .dual
                ? nil : pageOrigin == .https ? Array("https".utf8) : canonicalScheme,
            // The host is unknown if there are several, or if the configuration does not name one.
            host: hosts.count == 1 ? Array(pageHost.lowercased().utf8) : nil,
            // Since iOS 15, WebKit treats pages of a scheme handler as secure contexts.
            isSecure: minimumIOS < .init(15) && pageOrigin != .https ? nil : true,
            framework: isCapacitor ? .capacitor : name == "cordova" ? .cordova : nil)
    }
}
