/// Keywords of attributes that determine the purpose of a URL.
enum HTMLVocabulary {
    /// Elements with several sources, of which the browser uses one.
    static let choices: [HTMLName] = ["picture", "video", "audio"]
    static let object: HTMLName = "object"
    static let param: HTMLName = "param"

    /// The kind of a link by a token of its `rel`; of several tokens, the first in this list
    /// applies.
    private static let linkRelations: [(String, HTMLReferenceKind)] = [
        ("stylesheet", .styleSheet),
        (
            """
            icon mask-icon apple-touch-icon apple-touch-icon-precomposed apple-touch-startup-image
            fluid-icon
            """, .icon
        ),
        ("modulepreload", .modulePreload), ("preload", .preload), ("manifest", .manifest),
        ("prefetch prerender", .prefetch),
        ("preconnect dns-prefetch", .connectionHint),
        // Compiled in the page by a script.
        ("stylesheet/less", .lazy),
        // HTML imports have been removed from all browsers.
        ("import", .unused),
        // Refers to an element to wait for, by a fragment.
        ("expect", .identifier),
    ]

    private static let linkKinds: [String: (rank: Int, kind: HTMLReferenceKind)] = {
        var kinds: [String: (rank: Int, kind: HTMLReferenceKind)] = [:]
        for (rank, (names, kind)) in linkRelations.enumerated() {
            for name in names.split(whereSeparator: \.isWhitespace) {
                kinds[String(name)] = (rank, kind)
            }
        }
        return kinds
    }()

    /// The kind of a link's URL; all other relations (`canonical`, `alternate`, …) are metadata.
    static func linkKind(rel: [UInt8], destination: String?) -> HTMLReferenceKind {
        let best = rel.split(whereSeparator: \.isHTMLSpace)
            .compactMap { linkKinds[String(keyword: Array($0))] }
            .min { $0.rank < $1.rank }
        guard let best else { return .metadata }
        guard best.kind == .preload else { return best.kind }
        return switch destination {
        case "font": .fontPreload
        case "image": .imagePreload
        default: .preload
        }
    }

    /// `property` or `name` of a `meta` whose content is a URL for software other than the browser.
    static let metadataNames: Set<String> = words(
        """
        og:url og:image og:image:url og:image:secure_url og:video og:video:url og:video:secure_url
        og:audio og:audio:url og:audio:secure_url og:see_also vk:image twitter:url twitter:image
        twitter:image:src twitter:player twitter:player:stream thumbnail al:web:url
        msapplication-tileimage msapplication-square70x70logo msapplication-square150x150logo
        msapplication-wide310x150logo msapplication-square310x310logo msapplication-config
        msapplication-starturl
        """)

    /// `itemprop` with such a URL (schema.org).
    static let itemProperties: Set<String> = words(
        """
        contenturl downloadurl embedurl image installurl logo sameas screenshot thumbnailurl url
        """)

    /// JavaScript MIME type essences (MIME Sniffing 4.6).
    static let javaScriptTypes: Set<String> = words(
        """
        application/ecmascript application/javascript application/x-ecmascript
        application/x-javascript text/ecmascript text/javascript text/javascript1.0
        text/javascript1.1 text/javascript1.2 text/javascript1.3 text/javascript1.4
        text/javascript1.5 text/jscript text/livescript text/x-ecmascript text/x-javascript
        """)

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// The kind of a `script`'s content (HTML 4.12.1.1, "prepare the script element").
    static func scriptKind(type: [UInt8]?, language: [UInt8]?) -> HTMLFragment.Kind {
        let text: String
        if let type {
            text = type.isEmpty ? "text/javascript" : String(keyword: type)
        } else if let language, !language.isEmpty {
            text = "text/" + String(decoding: language.map(\.asciiLowercased), as: UTF8.self)
        } else {
            return .script
        }
        if javaScriptTypes.contains(text) { return .script }
        switch text {
        case "module": return .moduleScript
        case "importmap": return .importMap
        case "systemjs-importmap": return .systemImportMap
        case "speculationrules": return .speculationRules
        case "application/ld+json": return .linkedData
        default:
            let essence = text.prefix { $0 != ";" && $0 != " " }
            let isJSON =
                essence == "application/json" || essence == "text/json"
                || essence.hasSuffix("+json")
            return isJSON ? .json : .dataBlock
        }
    }
}
