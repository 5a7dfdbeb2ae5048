/// A part of a script that packaging can break: an address, or an API that depends on the page's
/// address.
///
/// Only literals, and constants with a literal value: nothing is executed, and values of variables
/// are unknown.
package struct JavaScriptReference: Hashable, Sendable {
    /// The kind of a reference.
    package enum Kind: String, CaseIterable, Sendable {
        /// A string that looks like a URL or a path, whose use is unknown.
        case literal
        /// A URL loaded by known code: `img.src = "…"`, `element.innerHTML = "<img src=…>"`.
        case asset
        /// A URL in markup or a style sheet inside a string whose use is unknown.
        case embedded
        /// The text after the public path of a bundle: `n.p + "static/media/a.png"`.
        case publicAsset = "public-asset"
        /// `import x from "…"`, `import "…"`, `export … from "…"`.
        case staticImport = "static-import"
        case dynamicImport = "dynamic-import"
        /// `new Worker("…")`, `new SharedWorker("…")`.
        case worker
        case importScripts = "import-scripts"
        /// A relative address in a worker's code inside `new Blob(["…"])`.
        case blobAddress = "blob-address"
        /// `new URL("…", import.meta.url)`.
        case moduleURL = "module-url"
        /// `new Worker(new URL("…", import.meta.url))`.
        case workerModuleURL = "worker-module-url"
        /// `new URL("…")`, with another base or none.
        case newURL = "new-url"
        /// One file of webpack's chunk map, after expanding the map.
        case chunk
        /// A file in the list for Vite's preload helper.
        case preloadDependency = "preload-dependency"
        /// The prefix of chunk names in a bundler's runtime.
        case publicPath = "public-path"
        case fetch
        /// `XMLHttpRequest.open`.
        case request
        /// `$.ajax({url: "…"})`, `axios.get("…")`.
        case ajax
        /// `baseURL: "…"` of an HTTP library.
        case ajaxBase = "ajax-base"
        case beacon
        case webSocket = "web-socket"
        case eventSource = "event-source"
        /// `navigator.serviceWorker.register("…")`.
        case serviceWorker = "service-worker"
        /// `pushState` and `replaceState`.
        case history
        /// `window.open("…")`.
        case windowOpen = "window-open"
        /// `location = "…"`, `location.href = "…"`, `location.replace("…")`.
        case navigation
        /// `document.write("…")`; the value is markup.
        case documentWrite = "document-write"
        /// The namespace in `createElementNS("…")` and the like.
        case namespace
        /// `//# sourceMappingURL=…`.
        case sourceMap = "source-map"
        /// `postMessage(x, "…")`.
        case messageTarget = "message-target"
        /// `location.protocol`.
        case locationProtocol = "location-protocol"
        /// An error thrown whenever the script starts.
        case stop
        /// `location.origin`, `.host`, `.hostname`.
        case locationOrigin = "location-origin"
        /// `url.protocol = "…"`.
        case protocolAssignment = "protocol-assignment"
        /// `new URL(…).origin`.
        case urlOrigin = "url-origin"
        /// A regular expression that tests whether a URL starts with `http`.
        case absoluteTest = "absolute-test"
        case cookie
        /// `crypto.subtle`, `navigator.mediaDevices`, …, available only in secure contexts.
        case secureContext = "secure-context"
        /// `localStorage`, `indexedDB`, `caches`.
        case storage
        /// `toDataURL`, `getImageData`, …, which throw after a cross-origin image was drawn.
        case canvasRead = "canvas-read"
        /// `eval`, `new Function`, `setTimeout("…")`: a text that is run as code.
        case codeFromString = "code-from-string"
        /// `WebAssembly.instantiate` and the like.
        case webAssembly = "web-assembly"
        /// Memory shared by workers, available only with cross-origin isolation.
        case sharedMemory = "shared-memory"
        /// `setAttribute("style", …)`, and a `style` element filled by a script.
        case styleByScript = "style-by-script"
        /// `{% if x %}`, `{{ x }}` or `<%= x %>` in the code, which no engine parses.
        case serverTemplate = "server-template"
        /// A text for which a policy can require a trusted type: `x.innerHTML = "…"`.
        case trustedSink = "trusted-sink"
        /// `trustedTypes.createPolicy("…")`.
        case trustedPolicy = "trusted-policy"
        /// A loader of code whose address is not understood; the detail is its name.
        case unread
    }

    /// The part of the address that the literal contains.
    package enum Extent: UInt8, Sendable {
        /// There is no literal address.
        case none
        case whole
        /// The rest is added at run time.
        case prefix
        /// Something before it is added at run time.
        case part
    }

    /// The bundler's code that names a chunk or a public path.
    package enum BundlerForm: String, Sendable {
        /// `x.src = "js/" + {…}[e] + ".js"`, which names a file relative to the page.
        case address
        /// The streamed data of a page.
        case next
        /// The manifest in the runtime.
        case parcel
        /// The base of the preload helper.
        case vite
        /// A literal public path.
        case webpack
        /// A public path computed from the script's own address.
        case webpackAuto = "webpack-auto"
        /// A map of scripts.
        case webpackScript = "js"
        /// A map of style sheets.
        case webpackStyle = "css"
    }

    package let kind: Kind
    /// Only of a ``Kind/chunk`` or a ``Kind/publicPath``.
    package let form: BundlerForm?
    /// The bytes between the quotes of the literal; if there is none, the expression.
    package let range: Range<Int>
    /// The call, assignment or member access around it.
    package let expression: Range<Int>
    /// The literal's value in UTF-8.
    package let value: [UInt8]
    package let extent: Extent
    /// The HTTP method in upper case, the API's name, or the operator after a member, depending on
    /// the kind.
    package let detail: String
    /// `open(…, false)`, `async: false`.
    package let isSynchronous: Bool
    /// Whether a condition or `try` around it shows that the page works without it.
    package let isGuarded: Bool
    /// Whether the page may work without it: the failure is only logged.
    package let isTried: Bool
    /// Whether the value may be another one: of a branch, or of an object or a list.
    package let isLikely: Bool
    /// The detail of code that runs whenever its script starts.
    package static let atStart = "at start"
    /// Whether the value is from a constant or several literals; the range is one of them.
    package let isJoined: Bool
    /// Only of a ``Kind/literal``.
    package let place: Place?
    /// The texts of a composed address, with something unknown between each two; else empty.
    package let pattern: [[UInt8]]

    /// The code around a literal.
    package struct Place: Hashable, Sendable {
        /// The offset of the innermost open bracket.
        package let bracket: Int?
        /// The offset of the bracket around that one.
        package let outer: Int?
        /// The name that takes the literal: of a member, a variable or a function.
        package let word: Range<Int>?
        /// Whether the literal is an argument of a call.
        package let isArgument: Bool
    }

    /// The detail of a literal appended to the bundle's public path.
    package static let afterPublicPath = "public-path"
    /// The detail of a literal that is the name of a member.
    package static let key = "key"
    /// The detail of a literal with names in braces: `"tiles/{z}.png"`.
    package static let template = "template"
    /// The detail of a WebSocket whose address has the scheme of the page.
    package static let pageScheme = "page-scheme"
    /// The detail of a module's `new URL(…)` that is the argument of `fetch`.
    package static let requested = "requested"

    /// The address as text, for messages and for parsers of UTF-8.
    package var text: String { String(decoding: value, as: UTF8.self) }

    init(
        _ kind: Kind, range: Range<Int>, expression: Range<Int>, value: [UInt8] = [],
        extent: Extent = .none, form: BundlerForm? = nil, detail: String = "",
        isSynchronous: Bool = false, isGuarded: Bool = false, isTried: Bool = false,
        isJoined: Bool = false, isLikely: Bool = false,
        place: Place? = nil, pattern: [[UInt8]] = []
    ) {
        self.kind = kind
        self.form = form
        self.range = range
        self.expression = expression
        self.value = value
        self.extent = extent
        self.detail = detail
        self.isSynchronous = isSynchronous
        self.isGuarded = isGuarded
        self.isTried = isTried
        self.isJoined = isJoined
        self.isLikely = isLikely
        self.place = place
        self.pattern = pattern
    }
}

