/// A JSON value whose objects keep their order, so that output is byte-stable.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// An integer of at most 2^53 - 1 in magnitude, which all readers represent exactly
    /// (docs/sources.md#rfc8259).
    case integer(Int)
    /// A number with a fraction or an exponent, as written. packtool's formats have none.
    case decimal(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A member of an object.
    package struct Member: Equatable, Sendable {
        package let name: String
        package let value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// An object from pairs; a `nil` value leaves the member out.
    package static func members(_ pairs: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(pairs.compactMap { name, value in value.map { Member(name, $0) } })
    }

    /// An integer, clamped to the largest `Int`.
    package static func integer(_ value: UInt64) -> JSONValue {
        .integer(Int(clamping: value))
    }

    /// An array of strings.
    package static func strings(_ values: [String]) -> JSONValue {
        .array(values.map { .string($0) })
    }
}

extension String? {
    /// The string as JSON; `null` if it is `nil`.
    package var json: JSONValue { map { .string($0) } ?? .null }
}

extension Int? {
    /// The number as JSON; `null` if it is `nil`.
    package var json: JSONValue { map { .integer($0) } ?? .null }
}
