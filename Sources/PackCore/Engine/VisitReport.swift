/// The events of one opened page.
package struct VisitReport: Equatable, Sendable {
    /// The way to a page: how sure it is that a user reaches it.
    package enum Route: Int, Comparable, Sendable {
        case launch, link
        /// A file of the package without a link from another page.
        case file

        package static func < (one: Route, other: Route) -> Bool { one.rawValue < other.rawValue }
    }

    /// A request without a file.
    package struct Miss: Equatable, Sendable {
        package let url: String
        /// The name looked up by the handler; `nil` for another host.
        package let lookedUp: String?
        /// The requesting element, such as `img`; `nil` for requests of scripts and style sheets.
        package var element: String?
        /// The `rel` of a `link`.
        package var relation = ""
        /// Whether the engine itself requested it, as a lazy chunk.
        package let isFired: Bool
        /// Whether the handler answered with its start page instead of the file.
        package let isStartPage: Bool
        /// Whether it was to become the page or a frame.
        package let isPage: Bool
        package var isElsewhere: Bool { lookedUp == nil }

        package init(
            url: String, lookedUp: String?, element: String? = nil, relation: String = "",
            isFired: Bool, isStartPage: Bool, isPage: Bool
        ) {
            self.url = url
            self.lookedUp = lookedUp
            self.element = element
            self.relation = relation
            self.isFired = isFired
            self.isStartPage = isStartPage
            self.isPage = isPage
        }
    }

    /// A refusal by the engine: a type, a policy or a web origin.
    package struct Refusal: Equatable, Sendable {
        package let text: String
        package let url: String?
        package let isFired: Bool
        /// Whether it is a violation of a policy with `report-only`.
        package let isReportOnly: Bool

        package init(text: String, url: String?, isFired: Bool, isReportOnly: Bool) {
            self.text = text
            self.url = url
            self.isFired = isFired
            self.isReportOnly = isReportOnly
        }
    }

    /// An uncaught exception, an unhandled rejection, or an error on the console.
    package struct ScriptFailure: Equatable, Sendable {
        package enum Kind: Sendable { case exception, rejection, console }
        package let kind: Kind
        package let message: String
        /// The URL of the script, if known.
        package let url: String?
        package let line: Int?
        package let column: Int?

        package init(kind: Kind, message: String, url: String?, line: Int?, column: Int?) {
            self.kind = kind
            self.message = message
            self.url = url
            self.line = line
            self.column = column
        }
    }

    /// The reason why a page was left before its end.
    package enum Stop: Equatable, Sendable {
        case noAnswer(seconds: Int)
        case crash
        case memory(bytes: UInt64)
        case dialogs(kind: String)
        case closesItself
        case reloads
        case output(bytes: Int)
        /// The engine's process ended.
        case engineEnded
        /// The time of the run was over.
        case timeOver
    }

    package let url: String
    /// The path of the page's file, if it has one.
    package let file: String?
    package let route: Route
    /// The answering files, by URL without a fragment.
    package var answered: [String: String] = [:]
    package var misses: [Miss] = []
    package var refusals: [Refusal] = []
    package var failures: [ScriptFailure] = []
    /// The number of failures beyond the limit.
    package var leftOut = 0
    package var screen: FirstScreen?
    /// The first screen of the same file at the URL of its directory; `nil` if it was not opened.
    package var directoryScreen: FirstScreen?
    package var stop: Stop?
    /// The first dialog.
    package var dialog: String?
    /// The address outside the package opened by the page itself.
    package var leftFor: String?
    package var links: [String] = []
    package var seconds = 0.0
    /// The file with the picture of the first screen.
    package var picture: String?

    package init(url: String, file: String?, route: Route) {
        self.url = url
        self.file = file
        self.route = route
    }

    /// Whether the last of some screens shows what the first screen of the visit shows.
    package func shows(_ screens: [FirstScreen]) -> Bool {
        guard let screen, let last = screens.last else { return true }
        return !last.differs(from: screen)
    }

    /// Takes the screen at the URL of the directory, and the second one at the visit's own URL, which is
    /// only opened if the first one differs: if that one differs as well, the address is not the reason.
    package mutating func note(directory screens: [FirstScreen]) {
        guard shows(screens) else { return }
        directoryScreen = screens.first
    }

    /// The greatest number of misses, refusals and failures of each kind.
    package static let limit = 200
}

/// The first screen of a page.
package struct FirstScreen: Equatable, Sendable {
    /// The number of visible characters.
    package let text: Int
    /// The number of colours, at most 4; `nil` without a picture.
    package let colours: Int?
    /// Milliseconds from the start to the first content; `nil` if the engine reported none.
    package let firstPaint: Int?
    package let title: String
    /// The first visible characters.
    package let start: String

    package init(text: Int, colours: Int?, firstPaint: Int?, title: String, start: String = "") {
        self.text = text
        self.start = start
        self.colours = colours
        self.firstPaint = firstPaint
        self.title = title
    }

    /// Whether a user sees nothing: no text, and one colour.
    package var isBlank: Bool { text == 0 && colours == 1 }

    /// Whether most words differ, as on the page of a router for unknown addresses.
    ///
    /// The words of a page's own address do not count.
    package func differs(from other: FirstScreen) -> Bool {
        let (one, two) = (words, other.words)
        let all = one.union(two)
        return all.count > 0 && 2 * one.intersection(two).count < all.count
    }

    private var words: Set<Substring> {
        Set(start.split { !$0.isLetter && !$0.isNumber }).subtracting(["index", "html", "htm"])
    }
}
