import PackGround
import PackProfile
import PackWeb

extension Profile {
    /// The properties of the page visible to scripts.
    var surroundings: JavaScriptSurroundings {
        JavaScriptSurroundings(
            scheme: pageOrigin == .dual
                ? nil
                : pageOrigin == .https && !isIntercepted ? Array("https".utf8) : canonicalScheme,
            // The host is unknown if there are several, or if the configuration does not name one.
            host: hosts.count == 1 ? Array(pageHost.lowercased().utf8) : nil,
            isSecure: isPlainHTTP ? false : mayBeInsecure ? nil : true,
            framework: isCapacitor ? .capacitor : framework == .cordova ? .cordova : nil,
            engine: platform == .ios ? .webKit : .chromium)
    }

    /// Whether pages are not secure contexts on some systems.
    ///
    /// Since iOS 15, WebKit treats pages of a scheme handler as secure contexts.
    var mayBeInsecure: Bool { isPlainHTTP || hasCustomPages && minimumIOS < .init(15) }

    /// Whether pages have an http address that is not the device's own.
    private var isPlainHTTP: Bool {
        isIntercepted && canonicalScheme.elementsEqual("http".utf8) && pageHost != "localhost"
    }
}
