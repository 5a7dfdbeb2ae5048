/// An unexpected value in a JSON document.
package struct JSONShapeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path of the value, as `assets[3].sha256`; empty for the document itself.
    package let path: String
    package let problem: String

    package init(path: String, problem: String) {
        self.path = path
        self.problem = problem
    }

    package var description: String { path.isEmpty ? problem : "\(path) \(problem)" }
}

/// Typed access to the members of a JSON object, with the member's path in every error.
package struct JSONObject {
    private let members: [JSONValue.Member]
    /// The members by name, filled only if there are more than ``few``.
    private let index: [String: JSONValue]
    /// Up to this many members are searched linearly.
    private static let few = 12
    /// The path of this object in the document.
    package let path: String

    package init(_ value: JSONValue, path: String = "") throws(JSONShapeError) {
        guard case .object(let list) = value else {
            throw JSONShapeError(path: path, problem: "is not an object")
        }
        var index: [String: JSONValue] = [:]
        for (number, member) in list.enumerated() {
            // Names that differ only in their Unicode form are equal as `String`; rejecting them is
            // safe.
            let isNew =
                list.count > Self.few
                ? index.updateValue(member.value, forKey: member.name) == nil
                : !list[..<number].contains { $0.name == member.name }
            guard isNew else {
                throw JSONShapeError(path: path, problem: "has the key \"\(member.name)\" twice")
            }
        }
        members = list
        self.index = index
        self.path = path
    }

    /// The error for a member of this object.
    package func error(_ name: String, _ problem: String) -> JSONShapeError {
        JSONShapeError(path: path.isEmpty ? name : "\(path).\(name)", problem: problem)
    }

    /// A member that may be missing or `null`.
    package func optional(_ name: String) -> JSONValue? {
        let value =
            members.count > Self.few
            ? index[name] : members.first { $0.name == name }?.value
        return value == .null ? nil : value
    }

    private func required(_ name: String) throws(JSONShapeError) -> JSONValue {
        guard let value = optional(name) else { throw error(name, "is missing") }
        return value
    }

    /// A required string.
    package func string(_ name: String) throws(JSONShapeError) -> String {
        guard case .string(let text) = try required(name) else {
            throw error(name, "is not a string")
        }
        return text
    }

    /// A string; `nil` if it is missing or `null`.
    package func optionalString(_ name: String) throws(JSONShapeError) -> String? {
        optional(name) == nil ? nil : try string(name)
    }

    /// A required integer in a range.
    package func integer(_ name: String, in range: ClosedRange<Int>) throws(JSONShapeError) -> Int {
        guard case .integer(let number) = try required(name) else {
            throw error(name, "is not a whole number")
        }
        guard range.contains(number) else {
            throw error(name, "is \(number), outside \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// An integer in a range; `nil` if it is missing or `null`.
    package func optionalInteger(
        _ name: String, in range: ClosedRange<Int>
    ) throws(JSONShapeError) -> Int? {
        optional(name) == nil ? nil : try integer(name, in: range)
    }

    /// A required boolean.
    package func bool(_ name: String) throws(JSONShapeError) -> Bool {
        guard case .bool(let flag) = try required(name) else {
            throw error(name, "is not true or false")
        }
        return flag
    }

    /// A required array of at most `limit` elements.
    package func array(_ name: String, atMost limit: Int) throws(JSONShapeError) -> [JSONValue] {
        guard case .array(let elements) = try required(name) else {
            throw error(name, "is not an array")
        }
        guard elements.count <= limit else {
            throw tooMany(name, elements.count, limit)
        }
        return elements
    }

    /// The error for an array that is too long.
    package func tooMany(_ name: String, _ count: Int, _ limit: Int) -> JSONShapeError {
        error(name, "has \(count) elements, more than \(limit)")
    }

    /// A required object.
    package func object(_ name: String) throws(JSONShapeError) -> JSONObject {
        try JSONObject(required(name), path: path.isEmpty ? name : "\(path).\(name)")
    }

    /// An object; `nil` if it is missing or `null`.
    package func optionalObject(_ name: String) throws(JSONShapeError) -> JSONObject? {
        optional(name) == nil ? nil : try object(name)
    }
}

extension JSONObject {
    /// The members of an object whose names are data, in order; duplicate names are rejected.
    package func members(_ name: String, atMost limit: Int) throws(JSONShapeError) -> [JSONValue
        .Member]
    {
        guard case .object(let list) = optional(name) else { throw error(name, "is not an object") }
        guard list.count <= limit else {
            throw error(name, "has \(list.count) members, more than \(limit)")
        }
        _ = try object(name)
        return list
    }
}
