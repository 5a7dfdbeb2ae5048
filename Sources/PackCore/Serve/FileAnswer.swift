import PackGround
import PackOrigin
import PackPages
import PackRelease

/// Answers requests for files: methods, validators, ranges and common headers.
struct FileAnswer: Sendable {
    let root: Directory
    let tags = KnownTags()

    /// The headers of every response; browsers must not guess another media type.
    static let common = [HTTPHeader("X-Content-Type-Options", "nosniff")]

    static var missing: ServeAnswer { ServeAnswer(404, "nothing is here", common) }

    /// The response to methods other than GET and HEAD, otherwise `nil`.
    static func refusal(_ request: ServeRequest) -> ServeAnswer? {
        guard request.method != "GET", request.method != "HEAD" else { return nil }
        return ServeAnswer(
            405, "GET and HEAD are answered", common + [HTTPHeader("Allow", "GET, HEAD")])
    }

    /// Answers with a file below the root.
    package func answer(
        _ request: ServeRequest, path: String, type: String, caching: String
    ) throws -> ServeAnswer {
        guard let file = try ServedFile(path, in: root) else { return Self.missing }
        let tag = "\"\(try tags.tag(of: file, at: path))\""
        var fields =
            [
                HTTPHeader("Content-Type", type), HTTPHeader("Cache-Control", caching),
                HTTPHeader("ETag", tag), HTTPHeader("Accept-Ranges", "bytes"),
            ] + Self.common
        let selection = FileSelection(
            method: request.method, tag: tag, size: file.size, header: { request.fields[$0] })
        switch selection {
        case .notModified:
            return ServeAnswer(status: 304, fields: fields, body: .none, length: 0)
        case .bytes(.whole):
            return ServeAnswer(
                status: 200, fields: fields, body: .file(file, offset: 0, count: file.size),
                length: file.size)
        case .bytes(.part(let offset, let count)):
            fields.append(
                HTTPHeader("Content-Range", "bytes \(offset)-\(offset + count - 1)/\(file.size)"))
            return ServeAnswer(
                status: 206, fields: fields, body: .file(file, offset: offset, count: count),
                length: count)
        case .bytes(.unsatisfiable):
            return ServeAnswer(
                416, "the file is shorter",
                Self.common + [HTTPHeader("Content-Range", "bytes */\(file.size)")])
        }
    }

    /// A media type, with the encoding of text.
    package static func type(of path: AssetPath) -> String {
        let type = MediaType.of(path)
        return type.hasPrefix("text/") ? "\(type); charset=utf-8" : type
    }
}
