/// The name and value of a header of a request or an answer.
public struct PageHeader: Equatable, Sendable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [PageHeader] {
    /// The value of a header by its lower-case name; several values are joined by a comma.
    func value(of name: String) -> String? {
        let values = filter { $0.name.lowercased() == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The headers without some, which are given in lower case.
    func without(_ names: Set<String>) -> [PageHeader] {
        filter { !names.contains($0.name.lowercased()) }
    }
}
