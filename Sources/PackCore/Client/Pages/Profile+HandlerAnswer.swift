package import PackGround
package import PackProfile
import PackRelease
package import PackURL

extension Profile {
    /// The media type sent by the app's handler: from its own table or the system's, without an
    /// encoding.
    package func mediaType(of path: AssetPath) -> String {
        let ending = String(decoding: MediaType.ending(of: path), as: UTF8.self)
        if let own = client.mediaTypes[ending] { return own }
        return DeviceMediaType.isKnown(ending, to: self)
            ? MediaType.of(path) : "application/octet-stream"
    }

    /// Whether Capacitor answers a URL with an empty script, for pages with Cordova's plugins.
    package func answersWithEmptyScript(_ url: URLRecord) -> Bool {
        isCapacitor && String(decoding: url.path, as: UTF8.self).contains("cordova.js")
    }
}
