import PackGround
import PackProfile
import PackWeb

/// A string of a script or of data with the form of a file's path.
struct PathString {
    /// Without query and fragment.
    let path: [UInt8]
    /// In the file.
    let range: Range<Int>
    /// The innermost bracket around it, and the bracket around that one.
    let bracket: Place?
    let outer: Place?
    /// The name of the member, the variable or the function around it.
    let word: [UInt8]?
    /// Whether it is an argument of a function.
    let isArgument: Bool
    /// Whether something is added to it at run time.
    let isPart: Bool
    /// Whether it is the name of a member.
    let isName: Bool
    /// Whether each path in such a file is loaded.
    let isList: Bool
    /// Whether the package has a file whose path ends with it.
    let isFile: Bool
    /// Whether only a file has its name with a content hash, or in another directory.
    let isAlias: Bool

    /// A position in one of the document's scripts.
    struct Place: Hashable {
        let script: Int
        let offset: Int
        /// Whether it stands for the names of members, not for the values.
        var hasNames = false
    }

    /// Whether no file of the package can be meant.
    var isMissing: Bool { !isFile && !isAlias }

    /// The extension in lower case; empty if there is none.
    var ending: [UInt8] { Self.ending(of: path) }

    /// The extension of a path, perhaps with query and fragment, in lower case.
    static func ending(of value: [UInt8]) -> [UInt8] {
        let path = value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard let dot = path.lastIndex(of: UInt8(ascii: ".")),
            !path[dot...].contains(UInt8(ascii: "/"))
        else { return [] }
        return path[(dot + 1)...].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    /// The part up to the last slash, without `./`, `../` and `/` in front.
    var directory: ArraySlice<UInt8> {
        let whole = Self.withoutDots(path)
        return whole[..<(whole.lastIndex(of: slash).map { $0 + 1 } ?? whole.startIndex)]
    }

    private var slash: UInt8 { UInt8(ascii: "/") }

    private static func name(of path: [UInt8]) -> [UInt8] {
        path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[($0 + 1)...]) } ?? path
    }

    /// A path without `./`, `../` and `/` in front.
    static func withoutDots(_ path: [UInt8]) -> ArraySlice<UInt8> {
        var rest = path[...]
        while true {
            if rest.starts(with: "./".utf8) {
                rest = rest.dropFirst(2)
            } else if rest.starts(with: "../".utf8) {
                rest = rest.dropFirst(3)
            } else if rest.first == UInt8(ascii: "/") {
                rest = rest.dropFirst()
            } else {
                return rest
            }
        }
    }

    init(
        _ value: [UInt8], range: Range<Int>, bracket: Place?, outer: Place?, word: [UInt8]?,
        isArgument: Bool = false, isPart: Bool = false, isName: Bool = false,
        isList: Bool = false, isFound: Bool? = nil, in site: SiteIndex
    ) {
        path = Array(value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        self.range = range
        self.bracket = bracket.map { Place(script: $0.script, offset: $0.offset, hasNames: isName) }
        self.isName = isName
        self.outer = outer
        self.word = word
        self.isArgument = isArgument
        self.isPart = isPart
        self.isList = isList
        isFile = isFound ?? !NamedFiles.files(endingIn: value, in: site).isEmpty
        isAlias =
            !isFile
            && (NamedFiles.isHashedFile(path, in: site)
                || isFound == nil && site.unhashedNames.contains(Self.name(of: path)))
    }
}

/// The strings of a document with the form of paths, and what they show about each other.
///
/// A path without a file is a mistake if its surroundings name files: a list of which the other
/// elements are files, a member with files elsewhere, a directory of the package.
struct PathStrings {
    let items: [PathString]
    private let site: SiteIndex
    private var lists: [PathString.Place: Count] = [:]
    private var members: [Member: Count] = [:]
    private var words: [[UInt8]: Count] = [:]
    private var directories: [[UInt8]: Count] = [:]
    /// The extensions of the files in each list.
    private var kinds: Set<Kind> = []

    private struct Kind: Hashable {
        let list: PathString.Place
        let ending: [UInt8]
    }

