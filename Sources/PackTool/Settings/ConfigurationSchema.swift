import PackArchive
package import PackGround
import PackProfile
import PackRelease
import PackS3

/// The JSON schema of `packtool.yaml`, used by editors for completion and validation.
///
/// It is generated from ``SettingKey``, so it matches the reader, including top-level keys with
/// their parents, such as `check.api`, as proposed in messages. Source: [JSON Schema
/// 2020-12](https://json-schema.org/draft/2020-12).
package enum ConfigurationSchema {
    /// The name of the copy written by `init` next to `packtool.yaml`.
    package static let fileName = "packtool.schema.json"

    package static var json: JSONValue {
        .members([
            "$schema": .string("https://json-schema.org/draft/2020-12/schema"),
            "$id": .string(fileName), "title": .string("packtool.yaml"),
            "description": .string(
                "Settings of packtool for a front-end build. A flag of the same name takes precedence."
            ),
            "type": .string("object"), "additionalProperties": .bool(false),
            "properties": .object(
                SettingKey.allCases.map { .init($0.rawValue, property($0)) }),
        ])
    }

    private static func properties(under parent: SettingKey?) -> JSONValue {
        .object(SettingKey.keys(under: parent).map { .init($0.name, property($0)) })
    }

    private static func property(_ key: SettingKey) -> JSONValue {
        let members =
            [JSONValue.Member("description", .string(key.about))] + shape(of: key)
            + [
                key.schemaDefault.map { JSONValue.Member("default", .string($0)) },
                examples(of: key).map { JSONValue.Member("examples", $0) },
            ].compactMap { $0 }
        return .object(members)
    }

    private static func shape(of key: SettingKey) -> [JSONValue.Member] {
        let text = JSONValue.members(["type": .string("string")])
        switch key.form {
        case .text where key == .profileMinimumIOS:
            return [.init("type", .strings(["string", "number"]))]
        case .text:
            return [.init("type", .string("string"))]
                + (key.schemaPattern.map { [.init("pattern", .string($0))] } ?? [])
        case .texts:
            let list = JSONValue.members(["type": .string("array"), "items": text])
            return [.init("oneOf", .array([text, list]))]
        case .choice(let words): return [.init("enum", .strings(words))]
        case .choiceOrBlock(let words):
            return [
                .init(
                    "oneOf",
                    .array([.members(["enum": .strings(words)]), .object(block(of: key))]))
            ]
        case .profiles(let words):
            let block = JSONValue.members([
                "type": .string("object"), "additionalProperties": .bool(false),
                "properties": .object(
                    SettingKey.ofProfiles.map { .init($0.name, property($0)) }),
            ])
            let entry = JSONValue.members([
                "oneOf": .array([.members(["enum": .strings(words)]), block])
            ])
            return [
                .init("type", .string("array")), .init("minItems", .integer(1)),
                .init("items", entry),
            ]
        case .number(let range):
            return [
                .init("type", .string("integer")), .init("minimum", .integer(range.lowerBound)),
                .init("maximum", .integer(range.upperBound)),
            ]
        case .truth: return [.init("type", .string("boolean"))]
        case .size:
            return [
                .init("type", .strings(["string", "integer"])),
                .init(
                    "pattern",
                    .string(
                        #"^([0-9]+ ?B?|[0-9]+(\.[0-9]{1,3})? ?(kB|KB|MB|GB|KiB|MiB|GiB))$"#)),
            ]
        case .table:
            return [
                .init("type", .string("object")),
                .init("propertyNames", .members(["pattern": .string("^[^.]+$")])),
                .init(
                    "additionalProperties",
                    .members(["type": .string("string"), "pattern": .string("^[^/]+/[^/]+$")])),
            ]
        case .block: return block(of: key)
        }
    }

    private static func block(of key: SettingKey) -> [JSONValue.Member] {
        [
            .init("type", .string("object")), .init("additionalProperties", .bool(false)),
            .init("properties", properties(under: key)),
        ]
    }

    /// The example of a value that is also plain text in the file.
    private static func examples(of key: SettingKey) -> JSONValue? {
        switch key.form {
        case .text where key.schemaDefault == nil, .size: .strings([key.example])
        case .texts:
            .array([.strings([key.example.filter { !"[]\"".contains($0) }])])
        case .number: Int(key.example).map { .array([.integer($0)]) }
        default: nil
        }
    }
}

extension SettingKey {
    /// The regular expression for a text, if one is sufficient.
    fileprivate var schemaPattern: String? {
        switch self {
        case .app: "^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$"
        case .baseURL: "^https?://"
        case .channel: "^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9_-])?$"
        case .profileRoot: "^/(.*/)?$"
        case .scheme: "^[a-z][a-z0-9+.-]*$"
        default: nil
        }
    }

    /// The default that applies independently of other settings.
    fileprivate var schemaDefault: String? {
        switch self {
        case .channel: Defaults.channel.description
        case .launch: Defaults.launch
        case .level: Defaults.level.rawValue
        case .pageOrigin: Defaults.pageOrigin.rawValue
        case .profile: Defaults.profile.name
        case .profileBase: Defaults.profileBase.name
        case .profileRoot: "/"
        case .s3Addressing: Defaults.addressing.rawValue
        case .budgetFile, .budgetPackage: Defaults.text(of: self)
        default: nil
        }
    }
}
