import PackGround

/// A line for `packtool.yaml` that resolves a finding without a change to the build.
package struct SettingProposal: Equatable, Sendable {
    /// The full key, such as `check.api`.
    package let key: String
    /// The value, or the values to add to a list or table.
    package private(set) var values: [String]
    /// The type of the key.
    package let form: Form

    /// The type of a key.
    package enum Form: Equatable, Sendable {
        case value
        case list
        /// A table, with the name of the entry to add.
        case table(name: String)
    }

    /// A setting with one value.
    package init(_ key: String, _ value: String) {
        self.key = key
        values = [value]
        form = .value
    }

    /// Elements to add to a list.
    package init(_ key: String, adding values: [String]) {
        self.key = key
        self.values = values
        form = .list
    }

    /// An entry to add to a table.
    package init(_ key: String, name: String, _ value: String) {
        self.key = key
        values = [value]
        form = .table(name: name)
    }

    /// The maximum number of list elements in one proposal.
    static let limit = 12

    /// Adds the elements proposed for another location of the same finding.
    mutating func add(_ other: SettingProposal) {
        guard form == .list, other.form == .list, key == other.key else { return }
        for value in other.values where values.count < Self.limit && !values.contains(value) {
            values.append(value)
        }
    }

    /// The key and value as in the file: `check.api: ["/api/"]`.
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
