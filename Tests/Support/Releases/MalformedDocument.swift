import Testing

/// A valid document with one replacement, and the start of the expected error.
package struct MalformedDocument: Sendable, CustomTestStringConvertible {
    package let find: String
    package let replacement: String
    /// The start of the expected error.
    package let problem: String
    package var testDescription: String { "\(find) -> \(replacement)" }

    package init(_ find: String, _ replacement: String, _ problem: String) {
        self.find = find
        self.replacement = replacement
        self.problem = problem
    }
}
