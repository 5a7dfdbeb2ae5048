/// The code of a bundler in a script, until the whole script is known.
struct JavaScriptBundle {
    /// A map of chunks.
    struct Map {
        /// The runtime's name for itself: `n` of `n.u = …`.
        let object: [UInt8]
        let map: WebpackChunkMap
        let expression: Range<Int>
        let isStyle: Bool
        /// The chunks that have such a file, if the runtime lists them next to the map.
        var only: Set<[UInt8]>?
    }

    /// The chunks that a runtime requests: webpack omits those merged into others.
    struct Selection: Sendable {
        let object: [UInt8]
        let ids: Set<[UInt8]>
        let areLoaded: Bool

        func loads(_ id: [UInt8]) -> Bool { ids.contains(id) == areLoaded }
    }

    /// `loadPath: "/locales/{{lng}}/{{ns}}.json"`.
    struct TranslationPath {
        let before: [UInt8]
        let after: [UInt8]
        let range: Range<Int>
        let expression: Range<Int>
        /// Whether it is only the library's default.
        let isDefault: Bool
    }

    static let mostCalls = 100_000

    var maps: [Map] = []
    var selections: [Selection] = []
    /// `n.p = "…"`, which is a public path only in a bundler's runtime.
    var publicPaths: [(object: [UInt8], reference: JavaScriptReference)] = []
    var runtimeObjects: Set<[UInt8]> = []
    var sawChunkGlobal = false
    var sawPublicAsset = false
    /// The chunks that have a style sheet.
    var styleIDs: Set<[UInt8]> = []
    /// The hash of the whole build, `n.h = () => "…"`, once it was looked for.
    var buildHash: [UInt8]??
    /// The remaining number of nodes evaluated for maps.
    var mapBudget = 8_000_000
    /// The remaining number of keys that are read beside the patterns of routes.
    var routeBudget = 400_000
    var translationPaths: [TranslationPath] = []
    /// Whether the script sets the location of translations.
    var setsLoadPath = false
    var fallbackLanguages: Set<[UInt8]> = []
}

extension JavaScriptReader {
    /// The patterns of bundlers, loaders, routers and engines.
    static let bundlePatterns =
        webpackPatterns + vitePatterns + loaderPatterns + buildFilePatterns + routerPatterns

    mutating func finishBundle(_ source: Span<UInt8>) {
        result.router.finish()
        if tree.names.containsName(startingWith: "webpackChunk", in: source)
            || tree.names.containsName(startingWith: "webpackJsonp", in: source)
        {
            bundle.sawChunkGlobal = true
        }
        finishChunks()
        finishTranslations()
        finishUnread()
        for (object, reference) in bundle.publicPaths {
            let isRuntime =
                bundle.runtimeObjects.contains(object)
                || (bundle.sawChunkGlobal || bundle.sawPublicAsset)
                    && reference.extent == .whole && reference.text.hasSuffix("/")
            if isRuntime { result.references.append(reference) }
        }
    }
}
