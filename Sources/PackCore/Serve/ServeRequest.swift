import PackGround
import PackRelease

/// A parsed request; all its values are untrusted.
package struct ServeRequest: Equatable, Sendable {
    package let method: String
    /// Path and query as sent, percent-encoded.
    package let target: String
    /// Header fields by lower-case name.
    package let fields: [String: String]

    package init(method: String, target: String, fields: [String: String]) {
        self.method = method
        self.target = target
        self.fields = fields
    }

    /// The longest accepted path, in bytes.
    private static let longestPath = 4096

    /// The decoded components of the path; empty for `/`.
    ///
    /// - Returns: `nil` for a path that cannot be a file's: with `.` or `..`, an empty component, a
    ///   NUL, a slash or backslash in a component, or invalid UTF-8.
    package var names: [String]? {
        let path = target.prefix { $0 != "?" && $0 != "#" }
        guard path.hasPrefix("/"), path.utf8.count <= Self.longestPath else { return nil }
        if path == "/" { return [] }
        var names: [String] = []
        for part in path.dropFirst().pathComponents(omittingEmpty: false) {
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
