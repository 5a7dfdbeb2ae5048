/// A request as a server hands it on: nothing of it is trusted.
package struct ServeRequest: Sendable {
    package let method: String
    /// Path and query as they were sent, percent-encoded.
    package let target: String
    /// By lower-case name.
    package let fields: [String: String]

    package init(method: String, target: String, fields: [String: String]) {
        self.method = method
        self.target = target
        self.fields = fields
    }

    /// The longest path that is looked up.
    private static let longestPath = 4096

    /// The names of the path, decoded; empty for `/`.
    ///
    /// - Returns: `nil` for a path that names no file: with `.` or `..`, an empty name, a NUL, a slash or backslash in a
    ///   name, or bytes that are no UTF-8.
    package var names: [String]? {
        let path = target.prefix { $0 != "?" && $0 != "#" }
        guard path.hasPrefix("/"), path.utf8.count <= Self.longestPath else { return nil }
        if path == "/" { return [] }
        var names: [String] = []
        for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let bytes = PercentCoding.decode(part), !bytes.isEmpty else { return nil }
            let name = String(decoding: bytes, as: UTF8.self)
            guard name.utf8.elementsEqual(bytes), name != ".", name != "..",
                !bytes.contains(where: { $0 == 0 || "/\\".utf8.contains($0) })
            else { return nil }
            names.append(name)
        }
        return names
    }
}

/// What a server answers.
package struct ServeAnswer: Sendable {
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A part of an open file.
        case file(ServedFile, offset: UInt64, count: UInt64)
    }

    package var status: Int
    package var fields: [HTTPHeader]
    package var body: Body
    /// Bytes of the body that a GET gets: a HEAD has none but states the same length.
    package var length: UInt64

    package init(status: Int, fields: [HTTPHeader], body: Body, length: UInt64) {
        self.status = status
        self.fields = fields
        self.body = body
        self.length = length
    }

    /// A short text.
    init(_ status: Int, _ text: String, _ more: [HTTPHeader] = []) {
        self.init(
            status: status,
            fields: [
                HTTPHeader("Content-Type", "text/plain; charset=utf-8"),
                HTTPHeader("Cache-Control", "no-store"),
            ] + more, body: .bytes(Array("\(text)\n".utf8)), length: UInt64(text.utf8.count) + 1)
    }
}
