/// Names that a script gives a literal address once: `const base = "/api"`.
struct JavaScriptConstants {
    /// `nil` for a name with more than one value.
    private var values: [[UInt8]: [UInt8]?] = [:]

    private static let most = 512
    /// Minified bundles use shorter names again and again, each for something else.
    private static let shortestName = 3
    /// Every use repeats the value, and no address is as long.
    private static let longestValue = 1_024
    /// In smaller scripts a short name has one meaning.
    private static let smallScript = 16_384

    private let shortest: Int

    init(scriptLength: Int) {
        shortest = scriptLength < Self.smallScript ? 1 : Self.shortestName
    }

    var isEmpty: Bool { values.isEmpty }

    /// Whether a name has one meaning in the whole script.
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

    /// Forgets the value of a name that is given another one, which is not known.
    mutating func forget(_ name: [UInt8]) {
        if values[name] != nil { values.updateValue(nil, forKey: name) }
    }

    /// Whether a name of that length can be known.
    func takes(length: Int) -> Bool { length >= shortest }

    subscript(name: [UInt8]) -> [UInt8]? { values[name] ?? nil }
}
