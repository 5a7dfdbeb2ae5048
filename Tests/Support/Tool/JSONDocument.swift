import Foundation

/// A JSON document, strictly parsed: one value, without trailing content.
package struct JSONDocument: @unchecked Sendable {
    private let value: Any

    package init(_ bytes: [UInt8]) throws {
        value = try JSONSerialization.jsonObject(with: Data(bytes))
    }

    private init(value: Any) { self.value = value }

    package subscript(_ key: String) -> JSONDocument? {
        (value as? [String: Any])?[key].map { JSONDocument(value: $0) }
    }

    package var text: String? { value as? String }
    package var number: Int? { (value as? NSNumber)?.intValue }
    package var flag: Bool? { value as? Bool }
    package var elements: [JSONDocument]? { (value as? [Any])?.map { JSONDocument(value: $0) } }
    package var keys: Set<String> { Set((value as? [String: Any])?.keys.map { $0 } ?? []) }
}
