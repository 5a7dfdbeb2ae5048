/// The parts of a router in a script: the code reading the address, and a table of routes.
///
/// A router in use is decided from all scripts of a page, because bundlers put the library and the
/// routes into different files.
package struct RouterCode: Sendable {
    /// The features of a script's code.
    ///
    /// Minifiers replace names of functions and variables. Names of properties, texts and the order
    /// of operations remain, so these identify a library's code.
    package struct Marks: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// React Router 6 and later: the route is `location.pathname`.
        package static let react = Marks(rawValue: 1)
        /// `history` 4, of React Router 4 and 5: a route without `exact` also matches longer paths.
        package static let history4 = Marks(rawValue: 1 << 1)
        /// Vue Router 4 and later.
        package static let vue = Marks(rawValue: 1 << 2)
        /// Vue Router 3, whose option `mode` chooses the kind of history.
        package static let vueModes = Marks(rawValue: 1 << 3)
        /// `mode: "history"` of Vue Router 3.
        package static let vueHistoryMode = Marks(rawValue: 1 << 4)
        package static let tanStack = Marks(rawValue: 1 << 5)
        package static let wouter = Marks(rawValue: 1 << 6)
        /// `hashMode` of Nuxt, which chooses one of Vue Router's histories.
        package static let choosesMode = Marks(rawValue: 1 << 7)
        /// `options.pushState = true` of Aurelia.
        package static let aurelia = Marks(rawValue: 1 << 8)
        /// A program of Elm, reading its address.
        package static let elm = Marks(rawValue: 1 << 9)
        /// The client of SvelteKit is started without the data of a page.
        package static let kitStart = Marks(rawValue: 1 << 10)
        /// The client of SvelteKit keeps the route in the fragment.
        package static let kitFragment = Marks(rawValue: 1 << 11)

        /// Other code reads `location.pathname`.
        package static let readsPath = Marks(rawValue: 1 << 12)
        /// Other code selects by `location.pathname`: `routes[location.pathname]`.
        package static let selectsByPath = Marks(rawValue: 1 << 13)
        /// Code selects an entry named `/`, as a fallback.
        package static let selectsRoot = Marks(rawValue: 1 << 14)
        /// Code listens to `popstate`.
        package static let listens = Marks(rawValue: 1 << 15)
        /// Code calls `pushState` or `replaceState`.
        package static let pushes = Marks(rawValue: 1 << 16)
        /// A library's history with the route in the fragment.
        package static let fragment = Marks(rawValue: 1 << 17)
        /// Other code reads a part of the fragment.
        package static let readsFragment = Marks(rawValue: 1 << 18)
        /// Code removes `index.html` from paths, or compares them with it.
        package static let stripsIndex = Marks(rawValue: 1 << 19)
        /// The app names a history of the path: `createBrowserRouter`.
        package static let namesPath = Marks(rawValue: 1 << 20)
        /// The app names a history of the fragment or of the memory: `HashRouter`.
        package static let namesOther = Marks(rawValue: 1 << 21)

        /// Code splits the fragment at `#`: a history of the fragment in TanStack Router.
        package static let splitsFragment = Marks(rawValue: 1 << 22)

        /// The libraries whose code alone makes the path the route.
        package static let libraries: Marks = [.react, .history4, .vue, .tanStack, .wouter]
    }

    /// Whether the only history of the script keeps the route in the fragment.
    package var keepsRouteInFragment: Bool {
        marks.contains(.fragment)
            && marks.isDisjoint(with: [.react, .history4, .choosesMode, .namesPath])
    }

    /// A pattern of the table of routes.
    package struct Route: Sendable {
        /// The pattern as written: `/users/:id`, `*`.
        package let pattern: [UInt8]
        /// The bytes of the pattern.
        package let range: Range<Int>
        /// The component as written, if it is a name.
        package let component: String?
        /// Whether it opens another route.
        package let redirects: Bool
        /// Whether it has the key `exact`.
        package let isExact: Bool
        /// The pattern of the route around it, with all outer ones.
        package internal(set) var outer: [UInt8] = []
        package let form: Form
        /// The positions of its object and of those around it, the nearest last.
        let objects: [Int]

        /// The syntax of a route.
        package enum Form: Sendable {
            /// `{path: "/about", component: e}`
            case object
            /// `{"/about": e}`, of code without a library
            case key
            /// `{"/about": [3]}`, of SvelteKit
            case numbered
        }
    }

    /// The largest number of routes kept for one script.
    static let mostRoutes = 500

    package internal(set) var marks: Marks = []
    package internal(set) var routes: [Route] = []
    /// The number of routes whose pattern is not a literal.
    package internal(set) var unreadRoutes = 0
    /// The library's code reading the path.
    package internal(set) var place: Range<Int>?
    /// The literal base of a router: `basename: "/app"`.
    package internal(set) var base: [UInt8]?
    /// Whether a base is computed at run time.
    package internal(set) var hasUnreadBase = false

    package init() {}

    /// Whether the script has nothing of a router.
    package var isEmpty: Bool { marks.isEmpty && routes.isEmpty && unreadRoutes == 0 }

    /// Completes the patterns of nested routes, and drops marks of code without history.
    mutating func finish() {
        if !marks.contains(.listens) { marks.remove(.elm) }
        if marks.isSuperset(of: [.tanStack, .splitsFragment]) { marks.insert(.fragment) }
        guard routes.count > 1 else { return }
        var numbers: [Int: Int] = [:]
        for (number, route) in routes.enumerated() {
            if let object = route.objects.last { numbers[object] = number }
        }
        for number in routes.indices {
            var outer: [[UInt8]] = []
            for object in routes[number].objects.dropLast().reversed() {
                guard let parent = numbers[object] else { continue }
                outer.append(routes[parent].pattern)
                if routes[parent].pattern.first == UInt8(ascii: "/") { break }
            }
            routes[number].outer = Array(outer.reversed().joined(separator: "/".utf8))
        }
    }
}