/// All references in one script.
package struct JavaScriptReferences: Sendable {
    /// The largest number of references without an address, per kind, kept for one script.
    static let mostWithoutAddress = 50

    /// Whether the script ends inside a bracket, a string or a template.
    package internal(set) var endsOpen = false
    /// In the order of the script.
    package internal(set) var references: [JavaScriptReference] = []
    /// The number of references without an address beyond those kept.
    var furtherReferences = 0
    /// The numbers and names of the chunks that the script requests: `n.e(358)`.
    ///
    /// If the map of their names has no table, it is in the runtime of the same build, perhaps in
    /// another file.
    package internal(set) var chunkCalls: Set<[UInt8]> = []
    /// The webpack chunks whose modules are in the script.
    package internal(set) var definedChunks: Set<[UInt8]> = []
    /// Maps with names for chunks that they do not list.
    package internal(set) var openMaps: [OpenChunkMap] = []
    /// The declarations for a loader of AMD modules.
    package internal(set) var amd = AMDCode()
    /// The names imported with SystemJS.
    package internal(set) var systemNames: Set<[UInt8]> = []
    /// The attributes for lazy loading that the script reads: `data-src`, `data-original`.
    package internal(set) var lazyAttributes: Set<[UInt8]> = []
    /// The number of runtimes with a map of scripts, complete or not.
    package internal(set) var runtimes = 0
    /// Whether only a service worker can run it.
    package internal(set) var isServiceWorker = false
    /// The strings by which libraries are recognised: ``LibraryAttribute/marker``.
    package internal(set) var libraryMarkers: Set<[UInt8]> = []
    /// The code of a router.
    package internal(set) var router = RouterCode()
    /// The syntax unknown to older engines; empty if no engine parses the script.
    package internal(set) var features = JavaScriptFeatures()

    /// Reads a script.
    package init(
        of source: Span<UInt8>, in range: Range<Int>? = nil,
        goal: JavaScriptTokenizer.Goal = .unknown,
        surroundings: JavaScriptSurroundings = JavaScriptSurroundings()
    ) {
        var reader = JavaScriptReader(source, in: range, goal: goal, surroundings)
        self = reader.read(source)
    }

    init() {}
}

/// A map that composes the names of chunks only from their numbers: `e => e + ".js"`.
package struct OpenChunkMap: Sendable {
    let map: WebpackChunkMap
    let selection: JavaScriptBundle.Selection?

    /// The bytes of the function.
    package var range: Range<Int> { map.range }

    /// The chunk's file below the public path; `nil` if the runtime does not request one.
    package func name(of id: [UInt8]) -> [UInt8]? {
        guard selection?.loads(id) ?? true else { return nil }
        return map.name(of: id)
    }
}
