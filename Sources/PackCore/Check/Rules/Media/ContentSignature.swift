/// The file type indicated by the first bytes of a file, regardless of its name.
enum ContentSignature: String, Sendable {
    case png, jpeg, gif, webp, avif, bmp, pdf, gzip, zip, woff, woff2, wasm, html, svg
    case pointer = "Git LFS pointer"

    /// - Parameter head: The first bytes, at most ``DocumentSummary/headLength``.
    init?(_ head: [UInt8]) {
        let brand = head.count >= 12 ? Array(head[8..<12]) : []
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { self = .png; return }
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { self = .jpeg; return }
        if head.starts(with: "GIF8".utf8) { self = .gif; return }
        if head.starts(with: "RIFF".utf8), brand == Array("WEBP".utf8) { self = .webp; return }
        if head.dropFirst(4).starts(with: "ftypavi".utf8) { self = .avif; return }
        if head.starts(with: "%PDF-".utf8) { self = .pdf; return }
        if head.starts(with: [0x1F, 0x8B, 0x08]) { self = .gzip; return }
        if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) { self = .zip; return }
        if head.starts(with: "wOF2".utf8) { self = .woff2; return }
        if head.starts(with: "wOFF".utf8) { self = .woff; return }
        if head.starts(with: [0x00, 0x61, 0x73, 0x6D]) { self = .wasm; return }
        if head.starts(with: "version https://git-lfs".utf8) { self = .pointer; return }
        var text = head[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        let lower = text.drop { $0 <= 0x20 }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        if lower.starts(with: "<!doctype html".utf8) || lower.starts(with: "<html".utf8) {
            self = .html
            return
        }
        if lower.starts(with: "<svg".utf8) { self = .svg; return }
        return nil
    }

    /// The extensions allowed for such content; `nil` if any is fine.
    var endings: Set<String>? {
        switch self {
        case .png: ["png", "apng", "ico"]
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
        case .gif: ["gif"]
        case .webp: ["webp"]
        case .avif: ["avif"]
        case .bmp: ["bmp"]
        case .pdf: ["pdf", "ai"]
        case .woff: ["woff"]
        case .woff2: ["woff2"]
        case .wasm: ["wasm"]
        case .svg: ["svg"]
        case .html: ["html", "htm", "xhtml"]
        case .gzip, .zip, .pointer: nil
        }
    }

    /// Whether a web view decodes it as an image, whatever its MIME type is.
    var isImage: Bool {
        switch self {
        case .png, .jpeg, .gif, .webp, .bmp: true
        default: false
        }
    }

    /// Whether files with an extension are images, recognized by their content.
    static func isImage(_ ending: String) -> Bool {
        ["png", "jpg", "jpeg", "gif", "webp", "avif", "bmp"].contains(ending)
    }

    /// Extensions whose files have one of these signatures; another signature is a mistake.
    static let signed: Set<String> = [
        "png", "jpg", "jpeg", "gif", "webp", "avif", "pdf", "woff", "woff2", "wasm", "ttf", "otf",
        "ico", "mp3", "mp4",
    ]
    /// Extensions of text that a browser parses.
    static let text: Set<String> = [
        "js", "mjs", "cjs", "css", "json", "webmanifest", "svg", "html", "htm", "map",
    ]
}
