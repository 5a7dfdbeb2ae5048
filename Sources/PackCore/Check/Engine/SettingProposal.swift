/// A setting that ends a finding, where it is not the build that should change: a line of `packtool.yaml`.
package struct SettingProposal: Equatable, Sendable {
    /// The key with those around it, such as `check.api`.
    package let key: String
    /// The value, or the elements to add to a list.
    package private(set) var values: [String]
    /// Whether the key takes a list.
    package let isList: Bool

    /// A setting with one value.
    package init(_ key: String, _ value: String) {
        self.key = key
        values = [value]
        isList = false
    }

    /// Elements of a list.
    package init(_ key: String, adding values: [String]) {
        self.key = key
        self.values = values
        isList = true
    }

    /// The most elements of a list that one finding proposes.
    static let limit = 12

    /// Takes the elements of the same finding's other places.
    mutating func add(_ other: SettingProposal) {
        guard isList, other.isList, key == other.key else { return }
        for value in other.values where values.count < Self.limit && !values.contains(value) {
            values.append(value)
        }
    }

    /// The key and its value as a line of the file has them: `check.api: ["/api/"]`.
    package var text: String {
        let quoted = values.map { value in
            "\""
                + printable(value.utf8).map { "\"\\".contains($0) ? "\\\($0)" : String($0) }
                .joined() + "\""
        }
        return "\(key): " + (isList ? "[\(quoted.joined(separator: ", "))]" : values.joined())
    }
}
