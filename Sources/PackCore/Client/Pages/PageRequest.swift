/// A request of a web view to the app's handler; all its values are untrusted.
public struct PageRequest: Equatable, Sendable {
    /// As sent, for example `GET`.
    public var method: String
    /// The absolute URL with the app's scheme.
    public var url: String
    public var headers: [PageHeader]
    /// Whether the web view passed on a body.
    public var hasBody: Bool
    /// Whether the answer becomes the page: the document of the view itself, not of a frame.
    public var isMainDocument: Bool
    /// The URL of the requesting page, if known.
    public var page: String?

    public init(
        method: String = "GET", url: String, headers: [PageHeader] = [], hasBody: Bool = false,
        isMainDocument: Bool = false, page: String? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.hasBody = hasBody
        self.isMainDocument = isMainDocument
        self.page = page
    }
}
