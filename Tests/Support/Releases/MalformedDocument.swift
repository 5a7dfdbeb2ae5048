import Testing

/// A valid document with one replacement, and how the problem found in it begins.
package struct MalformedDocument: Sendable, CustomTestStringConvertible {
    package let find: String
    package let replacement: String
    /// How the problem begins.
    package let problem: String
    package var testDescription: String { "\(find) -> \(replacement)" }

    package init(_ find: String, _ replacement: String, _ problem: String) {
        self.find = find
        self.replacement = replacement
        self.problem = problem
    }
}
