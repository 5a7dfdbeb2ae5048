extension JSONParser {
    /// The largest size, in bytes, of a value that is read as a whole in a bounded text.
    package static let largestElement = 64 << 10
    /// The largest number of members of a bounded text.
    private static let mostMembers = 1000

    /// A long list: an array or an object.
    package struct List {
        fileprivate let open: UInt8
        /// The largest number of elements.
        fileprivate let limit: Int

        /// An array of at most `limit` elements.
        package static func array(atMost limit: Int) -> List {
            List(open: UInt8(ascii: "["), limit: limit)
        }

        /// An object of at most `limit` members.
        package static func object(atMost limit: Int) -> List {
            List(open: UInt8(ascii: "{"), limit: limit)
        }
    }

    /// An element of a long list.
    package struct ListElement {
        /// The name of the list's member.
        package let list: String
        package let number: Int
        /// The element's name in an object; empty in an array.
        package let name: String
        package let value: JSONValue
    }

    /// Reads an object and streams the elements of its long lists.
    ///
    /// As a tree, the lists would take up to thirty times the memory of the text.
    ///
    /// - Parameters:
    ///   - lists: The members to stream. Members of another type are read normally.
    ///   - isBounded: Whether to limit the object to a thousand members, and values that are read
    ///     as a whole to ``largestElement`` bytes.
    ///   - receive: Receives each element; the rest of the text can still be rejected. For objects,
    ///     the caller must find duplicate names.
    /// - Returns: The value, with these lists empty.
    /// - Throws: ``JSONError``, errors of `receive`.
    package static func parse(
        _ bytes: [UInt8], lists: [String: List], isBounded: Bool,
        receive: (ListElement) throws -> Void
    ) throws -> JSONValue {
        var parser = try JSONParser(bytes)
        let value = try parser.object(
            lists, wholeLimit: isBounded ? largestElement : .max,
            memberLimit: isBounded ? mostMembers : .max, receive)
        try parser.finish()
        return value
    }

    private mutating func object(
        _ lists: [String: List], wholeLimit: Int, memberLimit: Int,
        _ receive: (ListElement) throws -> Void
    ) throws -> JSONValue {
        let open = UInt8(ascii: "{")
        guard try peek() == open else {
            return try bounded(by: wholeLimit) { parser throws(JSONError) in
                try parser.value(depth: 0)
            }
        }
        var members: [JSONValue.Member] = []
        var names = SeenNames()
        var isMore = try enter(open)
        while isMore {
            guard members.count < memberLimit else { throw error(.tooManyMembers) }
            let name = try bounded(by: wholeLimit) { parser throws(JSONError) in
                try parser.newName(&names, after: members)
            }
            let value: JSONValue
            if let list = lists[name], try peek() == list.open {
                value = try self.list(list, name, wholeLimit: wholeLimit, receive)
            } else {
                value = try bounded(by: wholeLimit) { parser throws(JSONError) in
                    try parser.value(depth: 1)
                }
            }
            members.append(.init(name, value))
            isMore = try next(in: open)
        }
        return .object(members)
    }

    private mutating func list(
        _ list: List, _ member: String, wholeLimit: Int, _ receive: (ListElement) throws -> Void
    ) throws -> JSONValue {
        let isObject = list.open == UInt8(ascii: "{")
        var number = 0
        var isMore = try enter(list.open)
        while isMore {
            guard number < list.limit else { throw error(.tooManyMembers) }
            let element = try bounded(by: wholeLimit) { parser throws(JSONError) in
                let name = isObject ? try parser.anyName() : ""
                return ListElement(
                    list: member, number: number, name: name, value: try parser.value(depth: 2))
            }
            try receive(element)
            number += 1
            isMore = try next(in: list.open)
        }
        return isObject ? .object([]) : .array([])
    }
}