    /// The number of paths with and without a file.
    struct Count {
        var found = 0
        var missing = 0
        var total: Int { found + missing }
    }

    private struct Member: Hashable {
        let outer: PathString.Place
        let word: [UInt8]
    }

    /// Why a path without a file is expected to have one.
    enum Evidence {
        /// The other elements of its list are files.
        case list(Count)
        /// So are the values of the members with its name.
        case member([UInt8], Count)
        /// The document names files in the same directory with the same extension.
        case neighbours(Int)
        /// The package has its directory.
        case directory
        /// A function takes it.
        case call([UInt8])
        /// A member takes it whose name says so.
        case named([UInt8])
        /// Files of this kind consist of such paths.
        case file

        /// The note for users.
        var note: String {
            switch self {
            case .list(let count):
                "\(count.found) of the \(count.total) paths in this list are in the package"
            case .member(let word, let count):
                "\(count.found) of the \(count.total) paths named '\(printable(word))' are in the package"
            case .neighbours(let count):
                "\(counted(count, "file")) of the same directory and kind are in the package"
            case .directory: "its directory is in the package"
            case .named(let word): "it is the value of '\(printable(word))'"
            case .file: "files of this kind name the files that belong to them"
            case .call(let word): "it is passed to '\(printable(word))'"
            }
        }
    }

    init(_ items: [PathString], in site: SiteIndex) {
        self.items = items
        self.site = site
        for item in items {
            func add(_ count: inout Count) {
                if item.isFile { count.found += 1 } else if !item.isAlias { count.missing += 1 }
            }
            if let bracket = item.bracket {
                add(&lists[bracket, default: Count()])
                if item.isFile { kinds.insert(Kind(list: bracket, ending: item.ending)) }
            }
            if let word = item.word {
                add(&words[word, default: Count()])
                if let outer = item.outer {
                    add(&members[Member(outer: outer, word: word), default: Count()])
                }
            }
            add(&directories[Self.neighbourhood(item), default: Count()])
        }
    }

    private var slash: UInt8 { UInt8(ascii: "/") }

    private static func neighbourhood(_ item: PathString) -> [UInt8] {
        item.directory + [0] + item.ending
    }

    /// Why a path without a file is expected to have one; `nil` if nothing shows it.
    func evidence(for item: PathString) -> Evidence? {
        let kind = FileEnding.kind(of: item.ending)
        guard item.isMissing, kind != .other else { return nil }
        if item.isName {
            // A table by file name: `{"app.wasm": 1203, "app.pck": 88}`.
            guard let count = item.bracket.flatMap({ lists[$0] }), count.found > 0,
                count.found >= 2 * count.missing
            else { return nil }
            return .list(count)
        }
        if item.isList { return kind == .code ? nil : .file }
        if let bracket = item.bracket, let count = lists[bracket],
            Self.shows(count, hasKind: kinds.contains(Kind(list: bracket, ending: item.ending)))
        {
            return .list(count)
        }
        // Modules of a bundler and names in package descriptions look like scripts.
        guard kind != .code else {
            return isBeside(item) ? .directory : nil
        }
        if let word = item.word {
            if let outer = item.outer, let count = members[Member(outer: outer, word: word)],
                count.found > 0, count.found >= count.missing
            {
                return .member(word, count)
            }
            if let count = words[word], word.count > 2, count.found > 2,
                count.found >= 4 * count.missing
            {
                return .member(word, count)
            }
        }
        let hasDirectory = !item.directory.isEmpty
        if hasDirectory {
            if let count = directories[Self.neighbourhood(item)], count.found > 0 {
                return .neighbours(count.found)
            }
            if site.directories.contains(Array(item.directory)) { return .directory }
        }
        guard let word = item.word, !item.isPart else { return nil }
        let name = String(decoding: word, as: UTF8.self).lowercased()
        // A server may answer paths from the root.
        guard kind != .data else {
            return item.path.first != slash && !item.isArgument && Self.names(name)
                ? .named(word) : nil
        }
        if item.isArgument {
            return hasDirectory || Self.loads(name) ? .call(word) : nil
        }
        return hasDirectory && Self.names(name)
            || Self.addresses.contains(name) && kind == .asset
            ? .named(word) : nil
    }

