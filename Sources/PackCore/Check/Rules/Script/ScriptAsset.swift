import PackGround
import PackProfile
import PackWeb

/// What a script's literals say about files: which of them can be assets, and where they may be.
enum ScriptAsset {
    private static let media: Set<String> = [
        "avif", "bmp", "flac", "gif", "jpeg", "jpg", "m4a", "m4v", "mov", "mp3", "mp4", "oga",
        "ogg", "ogv", "opus", "otf", "png", "svg", "ttf", "wav", "webm", "webp", "woff", "woff2",
    ]
    private static let code: Set<String> = ["css", "glb", "js", "mjs", "wasm"]

    /// Whether a literal in no known place is an asset that the package should have.
    ///
    /// Images, fonts and media are; scripts and styles only below a directory that the package has,
    /// or with a content hash, because routes, module names and examples look alike.
    ///
    /// - Parameter neighbours: What is known of the document's literals, for further ones.
    static func isExpected(
        _ reference: Reference, _ neighbours: inout Neighbours?, in document: DocumentContext
    ) -> Bool {
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
            // The name alone says which file it is, whatever directory the script adds.
            return document.site.listing.indices(named: name).isEmpty
        }
        // The entry of a remote of module federation; and what Next.js loads for a page.
        if name.elementsEqual("remoteEntry.js".utf8) { return true }
        if path.starts(with: "static/".utf8),
            document.path.fileName.elementsEqual("_buildManifest.js".utf8)
        {
            return !isElsewhere(reference.value, in: document.site)
        }
        guard path.first == UInt8(ascii: "/"), !reference.isProtocolRelative else {
            let known = neighbours ?? Neighbours(in: document)
            neighbours = known
            return isAmongOthers(reference, isMedia: isMedia, known, in: document)
        }
        if isMedia { return true }
        let directory = path.dropFirst().prefix { $0 != UInt8(ascii: "/") }
        return directory.endIndex < path.endIndex
            && document.site.listing.hasFiles(below: directory + [UInt8(ascii: "/")])
    }

    /// The path of an example, and the sides of a cube that drei's `useEnvironment` takes where it is given
    /// no files.
    private static func isExample(_ path: ArraySlice<UInt8>) -> Bool {
        if path.starts(with: "/path/to/".utf8) { return true }
        let sides = ["/px.png", "/nx.png", "/py.png", "/ny.png", "/pz.png", "/nz.png"]
        return sides.contains { path.elementsEqual($0.utf8) }
    }

    /// `notosans/v36/o-0mIpQ.woff2`: a path below `https://fonts.gstatic.com/s/`, of which Flutter's scripts have
    /// hundreds.
    private static func isOfGoogleFonts(_ path: ArraySlice<UInt8>) -> Bool {
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].first == UInt8(ascii: "v"), parts[1].count > 1 else {
            return false
        }
        return parts[1].dropFirst().allSatisfy { (0x30...0x39).contains($0) }
            && parts[0].allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    }

    /// The directories from which a script names packaged files, each with the files' ending.
    struct Neighbours {
        private var counts: [[UInt8]: Int] = [:]

        init(in document: DocumentContext) {
            for reference in document.scriptReferences(.literal)
            where reference.resolution.file != nil {
                guard let key = Self.key(reference.value) else { continue }
                counts[key, default: 0] += 1
            }
        }

        /// The directory and the ending of a path.
        private static func key(_ value: [UInt8]) -> [UInt8]? {
            let path = value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            guard let slash = path.lastIndex(of: UInt8(ascii: "/")),
                let dot = path.lastIndex(of: UInt8(ascii: ".")), dot > slash
            else { return nil }
            return Array(path[...slash]) + path[dot...]
        }

        /// How many files beside a path, and of its kind, the script names.
        func count(beside value: [UInt8]) -> Int { Self.key(value).flatMap { counts[$0] } ?? 0 }
    }

    /// Whether a relative path names a file beside others of its kind, which the same script names:
    /// `["img/1.png", "img/2.png"]`.
    ///
    /// One literal alone may be a part of an address, or an example.
    private static func isAmongOthers(
        _ reference: Reference, isMedia: Bool, _ neighbours: Neighbours,
        in document: DocumentContext
    ) -> Bool {
        guard reference.writtenScheme == nil else { return false }
        let count = neighbours.count(beside: reference.value)
        // Names of modules look like paths to scripts.
        return count > 0 && (isMedia || isListed(reference, document))
            && !isElsewhere(reference.value, in: document.site)
    }

    /// Whether the literal is an element of a list whose elements are all paths.
    private static func isListed(_ reference: Reference, _ document: DocumentContext) -> Bool {
        let bytes = document.bytes
        func next(_ start: Int, _ step: Int) -> UInt8? {
            var index = start
            while bytes.indices.contains(index), bytes[index] <= 0x20 { index += step }
            return bytes.indices.contains(index) ? bytes[index] : nil
        }
        let before = next(reference.range.lowerBound - 2, -1)
        let after = next(reference.range.upperBound + 1, 1)
        return (before == UInt8(ascii: "[") || before == UInt8(ascii: ","))
            && (after == UInt8(ascii: "]") || after == UInt8(ascii: ","))
    }

    /// Whether a part of an address is the path of an image, font or media file that the package has
    /// nowhere, whatever precedes it.
    ///
    /// Only a content hash tells the file of the build from others, unless a public path precedes.
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

    /// Whether the package has the path of a relative URL below some directory: a page there, or a
    /// public path that is set at run time, may add it.
    static func isElsewhere(_ value: [UInt8], in site: SiteIndex) -> Bool {
        !NamedFiles.files(endingIn: value, in: site).isEmpty
    }
}
