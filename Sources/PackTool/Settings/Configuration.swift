/// Settings from one source: `packtool.yaml`, or the flags of a command.
package struct Configuration: Equatable, Sendable {
    /// A value as written.
    package enum Content: Equatable, Sendable {
        case text(String)
        case texts([String])
        case number(Int)
        case truth(Bool)
        /// In bytes.
        case size(UInt64)
        case table([String: String])
        /// Words, or blocks of other settings.
        case list([Configuration])
    }

    private struct Value: Equatable, Sendable {
        let content: Content
        let line: Int?
    }

    private var values: [SettingKey: Value] = [:]
    /// The file name for messages; `nil` for flags.
    package let file: String?

    /// Old names in the file, each with the new one.
    package internal(set) var notes: [String] = []

    package init(file: String? = nil) { self.file = file }

    /// All given settings.
    package var contents: [SettingKey: Content] { values.mapValues(\.content) }

    package subscript(key: SettingKey) -> Content? { values[key]?.content }

    /// The location of a setting: `packtool.yaml:3`; `nil` for a flag.
    package func location(of key: SettingKey) -> String? {
        guard let file, let value = values[key] else { return nil }
        return value.line.map { "\(file):\($0)" } ?? file
    }

    /// The 1-based line of a setting.
    package func line(of key: SettingKey) -> Int? { values[key]?.line }

    /// Sets a value, and the 1-based line of the file with it.
    package mutating func set(_ key: SettingKey, _ content: Content, line: Int? = nil) {
        values[key] = Value(content: content, line: line)
    }

    /// Removes a setting.
    package mutating func unset(_ key: SettingKey) { values[key] = nil }

    /// Sets the value of a flag, if given.
    package mutating func set(_ key: SettingKey, _ text: String?) {
        if let text { set(key, .text(text)) }
    }

    /// Sets the values of a repeatable flag, if given.
    package mutating func set(_ key: SettingKey, _ texts: [String]) {
        if !texts.isEmpty { set(key, .texts(texts)) }
    }

    /// Sets the value of a flag, if given.
    package mutating func set(_ key: SettingKey, _ number: Int?) {
        if let number { set(key, .number(number)) }
    }

    // MARK: - By kind

    /// The value if it is text.
    package func text(_ key: SettingKey) -> String? {
        if case .text(let text)? = self[key] { return text }
        return nil
    }

    /// The value if it is a list of texts.
    package func texts(_ key: SettingKey) -> [String]? {
        if case .texts(let texts)? = self[key] { return texts }
        return nil
    }

    /// The value if it is a number.
    package func number(_ key: SettingKey) -> Int? {
        if case .number(let number)? = self[key] { return number }
        return nil
    }

    /// The value if it is a truth value.
    package func truth(_ key: SettingKey) -> Bool? {
        if case .truth(let truth)? = self[key] { return truth }
        return nil
    }

    /// The value if it is a size, in bytes.
    package func size(_ key: SettingKey) -> UInt64? {
        if case .size(let size)? = self[key] { return size }
        return nil
    }

    /// The value if it is a list of blocks.
    package func list(_ key: SettingKey) -> [Configuration]? {
        if case .list(let list)? = self[key] { return list }
        return nil
    }

    /// The value if it is a table of texts.
    package func table(_ key: SettingKey) -> [String: String]? {
        if case .table(let table)? = self[key] { return table }
        return nil
    }
}
