/// The reason why a page's files cannot be opened or a request cannot be completed.
public struct PageError: Error, Equatable, CustomStringConvertible, Sendable {
    /// A stable identifier, such as `pages.unreadable`.
    public let code: String
    public let description: String

    init(_ code: String, _ description: String) {
        self.code = "pages.\(code)"
        self.description = description
    }
}
