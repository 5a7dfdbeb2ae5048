import PackGround

/// The purpose of a file, judged by its extension.
package enum FileKind: String, CaseIterable, Sendable {
    case script, style, page, image, font, media, data, wasm, map, other

    /// - Parameter path: The file's path.
    package init(path: String) {
        let name = path.pathComponents().last ?? ""
        let ending = name.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
        self = Self.endings.first { $0.endings.contains(ending) }?.kind ?? .other
    }

    private static let endings: [(kind: FileKind, endings: Set<String>)] = [
        (.script, ["js", "mjs", "cjs"]), (.style, ["css"]), (.page, ["html", "htm", "xhtml"]),
        (.image, ["png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "bmp"]),
        (.font, ["woff", "woff2", "ttf", "otf", "eot"]),
        (.media, ["mp4", "webm", "mp3", "m4a", "ogg", "wav", "mov"]),
        (.data, ["json", "webmanifest", "xml", "txt", "csv", "md", "yaml", "yml"]),
        (.wasm, ["wasm"]), (.map, ["map"]),
    ]

    /// The name in plural.
    package var title: String {
        switch self {
        case .script: "scripts"
        case .style: "style sheets"
        case .page: "pages"
        case .image: "images"
        case .font: "fonts"
        case .media: "audio and video"
        case .data: "data and text"
        case .wasm: "WebAssembly"
        case .map: "source maps"
        case .other: "other files"
        }
    }
}
