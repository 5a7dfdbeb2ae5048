import Foundation
package import PackOrigin
import Synchronization

/// A correct web server, with changes made to its answers by a CDN.
package final class ServedTransport: HTTPTransport {
    package struct Reply {
        package var status: Int
        package var fields: [String: String]
        package var body: [UInt8]

        package init(status: Int, fields: [String: String], body: [UInt8]) {
            self.status = status
            self.fields = fields
            self.body = body
        }
    }

    package struct Question {
        package let path: String
        /// Whether the request has a query unknown to all caches.
        package let isFresh: Bool
        package let fields: [String: String]
    }

    package static let address = "https://cdn.example.com/shop"

    private let files: [String: [UInt8]]
    private let change: @Sendable (Question, inout Reply) -> Void
    private let asked = Mutex<[String]>([])

    /// - Parameter files: The content of the files, by path.
    package init(
        _ files: [String: [UInt8]], change: @escaping @Sendable (Question, inout Reply) -> Void
    ) {
        self.files = files
        self.change = change
    }

    /// The requested paths, without queries.
    package var paths: [String] { asked.withLock { $0 } }

    package func send(_ request: HTTPRequest, to sink: any HTTPSink) async throws -> HTTPHead {
        let parts = request.url.split(separator: "?", maxSplits: 1)
        let escaped = parts[0].dropFirst(Self.address.count + 1)
        let path = String(escaped).removingPercentEncoding ?? ""
        asked.withLock { $0.append(path) }
        let question = Question(
            path: path, isFresh: parts.count > 1,
            fields: Dictionary(
                request.headers.map { ($0.name.lowercased(), $0.value) },
                uniquingKeysWith: { one, _ in one }))
        var reply = answer(question)
        change(question, &reply)
        let head = HTTPHead(
            status: reply.status, headers: reply.fields.map { HTTPHeader($0.key, $0.value) })
        try sink.begin(head)
        if request.method != .head, !reply.body.isEmpty {
            // In pieces, as from a network.
            for start in stride(from: 0, to: reply.body.count, by: 7) {
                let piece = Array(reply.body[start..<min(start + 7, reply.body.count)])
                guard try sink.receive(piece) else { break }
            }
        }
        return head
    }

    private func answer(_ question: Question) -> Reply {
        guard let body = files[question.path] else {
            return Reply(
                status: 404, fields: ["Cache-Control": "no-store", "Content-Type": "text/plain"],
                body: Array("nothing".utf8))
        }
        let isMutable =
            question.path == "info.json" || question.path.hasSuffix("pointer.json")
            || question.path.hasSuffix("pruned.json")
            || question.path.hasPrefix("site/")
        var fields = [
            "Cache-Control": isMutable
                ? "public, max-age=60, must-revalidate, no-transform"
                : "public, max-age=31536000, immutable, no-transform",
            "Content-Type": Self.type(question.path), "Content-Length": "\(body.count)",
            "Access-Control-Allow-Origin": "*",
        ]
        guard let range = question.fields["range"]?.dropFirst("bytes=".count),
            let first = Int(range.prefix { $0 != "-" })
        else { return Reply(status: 200, fields: fields, body: body) }
        fields["Content-Range"] = "bytes \(first)-\(body.count - 1)/\(body.count)"
        fields["Content-Length"] = "\(body.count - first)"
        return Reply(status: 206, fields: fields, body: Array(body[first...]))
    }

    private static func type(_ path: String) -> String {
        let types = [
            ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
            ".json": "application/json", ".zip": "application/zip",
        ]
        return types.first { path.hasSuffix($0.key) }?.value ?? "application/octet-stream"
    }

    package func wait(seconds: Double) async throws {}
}
