/// The pages that an engine opened for a check.
package struct OpenedPages: Equatable, Sendable {
    package struct Page: Equatable, Sendable {
        package let url: String
        /// The page's file; `nil` if the handler has none for the URL.
        package let file: String?
        package let seconds: Double
        /// Milliseconds from the start to the first content, if known.
        package let firstPaint: Int?
        /// Whether the page was left before its end.
        package let isStopped: Bool

        package init(
            url: String, file: String?, seconds: Double, firstPaint: Int?, isStopped: Bool
        ) {
            self.url = url
            self.file = file
            self.seconds = seconds
            self.firstPaint = firstPaint
            self.isStopped = isStopped
        }
    }

    /// The engine's name and version.
    package let engine: String
    package let pages: [Page]
    /// The number of known pages that were not opened.
    package let left: Int
    package let seconds: Double

    package init(engine: String, pages: [Page], left: Int, seconds: Double) {
        self.engine = engine
        self.pages = pages
        self.left = left
        self.seconds = seconds
    }
}
