import PackGround
import PackURL
import PackWeb

/// Something that a page does and that a policy can forbid.
struct PageAction: Sendable {
    enum Kind: Sendable {
        case load(URLRecord)
        /// A script, an import map or a style sheet in the page.
        case inline(Content, Inline)
        /// `eval` and the like.
        case codeFromString
        case webAssembly
        /// A style attribute or element that a script makes.
        case style
        /// A text where a policy demands a trusted type; whether the page has a default policy.
        case text
        /// The name of a policy for trusted types.
        case trustedPolicy
    }

    /// Code in the page, by what allows it.
    enum Inline: String, Sendable {
        case script
        case importMap = "import map"
        case styleSheet = "style sheet"
        case handler = "event handler"
        case styleAttribute = "style attribute"
        case scriptURL = "javascript: URL"

        var isScript: Bool { self != .styleSheet && self != .styleAttribute }
        /// Whether it is an element, which a nonce or a hash alone allows.
        var isElement: Bool { self == .script || self == .importMap || self == .styleSheet }
    }

    /// The bytes that a hash would be of.
    enum Content: Sendable {
        /// An index into ``HTMLReferences/fragments``: decoded only where a hash is needed.
        case fragment(Int)
        case bytes([UInt8])
    }

    let kind: Kind
    /// The name of the directive that is asked first.
    let directive: String
    /// What it is called in messages: the URL, the function.
    let text: [UInt8]
    /// Its bytes in the page; for what another file does, those of what loads that file.
    let range: Range<Int>
    /// The other file that does it.
    var file: Int?
    /// How much is lost without it.
    var severity = Severity.error
    var nonce: String?
    /// Whether the nonce is that of a script that is not known.
    var isNonceUnknown = false
    var integrity: SubresourceIntegrity?
    /// Whether the parser asks for it, and no script.
    var isParserInserted = true
    /// The start of the script, in the page, without which it does not happen.
    var cause: Int?

    /// The source that a directive would need for a URL.
    var source: String {
        guard case .load(let url) = kind else { return "" }
        let scheme = String(decoding: url.scheme, as: UTF8.self)
        guard let host = url.host, ["http", "https", "ws", "wss"].contains(scheme) else {
            return scheme + ":"
        }
        return scheme + "://" + String(decoding: host.serialized, as: UTF8.self)
            + (url.port.map { ":\($0)" } ?? "")
    }

    /// ``text`` in a message: the start of long ones.
    var name: String { text.count > 60 ? printable(text.prefix(57)) + "…" : printable(text) }
}

extension Reference {
    /// The directive that applies to a URL in markup or CSS, and what is lost without it; `nil` if no
    /// policy applies, or nothing is lost.
    ///
    /// Preloads are requested again by what uses them.
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
    /// The directive that applies to what a script does; `nil` if none does.
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

    /// What a script gives to an element, by the file's ending: `img.src = "a.png"`.
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
        // A script in markup that is inserted never runs.
        case "js", "mjs": return detail == "markup" ? nil : "script-src-elem"
        default: return nil
        }
    }
}
