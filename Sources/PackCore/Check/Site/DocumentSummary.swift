import PackGround
import PackProfile
import PackURL
import PackWeb

/// The facts about a file kept after its content is released, for rules about several files.
package struct DocumentSummary: Sendable {
    /// The index in ``SiteIndex/files``.
    package let index: Int
    /// The first bytes, which show the file's type independently of its name.
    package let head: [UInt8]
    /// The keys in a small file.
    let keys: KeyText
    /// The URLs that point to packaged files, with any scheme and host.
    package internal(set) var links: [Link]
    /// The URLs that become links when the pages running the script are known, or the style sheets
    /// using the custom property.
    let late: [LateReference]
    /// The names of the custom properties with such a URL, by the offset of the URL.
    let properties: [Int: [UInt8]]
    /// The custom properties read by its style sheets.
    let variables: CSSVariables
    /// The base of Vite's preload helper, if the lists of files are in other scripts.
    let preloadBase: PreloadBase?
    /// The packaged files in such lists, and whether a style sheet is among them.
    let preloads: (count: Int, hasSheet: Bool)
    /// The base URL of a page; `nil` for other files.
    let base: URLRecord?
    /// The offset of the page's `base`.
    let baseStart: Int?
    /// The packaged files most likely intended by URLs without a file.
    package let missedTwins: Set<Int>
    /// The packaged files named by its scripts, by a whole URL or part of one.
    let namedByScripts: Set<Int>

    /// The names imported by its modules.
    let modules: ModuleImports
    /// Its AMD modules, if any.
    let amd: AMDModules?
    /// The names imported by its scripts through SystemJS.
    let systemNames: Set<[UInt8]>
    /// The chunks requested by number or name in its scripts, if a bundler wrote them.
    let chunkCalls: Set<[UInt8]>
    /// The chunks whose modules are in its scripts.
    let definedChunks: Set<[UInt8]>
    /// Whether a script compiles WebAssembly while streaming, which requires the correct MIME type.
    let streamsWebAssembly: Bool
    /// The lazy-loading attributes read by its scripts.
    let lazyAttributes: Set<[UInt8]>
    /// The libraries in its scripts.
    let libraryMarkers: Set<[UInt8]>
    /// The missing files in a page's attributes for scripts.
    let lazyMisses: [LazyMiss]
    /// Its maps of chunks that depend on calls in other files.
    let openMaps: [OpenMap]

    /// The number of bundler run-times in its scripts.
    let runtimes: Int
    /// The requests of a page which fail without its web origin.
    let corsRequests: [CORSRequest]
    /// The code of a router, if any.
    let router: RouterParts?
    /// Its scripts with syntax newer than the app's minimum.
    let newSyntax: [NewSyntax]

    /// The base of a preload helper.
    struct PreloadBase: Sendable {
        let path: [UInt8]
        /// The range of the base in the file.
        let range: Range<Int>
    }

    /// A map of chunks, with the base of their names.
    struct OpenMap: Sendable {
        let map: OpenChunkMap
        /// The range of the map in the file.
        let range: Range<Int>
        /// The prefix of each name.
        let publicPath: [UInt8]
        let base: URLRecord?
        /// The range of the public path, if only other files request chunks below it.
        let publicPathRange: Range<Int>?
    }

    /// The number of bytes kept from the start of each file.
    package static let headLength = 64

    /// A reference to a packaged file.
    package struct Link: Sendable {
        package let kind: ReferenceKind
        package let use: ReferenceUse
        package let range: Range<Int>
        package let traits: Reference.Traits
        /// The packaged file served for the URL, or named by an https URL of one of the app's
        /// hosts.
        package let target: Int
        /// Whether the package serves it; otherwise the network does, although the file is
        /// packaged.
        package let isFromPackage: Bool
        /// Whether the URL's path is the file's path, so no lookup by name alone finds it.
        package let isExact: Bool
        /// The absolute URL without its fragment: equal for URLs that are the same request.
        ///
        /// Empty if nothing is loaded from the package.
        package let url: [UInt8]

        /// `nil` if the package has no such file.
        init?(
            kind: ReferenceKind, use: ReferenceUse, range: Range<Int>, traits: Reference.Traits,
            _ resolution: Resolution
        ) {
            guard let target = resolution.file ?? resolution.twin else { return nil }
            self.kind = kind
            self.use = use
            self.range = range
            self.traits = traits
            self.target = target
            isFromPackage = resolution.file != nil
            isExact = resolution.file == resolution.twin
            url =
                use.isFetched && isFromPackage
                ? resolution.url?.serialized(includingFragment: false) ?? [] : []
        }
    }

    init(_ context: DocumentContext) {
        index = context.index
        head = Array(context.bytes.prefix(Self.headLength))
        keys = context.bytes.count <= KeyText.limit ? KeyText(context.bytes) : .none
        chunkCalls = context.scriptReferences.reduce(into: []) { $0.formUnion($1.chunkCalls) }
        definedChunks = context.scriptReferences.reduce(into: []) {
            $0.formUnion($1.definedChunks)
        }
        openMaps = context.openMaps
        lazyAttributes = context.scriptReferences.reduce(into: []) {
            $0.formUnion($1.lazyAttributes)
        }
        libraryMarkers = context.scriptReferences.reduce(into: []) {
            $0.formUnion($1.libraryMarkers)
        }
        lazyMisses = LazyMiss.all(in: context)
        streamsWebAssembly = context.scriptReferences.contains {
            $0.references.contains {
                $0.kind == .webAssembly && !$0.isGuarded && $0.detail.hasSuffix("Streaming")
            }
        }
        runtimes = context.scriptReferences.clampedSum(of: \.runtimes)
        router = RouterParts(context)
        newSyntax = NewSyntax.all(in: context)
        corsRequests = CORSRequest.all(in: context)
        modules = ModuleImports(context)
        amd = AMDModules(context)
        systemNames = context.scriptReferences.reduce(into: []) { $0.formUnion($1.systemNames) }
        links = context.references.compactMap { reference in
            reference.traits.contains(.late)
                ? nil
                : Link(
                    kind: reference.kind, use: reference.use, range: reference.range,
                    traits: reference.traits, reference.resolution)
        }
        late = context.references.filter { $0.traits.contains(.late) }.map(LateReference.init)
        properties = context.lateProperties
        variables = context.variables
        preloads = context.preloads
        preloadBase =
            preloads.count > 0
            ? nil
            : context.facts(.publicPath).first {
                $0.fact.form == .vite && $0.fact.extent == .prefix && $0.fact.value.count > 1
                    && !context.hasFiles(below: $0.fact.value)
            }.map { PreloadBase(path: $0.fact.value, range: $0.range) }
        namedByScripts = NamedFiles.named(in: context)
        base = context.kind == .html ? context.baseURL : nil
        baseStart = context.baseStart
        missedTwins = Set(
            context.references.compactMap { reference in
                guard reference.resolution.isMiss, !reference.traits.contains(.late),
                    reference.use != .literal
                else { return nil }
                return reference.miss(in: context.site).meant
            })
    }

    /// The summary of a file without references.
    ///
    /// - Parameter start: The first bytes of the file, at least ``headLength`` if it has as many.
    init(index: Int, start: [UInt8]) {
        self.index = index
        head = Array(start.prefix(Self.headLength))
        // A NUL near the start means an image, a font or UTF-16 text.
        let isText =
            !head.contains(0) || head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
        keys = isText ? KeyText(start) : .none
        links = []
        late = []
        properties = [:]
        variables = CSSVariables()
        preloadBase = nil
        preloads = (0, false)
        base = nil
        baseStart = nil
        modules = .none
        amd = nil
        systemNames = []
        chunkCalls = []
        definedChunks = []
        openMaps = []
        lazyAttributes = []
        libraryMarkers = []
        lazyMisses = []
        streamsWebAssembly = false
        runtimes = 0
        router = nil
        newSyntax = []
        corsRequests = []
        missedTwins = []
        namedByScripts = []
    }
}
