import PackGround

/// A setting that ends a finding, where it is not the build that should change: a line of `packtool.yaml`.
package struct SettingProposal: Equatable, Sendable {
    /// The key with those around it, such as `check.api`.
    package let key: String
    /// The value, the elements to add to a list, or the values to add to a table.
    package private(set) var values: [String]
    /// What the key takes.
    package let form: Form

    /// What a key takes.
    package enum Form: Equatable, Sendable {
        case value
        case list
        /// A table, with the name of its one entry.
        case table(name: String)
    }

    /// A setting with one value.
    package init(_ key: String, _ value: String) {
        self.key = key
        values = [value]
        form = .value
    }

    /// Elements of a list.
    package init(_ key: String, adding values: [String]) {
        self.key = key
        self.values = values
        form = .list
    }

    /// An entry of a table.
    package init(_ key: String, name: String, _ value: String) {
        self.key = key
        values = [value]
        form = .table(name: name)
    }

    /// The most elements of a list that one finding proposes.
    static let limit = 12

    /// Takes the elements of the same finding's other places.
    mutating func add(_ other: SettingProposal) {
        guard form == .list, other.form == .list, key == other.key else { return }
        for value in other.values where values.count < Self.limit && !values.contains(value) {
            values.append(value)
        }
    }

    /// The key and its value as a line of the file has them: `check.api: ["/api/"]`.
    package var text: String {
        switch form {
        case .value: return "\(key): \(values.joined())"
        case .list: return "\(key): [\(values.map(Self.quoted).joined(separator: ", "))]"
        case .table(let name):
            return "\(key): {\(Self.quoted(name)): \(values.map(Self.quoted).joined())}"
        }
    }

    private static func quoted(_ value: String) -> String {
        "\"" + printable(value.utf8).map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined()
            + "\""
    }
}
