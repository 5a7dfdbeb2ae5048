import PackGround
import PackProfile
import PackWeb

/// The parts of a router in one file, with their positions in the file.
struct RouterParts: Sendable {
    /// A route and the bytes of its pattern in the file.
    struct Route: Sendable {
        let route: RouterCode.Route
        let range: Range<Int>
    }

    /// What a page tells about its router.
    struct PageMarks: OptionSet, Sendable {
        let rawValue: UInt8

        /// Ember, with the location type `history`, or `auto`, which is the same.
        static let ember = PageMarks(rawValue: 1)
        /// Blazor WebAssembly.
        static let blazor = PageMarks(rawValue: 2)
        /// Nuxt, with the data of a rendered page, whose path the router then takes.
        static let nuxtRendered = PageMarks(rawValue: 4)
    }

    private(set) var marks: RouterCode.Marks = []
    private(set) var pageMarks: PageMarks = []
    private(set) var routes: [Route] = []
    private(set) var unreadRoutes = 0
    /// The code reading the path.
    private(set) var place: Range<Int>?
    private(set) var base: [UInt8]?
    private(set) var hasUnreadBase = false

    /// `nil` if the file has nothing of a router.
    init?(_ context: DocumentContext) {
        if context.path.bytes.elementsEqual(context.profile.launch.utf8) {
            readPage(context.bytes)
        }
        for (script, references) in zip(context.scripts, context.scriptReferences)
        where !references.router.isEmpty {
            let code = references.router
            marks.formUnion(code.marks)
            unreadRoutes += code.unreadRoutes
            hasUnreadBase = hasUnreadBase || code.hasUnreadBase
            base = base ?? code.base
            place = place ?? code.place.map { script.fileRange(of: $0) }
            routes += code.routes.map {
                Route(route: $0, range: script.fileRange(of: $0.range))
            }
        }
        if marks.isEmpty, pageMarks.isEmpty, routes.isEmpty, unreadRoutes == 0 { return nil }
    }

    /// The texts of pages, with their meaning.
    private static let pageTexts: [(text: [UInt8], mark: PageMarks)] = [
        (Array("locationType%22%3A%22history%22".utf8), .ember),
        (Array("locationType%22%3A%22auto%22".utf8), .ember),
        (Array("_framework/blazor.webassembly.".utf8), .blazor),
        (Array(#"data-ssr="true""#.utf8), .nuxtRendered),
    ]

    private mutating func readPage(_ bytes: [UInt8]) {
        for (text, mark) in Self.pageTexts {
            guard let start = bytes.firstRange(of: text)?.lowerBound else { continue }
            pageMarks.insert(mark)
            if place == nil { place = start..<start + text.count }
        }
    }
}
