import PackWeb

/// The pattern of a route, compared with the path of the launch URL.
///
/// The syntax is that of React Router, Vue Router, TanStack Router, SvelteKit and wouter.
struct RoutePattern {
    /// How a pattern matches a path.
    enum Match: Equatable {
        case none
        /// Literally.
        case whole
        /// With a part of the path as a parameter.
        case parameter
        /// `/*`: the component has routes of its own.
        case layout
        /// `*`: everything else.
        case wildcard
    }

    /// Whether the pattern starts at the root; otherwise a route around it is unknown.
    let isAnchored: Bool
    private let parts: [ArraySlice<UInt8>]
    /// Whether it is written as `*`, `**` or `/:name(.*)`, without a literal part.
    private let isWildcard: Bool
    /// Whether it is written as `/*`.
    private let isLayout: Bool

    init(_ route: RouterCode.Route) {
        let slash = UInt8(ascii: "/")
        let isAbsolute = route.pattern.first == slash
        let text =
            isAbsolute || route.outer.isEmpty
            ? route.pattern : route.outer + [slash] + route.pattern
        isAnchored = text.first == slash
        // SvelteKit: groups are not part of the path.
        parts = text.split(separator: slash).filter {
            !($0.first == UInt8(ascii: "(") && $0.last == UInt8(ascii: ")"))
        }
        isWildcard = parts.count == 1 && Self.isRest(parts[0])
        isLayout = route.pattern == Array("/*".utf8)
    }

    /// Whether the pattern is the root.
    var isRoot: Bool { parts.isEmpty }

    private static func isRest(_ part: ArraySlice<UInt8>) -> Bool {
        if part.elementsEqual("*".utf8) || part.elementsEqual("**".utf8)
            || part.elementsEqual("$".utf8)
        {
            return true
        }
        guard let first = part.first else { return false }
        switch first {
        case UInt8(ascii: ":"):
            return part.last == UInt8(ascii: "*") || part.last == UInt8(ascii: "+")
                || part.reversed().starts(with: ")*.(".utf8)
        case UInt8(ascii: "["): return part.starts(with: "[...".utf8)
        default: return false
        }
    }

    private static func isParameter(_ part: ArraySlice<UInt8>) -> Bool {
        switch part.first {
        case UInt8(ascii: ":"), UInt8(ascii: "$"), UInt8(ascii: "["): return true
        default: return false
        }
    }

    private static func isOptional(_ part: ArraySlice<UInt8>) -> Bool {
        part.last == UInt8(ascii: "?") || part.starts(with: "[[".utf8) || isRest(part)
    }

    /// Compares the pattern with the parts of a path.
    func match(_ path: [ArraySlice<UInt8>]) -> Match {
        if isLayout { return .layout }
        if isWildcard { return .wildcard }
        var usesParameter = false
        var rest = path[...]
        for part in parts {
            if Self.isRest(part) { return .parameter }
            guard let next = rest.first else {
                if Self.isOptional(part) { continue }
                return .none
            }
            if Self.isParameter(part) {
                usesParameter = true
            } else if part != next {
                return .none
            }
            rest = rest.dropFirst()
        }
        guard rest.isEmpty else { return .none }
        return usesParameter ? .parameter : .whole
    }
}
