package import PackOrigin

/// A response of the server.
package struct ServeAnswer: Sendable {
    /// The content of a response.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A part of an open file.
        case file(ServedFile, offset: UInt64, count: UInt64)
    }

    package var status: Int
    package var fields: [HTTPHeader]
    package var body: Body
    /// The size of a GET's body in bytes; a HEAD's response declares it, without a body.
    package var length: UInt64

    package init(status: Int, fields: [HTTPHeader], body: Body, length: UInt64) {
        self.status = status
        self.fields = fields
        self.body = body
        self.length = length
    }

    /// A response with a short text.
    init(_ status: Int, _ text: String, _ more: [HTTPHeader] = []) {
        self.init(
            status: status,
            fields: [
                HTTPHeader("Content-Type", "text/plain; charset=utf-8"),
                HTTPHeader("Cache-Control", "no-store"),
            ] + more, body: .bytes(Array("\(text)\n".utf8)), length: UInt64(text.utf8.count) + 1)
    }

    /// The response to a file-system error; the server's terminal shows the cause.
    package static var failed: ServeAnswer {
        ServeAnswer(500, "the server failed; see its output for the reason", FileAnswer.common)
    }

    // MARK: Encoding

    /// Status line and fields, with the empty line after them (RFC 9112, section 4).
    ///
    /// - Parameters:
    ///   - isPersistent: Whether the connection stays open for another request.
    ///   - now: Seconds since 1970, for `Date`.
    package func head(isPersistent: Bool, now: Int) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(phrase)\r\n"
        // A line break in a value would start another field.
        for field in fields where !field.value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            text += "\(field.name): \(field.value)\r\n"
        }
        if status != 304 { text += "Content-Length: \(length)\r\n" }
        text += "Date: \(HTTPDate.text(now))\r\n"
        text += "Connection: \(isPersistent ? "keep-alive" : "close")\r\n\r\n"
        return Array(text.utf8)
    }

    private var phrase: String {
        switch status {
        case 200: "OK"
        case 206: "Partial Content"
        case 302: "Found"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 416: "Range Not Satisfiable"
        case 421: "Misdirected Request"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: "Error"
        }
    }
}
