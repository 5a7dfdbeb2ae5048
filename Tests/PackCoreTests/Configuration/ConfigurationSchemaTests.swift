import Foundation
import PackCore
import TestSupport
import Testing

/// `docs/packtool.schema.json` describes to editors what the reader takes.
struct ConfigurationSchemaTests {
    private static func schema() throws -> [String: Any] {
        let path = Checkout.path + "/docs/packtool.schema.json"
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let object = try JSONSerialization.jsonObject(with: data)
        return try #require(object as? [String: Any])
    }

    @Test func hasTheKeysOfTheReader() throws {
        let schema = try Self.schema()
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["type"] as? String == "object")
        #expect(schema["additionalProperties"] as? Bool == false)
        let properties = try #require(schema["properties"] as? [String: [String: Any]])
        #expect(properties.keys.sorted() == ConfigurationKey.allCases.map(\.rawValue).sorted())
    }

    @Test(arguments: ConfigurationKey.allCases) func describesEachKey(_ key: ConfigurationKey)
        throws
    {
        let properties = try #require(try Self.schema()["properties"] as? [String: [String: Any]])
        let property = try #require(properties[key.rawValue])
        let description = try #require(property["description"] as? String)
        #expect(!description.isEmpty)
        #expect(property["enum"] as? [String] == key.choices)
    }
}
