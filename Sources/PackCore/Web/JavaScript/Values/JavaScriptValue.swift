/// The known values of an expression in the page that a script runs in.
enum JavaScriptValue: Equatable, Sendable {
    case unknown
    case boolean(Bool)
    /// Not true in the web view of an app; its negation is unknown.
    case withheld
    /// Most likely not true: no known source defines the name.
    case unlikely
    /// One of several texts, at least one.
    case texts([[UInt8]])
    /// A text of which only some parts are known.
    case composed([Part])
    /// A part of the page's address.
    case page(Page)
    /// A text of which the start is known, and that nothing of interest follows.
    case start([UInt8])
    /// The user agent.
    case agent(JavaScriptSurroundings.Engine)
    /// The result of `typeof` for an existing value.
    case type
    case undefined
    /// An object of the web view, by its name if that is of interest.
    case object(JavaScriptName?)
    case number(Int)
    /// A regular expression: its bytes, and whether it ignores case.
    case pattern([UInt8], ignoresCase: Bool)
    /// An array, an object literal and a function of the script.
    case list(JavaScriptNode.ID)
    case record(JavaScriptNode.ID)
    case function(JavaScriptNode.ID)

    /// A part of a text.
    enum Part: Equatable, Sendable {
        case text([UInt8])
        case page(Page)
        /// An unknown text.
        case hole
    }

    /// A part of the page's address.
    enum Page: Sendable {
        case href, origin, `protocol`, host, hostname, port, pathname, search, hash
        /// The address that relative ones are resolved against.
        case base
    }

    static func text(_ text: String) -> JavaScriptValue { .texts([Array(text.utf8)]) }

    /// The text, if it is the only one.
    var text: [UInt8]? {
        switch self {
        case .texts(let texts): texts.count == 1 ? texts[0] : nil
        case .number(let number): Array(String(number).utf8)
        default: nil
        }
    }

    /// Whether the value is true in a condition: a boolean, or another state of knowledge.
    var truth: JavaScriptValue {
        switch self {
        case .boolean, .withheld, .unlikely, .unknown: return self
        case .texts(let texts):
            let isEmpty = texts.map(\.isEmpty)
            return isEmpty.contains(true)
                ? isEmpty.contains(false) ? .unknown : .boolean(false) : .boolean(true)
        case .composed(let parts):
            let isFilled = parts.contains {
                if case .text(let text) = $0 { !text.isEmpty } else { false }
            }
            return isFilled ? .boolean(true) : .unknown
        case .page(let page):
            switch page {
            case .port, .search, .hash, .host, .hostname: return .unknown
            default: return .boolean(true)
            }
        case .undefined: return .boolean(false)
        case .number(let number): return .boolean(number != 0)
        case .agent, .type, .object, .pattern, .list, .record, .function, .start:
            return .boolean(true)
        }
    }

    var negated: JavaScriptValue {
        if case .boolean(let value) = truth { return .boolean(!value) }
        return .unknown
    }

    // MARK: - Joining

    /// The largest number of texts of one value.
    static let mostTexts = 128
    private static let longestText = 1_024
    private static let mostParts = 64

    private var parts: [Part] {
        switch self {
        case .composed(let parts): parts
        case .page(let page): [.page(page)]
        default: text.map { $0.isEmpty ? [] : [.text($0)] } ?? [.hole]
        }
    }

    private var allTexts: [[UInt8]]? {
        if case .texts(let texts) = self { return texts }
        return text.map { [$0] }
    }

    /// The text of two values, one after the other.
    func joined(_ other: JavaScriptValue) -> JavaScriptValue {
        if let one = allTexts, let two = other.allTexts {
            // Several values of both depend on each other most often: `n + endings[n]`.
            guard one.count == 1 || two.count == 1 else { return .unknown }
            let longest = (one.map(\.count).max() ?? 0) + (two.map(\.count).max() ?? 0)
            guard one.count * two.count <= Self.mostTexts, longest <= Self.longestText else {
                return .unknown
            }
            return .texts(one.flatMap { first in two.map { first + $0 } })
        }
        var all = parts
        for part in other.parts {
            if case .text(let more) = part, case .text(let last)? = all.last {
                guard last.count + more.count <= Self.longestText else { return .unknown }
                all[all.count - 1] = .text(last + more)
            } else if part != .hole || all.last != .hole {
                all.append(part)
            }
        }
        return all.count <= Self.mostParts && all != [.hole] ? .composed(all) : .unknown
    }

    /// One of two values.
    func or(_ other: JavaScriptValue) -> JavaScriptValue {
        if self == other { return self }
        guard let one = allTexts, let two = other.allTexts, one.count + two.count <= Self.mostTexts
        else { return .unknown }
        return .texts(one + two.filter { !one.contains($0) })
    }
}
