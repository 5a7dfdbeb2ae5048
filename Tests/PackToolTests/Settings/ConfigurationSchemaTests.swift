import Foundation
import PackReport
import PackSettings
import TestSupport
import Testing

/// `docs/packtool.schema.json` describes exactly the settings that the reader accepts.
struct ConfigurationSchemaTests {
    private static func schema() throws -> [String: Any] {
        let data = try Data(
            contentsOf: URL(
                fileURLWithPath: Checkout.path + "/docs/packtool.schema.json"))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// The schema of a key.
    private func property(_ key: SettingKey) throws -> [String: Any] {
        let outer = try key.parent.map(property) ?? Self.schema()
        let block = try #require((outer["oneOf"] as? [[String: Any]])?.last ?? outer)
        let properties = try #require(block["properties"] as? [String: [String: Any]])
        return try #require(properties[key.name], "\(key.rawValue) is not in the schema")
    }

    @Test func isOfTheDraftThatEditorsKnow() throws {
        let schema = try Self.schema()
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["$id"] as? String == "packtool.schema.json")
    }

    @Test(arguments: [nil] + SettingKey.allCases.filter { !SettingKey.keys(under: $0).isEmpty })
    func hasTheKeysOfTheReader(_ parent: SettingKey?) throws {
        let outer = try parent.map(property) ?? Self.schema()
        let block = try #require((outer["oneOf"] as? [[String: Any]])?.last ?? outer)
        #expect(block["type"] as? String == "object")
        #expect(block["additionalProperties"] as? Bool == false)
        let properties = try #require(block["properties"] as? [String: Any])
        let names =
            parent == nil
            ? SettingKey.allCases.map(\.rawValue) : SettingKey.keys(under: parent).map(\.name)
        #expect(properties.keys.sorted() == names.sorted())
    }

    @Test(arguments: SettingKey.allCases) func describesEachKey(_ key: SettingKey) throws {
        let property = try property(key)
        #expect(property["description"] as? String == key.about)
        switch key.form {
        case .text:
            #expect(
                property["type"] as? String == "string"
                    || property["type"] as? [String] == ["string", "number"])
        case .texts:
            let forms = property["oneOf"] as? [[String: Any]]
            #expect(forms?.compactMap { $0["type"] as? String } == ["string", "array"])
        case .choice(let words): #expect(property["enum"] as? [String] == words)
        case .choiceOrBlock(let words):
            let forms = property["oneOf"] as? [[String: Any]]
            #expect(forms?.first?["enum"] as? [String] == words)
        case .profiles(let words):
            #expect(property["type"] as? String == "array")
            let forms = (property["items"] as? [String: Any])?["oneOf"] as? [[String: Any]]
            #expect(forms?.first?["enum"] as? [String] == words)
            let keys = (forms?.last?["properties"] as? [String: Any])?.keys.sorted()
            #expect(keys == SettingKey.ofProfiles.map(\.name).sorted())
        case .number(let range):
            #expect(property["type"] as? String == "integer")
            #expect(property["minimum"] as? Int == range.lowerBound)
            #expect(property["maximum"] as? Int == range.upperBound)
        case .truth: #expect(property["type"] as? String == "boolean")
        case .size:
            #expect(property["type"] as? [String] == ["string", "integer"])
            let pattern = try Regex(#require(property["pattern"] as? String))
            for good in ["5 MB", "1.5 MiB", "812"] { #expect(good.contains(pattern), "\(good)") }
            for bad in ["5 mb", "big", "1."] { #expect(!bad.contains(pattern), "\(bad)") }
        case .table, .block: #expect(property["type"] as? String == "object")
        }
    }
}
