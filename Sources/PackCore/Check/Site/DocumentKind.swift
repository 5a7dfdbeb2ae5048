package import PackGround

/// The languages in which files of a build refer to other files.
package enum DocumentKind: String, CaseIterable, Sendable {
    case html, css, script, svg
    /// A web app manifest.
    case manifest
    case json
    case sourceMap = "source-map"
    /// Text that names files: a playlist, a texture atlas, a material.
    case text

    /// Chosen by file extension; `nil` for a file without references.
    package init?(_ path: AssetPath) {
        switch path.fileEnding {
        case "html", "htm", "xhtml": self = .html
        case "css": self = .css
        case "js", "mjs", "cjs": self = .script
        case "svg": self = .svg
        case "webmanifest": self = .manifest
        case "json":
            let name = path.fileName
            self =
                name.elementsEqual("manifest.json".utf8) || name.elementsEqual("site.json".utf8)
                ? .manifest : .json
        case "gltf", "tmj", "tsj", "lottie", "babylon": self = .json
        case "m3u8", "m3u", "mpd", "atlas", "fnt", "mtl", "tmx", "tsx", "plist": self = .text
        case "map": self = .sourceMap
        default: return nil
        }
    }
}

extension AssetPath {
    /// The extension in lower case, without the dot; empty if there is none.
    package var fileEnding: String {
        let name = fileName
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return "" }
        return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
    }
}
