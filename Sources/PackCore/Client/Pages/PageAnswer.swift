import PackGround

/// The status and headers of an answer.
public struct PageHead: Equatable, Sendable {
    public let status: Int
    public let headers: [PageHeader]

    public init(status: Int, headers: [PageHeader]) {
        self.status = status
        self.headers = headers
    }

    /// The media type without parameters.
    public var mediaType: String? {
        headers.value(of: "content-type")
            .map { String($0.prefix { $0 != ";" && $0 != " " }) }
    }
}

/// An answer that needs no network.
public struct PageAnswer: Sendable {
    public let head: PageHead
    public let body: PageBody
}

extension PageAnswer {
    /// An answer with a short text for developers, or the text of a small page.
    init(
        _ status: Int, _ text: String, type: String = "text/plain; charset=utf-8", isHead: Bool,
        _ more: [PageHeader] = []
    ) {
        let text = Array("\(text)\n".utf8)
        let headers = [
            PageHeader("Content-Type", type), PageHeader("Content-Length", "\(text.count)"),
            PageHeader("Cache-Control", "no-store"),
        ]
        self.init(
            head: PageHead(status: status, headers: headers + more),
            body: PageBody(isHead ? [] : text))
    }

    /// WebKit's memory cache asks again before it uses a copy; otherwise a page loaded after an
    /// update could get files of the previous release.
    private static let caching = "no-cache"

    /// An answer with a file, or the selected part of it.
    init(
        _ file: consuming OpenedFile, type: String, tag: String, request: PageRequest,
        more: [PageHeader]
    ) {
        let size = file.status.size
        let isHead = request.method == "HEAD"
        let headers =
            [
                PageHeader("ETag", tag), PageHeader("Cache-Control", Self.caching),
                PageHeader("Accept-Ranges", "bytes"),
            ] + more
        let selection = FileSelection(
            method: request.method, tag: tag, size: size, header: request.headers.value(of:))
        switch selection {
        case .notModified:
            self.init(head: PageHead(status: 304, headers: headers), body: PageBody())
        case .bytes(.unsatisfiable):
            self.init(
                416, "the file has \(size) bytes", isHead: isHead,
                more + [PageHeader("Content-Range", "bytes */\(size)")])
        case .bytes(.whole):
            let content = [
                PageHeader("Content-Type", type), PageHeader("Content-Length", "\(size)"),
            ]
            self.init(
                head: PageHead(status: 200, headers: content + headers),
                body: isHead ? PageBody() : PageBody(file.release(), offset: 0, count: size))
        case .bytes(.part(let offset, let count)):
            let content = [
                PageHeader("Content-Type", type), PageHeader("Content-Length", "\(count)"),
                PageHeader("Content-Range", "bytes \(offset)-\(offset + count - 1)/\(size)"),
            ]
            self.init(
                head: PageHead(status: 206, headers: content + headers),
                body: PageBody(file.release(), offset: offset, count: count))
        }
    }
}
