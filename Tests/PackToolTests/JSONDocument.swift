import Foundation

/// A JSON document as a strict parser reads it: one value, nothing after it.
struct JSONDocument: @unchecked Sendable {
    private let value: Any

    init(_ bytes: [UInt8]) throws {
        value = try JSONSerialization.jsonObject(with: Data(bytes))
    }

    private init(value: Any) { self.value = value }

    subscript(_ key: String) -> JSONDocument? {
        (value as? [String: Any])?[key].map { JSONDocument(value: $0) }
    }

    var text: String? { value as? String }
    var number: Int? { (value as? NSNumber)?.intValue }
    var flag: Bool? { value as? Bool }
    var elements: [JSONDocument]? { (value as? [Any])?.map { JSONDocument(value: $0) } }
    var keys: Set<String> { Set((value as? [String: Any])?.keys.map { $0 } ?? []) }
}
