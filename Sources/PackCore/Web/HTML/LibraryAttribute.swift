/// An attribute by which a library's script loads a file.
///
/// Browsers ignore these attributes. All of them are in one table, ``all``, from which the reader of
/// pages and the rules take them.
package struct LibraryAttribute: Sendable {
    /// The syntax of a value.
    enum Syntax: Equatable, Sendable {
        case url, srcset
        /// Qwik: `q-3fa1.js#s_handler[0 1]`, relative to `q:base`.
        case symbols
        /// A-Frame: `obj: url(a.obj); mtl: url(a.mtl)`.
        case functions
        /// JSON with addresses in `src` and `poster`.
        case json
        /// A directory of the library's files.
        case directory
    }

    /// Names separated by spaces; `*` for every element.
    let elements: String
    /// Names separated by spaces.
    let attributes: String
    let syntax: Syntax
    /// The use of the file by the browser.
    let kind: HTMLReferenceKind
    /// A string in the library's script, such as the name of its element.
    ///
    /// `nil` for attributes of many libraries: a script then names the attribute itself.
    package let marker: String?
    /// Where the attribute is documented.
    package let source: String

    package var isDirectory: Bool { syntax == .directory }
    package var isRelativeToBaseAttribute: Bool { syntax == .symbols }

    private init(
        _ elements: String, _ attributes: String, _ syntax: Syntax, _ marker: String?,
        _ source: String, kind: HTMLReferenceKind = .lazy
    ) {
        (self.elements, self.attributes, self.syntax) = (elements, attributes, syntax)
        (self.marker, self.source, self.kind) = (marker, source, kind)
    }

    private init(
        _ elements: String, _ attributes: String, _ marker: String?, _ source: String,
        kind: HTMLReferenceKind = .lazy
    ) {
        self.init(elements, attributes, .url, marker, source, kind: kind)
    }

    /// The table.
    static let all: [LibraryAttribute] = [
        // Lazy loading: lazysizes, lozad, vanilla-lazyload, Swiper, AngularJS, Vue.
        .init(
            "*",
            """
            data-src data-original data-bg data-background data-background-image data-lazy
            data-lazy-src data-poster data-image data-href lazy-src v-lazy ng-src :src
            data-thumb data-zoom-image data-mfp-src data-image-src data-bg-src
            """, nil, "lazysizes, lozad, Swiper, Fancybox, Magnific Popup"),
        .init("*", "data-srcset data-lazy-srcset ng-srcset", .srcset, nil, "lazysizes, AngularJS"),
        // Elements of libraries.
        .init(
            "astro-island", "component-url renderer-url before-hydration-url", "astro-island",
            "Astro", kind: .moduleScript),
        .init("lottie-player", "src background", "lottie-player", "LottieFiles lottie-player"),
        .init("dotlottie-player", "src", "dotlottie-player", "LottieFiles dotlottie-player"),
        .init("dotlottie-wc", "src", "dotlottie-wc", "LottieFiles dotlottie-web"),
        .init("lord-icon", "src", "lord-icon", "Lordicon"),
        .init(
            "model-viewer", "src ios-src poster environment-image skybox-image", "model-viewer",
            "model-viewer"),
        .init("ion-icon", "src", "ion-icon", "Ionicons"),
        .init("ion-img", "src", "ion-img", "Ionic"),
        .init("sl-icon", "src", "sl-icon", "Shoelace"),
        .init("sl-avatar", "image", "sl-avatar", "Shoelace"),
        .init("sl-include", "src", "sl-include", "Shoelace"),
        .init("wa-icon", "src", "wa-icon", "Web Awesome"),
        .init("wa-include", "src", "wa-include", "Web Awesome"),
        .init("include-fragment", "src", "include-fragment", "GitHub include-fragment-element"),
        .init("turbo-frame", "src", "turbo-frame", "Turbo"),
        .init("zero-md", "src", "zero-md", "zero-md"),
        .init("rapi-doc", "spec-url", "rapi-doc", "RapiDoc"),
        .init("redoc", "spec-url", "spec-url", "Redoc"),
        .init("elements-api", "apidescriptionurl", "elements-api", "Stoplight Elements"),
        .init("spline-viewer", "url", "spline-viewer", "Spline"),
        .init("media-player", "src poster", "media-player", "Vidstack"),
        .init("hls-video", "src poster", "hls-video", "hls-video-element"),
        .init("py-script mpy-script", "src", "py-script", "PyScript"),
        .init("py-config", "src", "py-config", "PyScript"),
        .init("amp-img amp-anim", "src", "amp-img", "AMP"),
        .init("amp-img amp-anim", "srcset", .srcset, "amp-img", "AMP"),
        .init("amp-video amp-audio", "src poster", "amp-video", "AMP"),
        // A-Frame.
        .init(
            """
            a-asset-item a-gltf-model a-obj-model a-collada-model a-sky a-image a-video
            a-videosphere a-sound a-curvedimage a-box a-plane a-sphere a-cylinder
            """, "src", "a-scene", "A-Frame"),
        .init("a-obj-model", "mtl", "a-scene", "A-Frame"),
        .init(
            "*", "gltf-model obj-model collada-model material sound", .functions, "a-scene",
            "A-Frame"),
        // Attributes of any element.
        .init("*", "hx-get data-hx-get", "hx-trigger", "htmx"),
        .init("*", "up-href", nil, "Unpoly"),
        .init("*", "w3-include-html", "w3-include-html", "W3.JS"),
        .init("*", "data-markdown", "data-markdown", "reveal.js"),
        .init("*", "data-animation-path", "data-animation-path", "lottie-web"),
        .init("*", "data-setup", .json, "data-setup", "Video.js"),
        .init("*", "data-plyr-config", .json, "data-plyr-config", "Plyr"),
        .init("*", "data-resources-url", .directory, "data-resources-url", "Stencil"),
        .init(
            "*",
            """
            on:click on:dblclick on:input on:change on:submit on:keydown on:keyup on:focus on:blur
            on:focusin on:focusout on:mouseover on:mouseenter on:mouseleave on:pointerdown
            on:pointerup on:touchstart on:scroll on:qvisible on:qinit on:qidle
            on-document:qinit on-document:qready on-document:qidle on-document:click
            on-document:keydown on-window:scroll on-window:resize on-window:load
            """, .symbols, "q:base", "Qwik"),
        // Less, compiled in the page.
        .init("link", "href", "stylesheet/less", "Less"),
    ]

    /// The types of scripts run by libraries; each library names its type in a string.
    package static let scriptTypes: Set<String> = [
        "text/babel", "text/jsx", "text/typescript", "text/coffeescript", "text/python",
        "text/brython", "text/ruby", "text/hyperscript", "text/python3", "py", "mpy",
    ]

    /// The rows whose attributes are in the table of HTML's attributes.
    static let rows: [(number: Int, row: LibraryAttribute)] =
        all.enumerated().filter { $0.element.elements != "link" }.map { ($0.offset, $0.element) }

    private static let byName: [[String]: Int] = {
        var found: [[String]: Int] = [:]
        for (number, row) in all.enumerated() {
            for element in row.elements.split(whereSeparator: \.isWhitespace) {
                for attribute in row.attributes.split(whereSeparator: \.isWhitespace) {
                    found[[String(element), String(attribute)]] = number
                }
            }
        }
        return found
    }()

    /// The row of an element's attribute, both in lower case.
    package static func row(element: String, attribute: String) -> LibraryAttribute? {
        (byName[[element, attribute]] ?? byName[["*", attribute]]).map { all[$0] }
    }

    // MARK: - Scripts

    private static let markerTable = HTMLNameTable(
        all.compactMap(\.marker) + scriptTypes.filter { $0.utf8.count > 3 })

    /// Whether a script's string is the marker of a library.
    static func isMarker(_ source: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard (4...22).contains(range.count) else { return false }
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = source[index]
            if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ":") {
                return markerTable.number(of: HTMLName(source, range)) != nil
            }
            index &+= 1
        }
        return false
    }

    // MARK: - Values

    /// The addresses in a decoded value.
    func addresses(_ value: [UInt8]) -> [Range<Int>] {
        switch syntax {
        case .url, .directory: [0..<value.count]
        case .srcset: SrcsetCandidate.parse(value).filter(\.isValid).map(\.url)
        case .symbols:
            value.split(whereSeparator: \.isHTMLSpace).compactMap { symbol in
                symbol.firstIndex(of: UInt8(ascii: "#")).map { symbol.startIndex..<$0 }
            }
        case .functions: Self.functions(value)
        case .json: Self.members(value)
        }
    }

    private static func functions(_ value: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var rest = value[...]
        while let open = rest.firstRange(of: Array("url(".utf8)),
            let close = value[open.upperBound...].firstIndex(of: UInt8(ascii: ")"))
        {
            found.append(open.upperBound..<close)
            rest = value[close...]
        }
        return found
    }

    private static func members(_ value: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        JSONStrings.walk(value.span) { string in
            if !string.isName, ["src", "poster"].contains(string.path.last),
                string.value.count == string.range.count
            {
                found.append(string.range)
            }
            return found.count < 64
        }
        return found
    }
}