    /// Whether a path names a script or a style sheet of a bundler's directory in the package:
    /// `static/chunks/0m3k5.js`.
    private func isBeside(_ item: PathString) -> Bool {
        let directory = item.directory
        guard let last = directory.dropLast().split(separator: slash).last else { return false }
        return !item.isPart && item.path.first != UInt8(ascii: ".")
            && directory.count > last.count + 1
            && (item.ending == Array("js".utf8) || item.ending == Array("css".utf8))
            && Self.bundled.contains(String(decoding: last, as: UTF8.self))
            && site.directories.contains(Array(directory))
    }

    /// The names of directories that bundlers write their files to.
    private static let bundled: Set<String> = [
        "assets", "build", "bundle", "bundles", "chunk", "chunks", "css", "dist", "immutable", "js",
        "static",
    ]

    /// Whether a function is named as a loader.
    private static func loads(_ name: String) -> Bool {
        name.contains("load") || loaders.contains(name)
    }

    /// Functions of game engines and libraries for graphics whose argument is a file.
    private static let loaders: Set<String> = [
        "image", "audio", "spritesheet", "atlas", "texture", "tilemaptiledjson", "bitmapfont",
        "video", "sprite", "sound", "font", "svg", "usegltf", "usetexture", "usefbx",
        "useenvironment", "importmesh", "importmeshasync", "appendasync", "howl",
    ]

    /// Whether a member is named as the address of a file: `dataUrl`, `SCENE_PATH`.
    private static func names(_ name: String) -> Bool {
        naming.contains(name)
            || ["url", "uri", "src", "path", "file"].contains { name.hasSuffix($0) }
    }

    /// Names of members whose value is always an address.
    private static let addresses: Set<String> = ["uri", "url", "src"]

    /// Names of members whose value may be an address.
    private static let naming: Set<String> = [
        "uri", "url", "src", "image", "img", "texture", "poster", "audio", "sound", "video",
        "thumbnail", "background", "model",
    ]

    /// Whether most paths of a list are files, more than one unless they are of the same kind.
    private static func shows(_ count: Count, hasKind: Bool) -> Bool {
        count.found >= count.missing && (count.found > 1 || count.found > 0 && hasKind)
    }

}

/// The extensions of files loaded by pages.
enum FileEnding {
    enum Kind {
        case code, media
        /// Models, textures, tables and shaders.
        case asset
        /// Also answers of servers and names of any other kind.
        case data
        case other

        /// Whether only a file has it, and no answer of a server.
        var isAsset: Bool { self == .media || self == .asset }
    }

    /// The kind of an extension in lower case.
    static func kind(of ending: [UInt8]) -> Kind {
        kinds[String(decoding: ending, as: UTF8.self)] ?? .other
    }

    private static let kinds: [String: Kind] = {
        let words: [(Kind, String)] = [
            (.code, "css js mjs cjs html htm"),
            (
                .media,
                """
                apng avif bmp flac gif ico jpeg jpg m4a m4v mov mp3 mp4 oga ogg ogv opus otf png \
                svg ttf wav webm webp woff woff2 aac eot cur heic jxl
                """
            ),
            (
                .asset,
                """
                atlas babylon basis csv dae dds exr fbx fnt frag geojson glb glsl gltf hdr ktx \
                ktx2 lottie m3u8 mpd mtl obj onnx pck ply pmtiles riv skel splat srt stl tflite \
                tga tmj tmx topojson tsj tsv unityweb usdz vert vrm vtt wgsl
                """
            ),
            (
                .data,
                "bin br data dat env gz json mem pbf pdf shp toml txt wasm webmanifest xml yaml yml zip"
            ),
        ]
        var kinds: [String: Kind] = [:]
        for (kind, list) in words {
            for word in list.split(separator: " ") { kinds[String(word)] = kind }
        }
        return kinds
    }()
}
