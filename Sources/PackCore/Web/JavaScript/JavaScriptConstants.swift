/// Names to which a script assigns a literal address once: `const base = "/api"`.
struct JavaScriptConstants {
    /// `nil` for a name with more than one value.
    private var values: [[UInt8]: [UInt8]?] = [:]

    private static let most = 512
    /// Shorter names are ignored, because minified bundles reuse them for different values.
    private static let shortestName = 3
    /// Longer values are ignored: every use repeats the value, and no address is that long.
    private static let longestValue = 1_024
    /// In scripts up to this size, a short name has one meaning.
    private static let smallScript = 16_384

    private let shortest: Int

    init(scriptLength: Int) {
        shortest = scriptLength < Self.smallScript ? 1 : Self.shortestName
    }

    var isEmpty: Bool { values.isEmpty }

    /// Whether a name is assumed to have one meaning in the whole script.
    func takes(_ name: [UInt8]) -> Bool { takes(length: name.count) }

    mutating func set(_ name: [UInt8], _ value: [UInt8]) {
        guard takes(name) else { return }
        let value = value.count > Self.longestValue ? nil : value
        if let known = values[name] {
            if known != value { values.updateValue(nil, forKey: name) }
        } else if values.count < Self.most {
            values.updateValue(value, forKey: name)
        }
    }

    /// Forgets the value of a name after an assignment of an unknown value.
    mutating func forget(_ name: [UInt8]) {
        if values[name] != nil { values.updateValue(nil, forKey: name) }
    }

    /// Whether names of a length are tracked.
    func takes(length: Int) -> Bool { length >= shortest }

    subscript(name: [UInt8]) -> [UInt8]? { values[name] ?? nil }
}
