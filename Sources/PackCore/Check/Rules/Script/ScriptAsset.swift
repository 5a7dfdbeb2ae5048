import PackGround
import PackProfile
import PackWeb

/// Recognizes assets among a script's literals, and finds their files.
enum ScriptAsset {
    private static let media: Set<String> = [
        "avif", "bmp", "flac", "gif", "jpeg", "jpg", "m4a", "m4v", "mov", "mp3", "mp4", "oga",
        "ogg", "ogv", "opus", "otf", "png", "svg", "ttf", "wav", "webm", "webp", "woff", "woff2",
    ]
    private static let code: Set<String> = ["css", "glb", "js", "mjs", "wasm"]

    /// Whether a literal of unknown use is an asset that should be packaged.
    ///
    /// True for images, fonts and media; for scripts and styles only below a packaged directory or
    /// with a content hash, because routes, module names and examples look alike.
    static func isExpected(_ reference: Reference, in document: DocumentContext) -> Bool {
        let path = reference.value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
            return false
        }
        let ending = String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
        let isMedia = media.contains(ending)
        guard isMedia || code.contains(ending), !isOfGoogleFonts(path),
            !isExample(path)
        else { return false }
        if NamedFiles.isHashed(name[..<dot]) {
            // The name identifies the file, regardless of the directory added by the script.
            return document.site.listing.indices(named: name).isEmpty
        }
        // The entry of a module federation remote, and files loaded by Next.js for a page.
        if name.elementsEqual("remoteEntry.js".utf8) { return true }
        if path.starts(with: "static/".utf8),
            document.path.fileName.elementsEqual("_buildManifest.js".utf8)
        {
            return !isElsewhere(reference.value, in: document.site)
        }
        guard path.first == UInt8(ascii: "/"), !reference.isProtocolRelative else { return false }
        if isMedia { return true }
        let directory = path.dropFirst().prefix { $0 != UInt8(ascii: "/") }
        return directory.endIndex < path.endIndex
            && document.site.listing.hasFiles(below: directory + [UInt8(ascii: "/")])
    }

    /// Whether a path is an example, or belongs to another host.
    static func isKnownElsewhere(_ value: [UInt8]) -> Bool {
        isExample(value[...]) || isOfGoogleFonts(value[...])
            || value.firstRange(of: Array("node_modules/".utf8)) != nil
    }

    /// An example path, or a cube map side used by default by drei's `useEnvironment`.
    private static func isExample(_ path: ArraySlice<UInt8>) -> Bool {
        if path.starts(with: "/path/to/".utf8) { return true }
        let sides = ["/px.png", "/nx.png", "/py.png", "/ny.png", "/pz.png", "/nz.png"]
        return sides.contains { path.elementsEqual($0.utf8) }
    }

    /// Whether a path belongs below `https://fonts.gstatic.com/s/`, as `notosans/v36/o-0mIpQ.woff2`
    /// does.
    ///
    /// Flutter's scripts contain hundreds of these paths.
    private static func isOfGoogleFonts(_ path: ArraySlice<UInt8>) -> Bool {
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].first == UInt8(ascii: "v"), parts[1].count > 1 else {
            return false
        }
        return parts[1].dropFirst().allSatisfy { (0x30...0x39).contains($0) }
            && parts[0].allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    }

    /// Whether a part of a URL is the path of an image, font or media file not in the package under
    /// any prefix.
    ///
    /// Without a public path before it, only a content hash identifies a file of the build.
    static func isPath(_ part: JavaScriptReference, missingIn site: SiteIndex) -> Bool {
        let value = part.value
        let path = value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")),
            let dot = path[(slash + 1)...].lastIndex(of: UInt8(ascii: ".")),
            media.contains(String(decoding: path[(dot + 1)...], as: UTF8.self).lowercased()),
            part.detail == JavaScriptReference.afterPublicPath
                || NamedFiles.isHashed(path[(slash + 1)..<dot])
        else { return false }
        return !isElsewhere(value, in: site)
    }

    /// Whether the package has the path of a relative URL below some directory, which a page or a
    /// run-time public path may add.
    static func isElsewhere(_ value: [UInt8], in site: SiteIndex) -> Bool {
        !NamedFiles.files(endingIn: value, in: site).isEmpty
    }
}
