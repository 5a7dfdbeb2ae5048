import PackGround
import PackURL
import PackWeb

/// An action of a page that a policy can forbid.
struct PageAction: Sendable {
    enum Kind: Sendable {
        case load(URLRecord)
        /// A script, an import map or a style sheet in the page.
        case inline(Content, Inline)
        /// `eval` and similar functions.
        case codeFromString
        case webAssembly
        /// A style attribute or element created by a script.
        case style
        /// Text assigned to a sink that requires a trusted type.
        case text
        /// The creation of a trusted types policy with a name.
        case trustedPolicy
    }

    /// The kinds of inline code.
    enum Inline: String, Sendable {
        case script
        case importMap = "import map"
        case styleSheet = "style sheet"
        case handler = "event handler"
        case styleAttribute = "style attribute"
        case scriptURL = "javascript: URL"

        var isScript: Bool { self != .styleSheet && self != .styleAttribute }
        /// Whether it is an element, which a nonce or a hash is enough to allow.
        var isElement: Bool { self == .script || self == .importMap || self == .styleSheet }
    }

    /// The bytes to hash.
    enum Content: Sendable {
        /// An index into ``HTMLReferences/fragments``, decoded only when a hash is needed.
        case fragment(Int)
        case bytes([UInt8])
    }

    let kind: Kind
    /// The first directive that applies.
    let directive: String
    /// The URL or function shown in messages.
    let text: [UInt8]
    /// The range in the page; for an action of another file, the range of the element loading that
    /// file.
    let range: Range<Int>
    /// The other file performing the action.
    var file: Int?
    /// The severity if the action is blocked.
    var severity = Severity.error
    var nonce: String?
    /// Whether the nonce is the unknown one of a script.
    var isNonceUnknown = false
    var integrity: SubresourceIntegrity?
    /// Whether the parser, not a script, requests it.
    var isParserInserted = true
    /// The offset in the page of the script that causes the action.
    var cause: Int?

    /// The source required by a URL.
    var source: String {
        guard case .load(let url) = kind else { return "" }
        let scheme = String(decoding: url.scheme, as: UTF8.self)
        guard let host = url.host, ["http", "https", "ws", "wss"].contains(scheme) else {
            return scheme + ":"
        }
        return scheme + "://" + String(decoding: host.serialized, as: UTF8.self)
            + (url.port.map { ":\($0)" } ?? "")
    }

    /// ``text`` in a message, shortened if necessary.
    var name: String { text.count > 60 ? printable(text.prefix(57)) + "…" : printable(text) }
}

extension Reference {
    /// The directive that applies to a URL in markup or CSS, and the severity if it is blocked;
    /// `nil` if no policy applies or nothing is lost.
    ///
    /// Preloads are ignored, because the resource is requested again when used.
    var policy: (directive: String, severity: Severity)? {
        switch kind {
        case .html(let kind):
            switch kind {
            case .script, .moduleScript: ("script-src-elem", .error)
            case .styleSheet: ("style-src-elem", .error)
            case .image, .backgroundImage, .svgImage, .svgUse: ("img-src", .warning)
            case .icon: ("img-src", .hint)
            case .media, .textTrack: ("media-src", .warning)
            case .frame: ("frame-src", .error)
            case .object, .embed: ("object-src", .error)
            case .manifest: ("manifest-src", .hint)
            case .formSubmission: ("form-action", .warning)
            case .base: ("base-uri", .error)
            default: nil
            }
        case .css(let role):
            switch role {
            case .importedSheet: ("style-src-elem", .error)
            case .fontSource: ("font-src", .warning)
            case .image, .cursor, .mask: ("img-src", .warning)
            default: nil
            }
        case .data(.importMap): ("script-src-elem", .error)
        case .script, .data: nil
        }
    }
}

extension JavaScriptReference {
    /// The directive that applies to an action of a script, if any.
    var policyDirective: String? {
        switch kind {
        case .staticImport, .dynamicImport: "script-src-elem"
        case .worker, .workerModuleURL: "worker-src"
        case .fetch, .request, .ajax, .eventSource, .webSocket, .beacon: "connect-src"
        case .codeFromString, .webAssembly: "script-src"
        case .trustedSink: "require-trusted-types-for"
        case .trustedPolicy: "trusted-types"
        case .styleByScript:
            detail.hasPrefix("set") ? "style-src-attr" : "style-src-elem"
        case .asset: assetDirective
        default: nil
        }
    }

    /// The directive for an element's URL set by a script, by the file's extension: `img.src =
    /// "a.png"`.
    private var assetDirective: String? {
        if value.starts(with: "data:image/".utf8) { return "img-src" }
        switch detail {
        case "blob-image": return "img-src"
        case "blob-media": return "media-src"
        case "blob-script": return "script-src-elem"
        default: break
        }
        let path = value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        switch String(decoding: path, as: UTF8.self).split(separator: ".").last?.lowercased() {
        case "png", "jpg", "jpeg", "gif", "webp", "svg", "avif", "bmp": return "img-src"
        case "woff2", "woff", "ttf", "otf": return "font-src"
        case "mp3", "mp4", "m4a", "webm", "ogg", "wav", "mov": return "media-src"
        // A script in inserted markup never runs.
        case "js", "mjs": return detail == "markup" ? nil : "script-src-elem"
        default: return nil
        }
    }
}
