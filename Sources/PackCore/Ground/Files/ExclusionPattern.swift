/// A pattern of files to exclude from the package, with the syntax and meaning of a `.gitignore`
/// line.
///
/// Matching is by bytes, as in git. The time is linear in pattern length times path length, because
/// each part of a pattern backtracks to one star only. Source:
/// [gitignore](https://git-scm.com/docs/gitignore#_pattern_format), git's `wildmatch.c`.
package struct ExclusionPattern: Sendable, Equatable {
    /// The pattern as written by the user.
    package let text: String
    /// Whether the pattern re-includes files that an earlier one excluded (`!keep.map`).
    let isNegative: Bool
    /// Whether only directories match (`maps/`).
    let onlyDirectories: Bool
    /// Whether the pattern is matched against the whole path; otherwise against the last component.
    let isAnchored: Bool
    private let segments: [Segment]

    /// A pattern for one path component, or for any number of them.
    private enum Segment: Sendable, Equatable {
        /// `**`, or more stars: any number of components.
        case anyDepth
        case component([GlobToken])
    }

    /// The longest pattern, in bytes.
    static let lengthLimit = 1024

    /// - Throws: ``PatternFault`` for a pattern that git ignores or that can match nothing.
    package init(_ text: String) throws(PatternFault) {
        self.text = text
        var bytes = Array(text.utf8)[...]
        guard !bytes.isEmpty else { throw PatternFault("is empty") }
        guard bytes.count <= Self.lengthLimit else {
            throw PatternFault("has more than \(Self.lengthLimit) bytes")
        }
        guard bytes.first != UInt8(ascii: "#") else {
            throw PatternFault("starts with '#', a comment in .gitignore", example: "\\" + text)
        }
        guard bytes.last != UInt8(ascii: " "), bytes.first != UInt8(ascii: " ") else {
            throw PatternFault("starts or ends with a space", example: "*.map")
        }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw PatternFault("contains a control character")
        }
        isNegative = bytes.first == UInt8(ascii: "!")
        if isNegative { bytes.removeFirst() }
        let slash = UInt8(ascii: "/")
        onlyDirectories = bytes.last == slash
        if onlyDirectories { bytes.removeLast() }
        isAnchored = bytes.contains(slash)
        if bytes.first == slash { bytes.removeFirst() }
        guard !bytes.isEmpty else { throw PatternFault("names nothing") }
        var segments: [Segment] = []
        for part in bytes.split(separator: slash, omittingEmptySubsequences: false) {
            switch Array(part) {
            case []: throw PatternFault("has an empty component: '//'")
            case [UInt8(ascii: ".")], [UInt8(ascii: "."), UInt8(ascii: ".")]:
                throw PatternFault(
                    "has a component '.' or '..'; patterns are relative to the build",
                    example: "/static/*.map")
            case let part where part.count > 1 && part.allSatisfy({ $0 == UInt8(ascii: "*") }):
                segments.append(.anyDepth)
            case let part: segments.append(.component(try GlobToken.parse(part)))
            }
        }
        self.segments = segments
    }

    /// Whether a path matches, ignoring ``isNegative``.
    ///
    /// - Parameter path: Relative to the build output, without leading or trailing slash.
    func matches(_ path: [UInt8], isDirectory: Bool) -> Bool {
        if onlyDirectories, !isDirectory { return false }
        let slash = UInt8(ascii: "/")
        var components = path.split(separator: slash)
        if !isAnchored { components = Array(components.suffix(1)) }
        // Greedy matching with one backtracking point, for components and, inside them, for bytes.
        var (segment, component) = (0, 0)
        var retry: (segment: Int, component: Int)?
        while component < components.count {
            if segment < segments.count, segments[segment] == .anyDepth {
                retry = (segment, component)
                segment += 1
                // At the end, '**' needs a component of its own.
                if segment == segments.count { return true }
                continue
            }
            if segment < segments.count, case .component(let tokens) = segments[segment],
                GlobToken.match(tokens, components[component])
            {
                (segment, component) = (segment + 1, component + 1)
                continue
            }
            guard let back = retry else { return false }
            (segment, component) = (back.segment + 1, back.component + 1)
            retry = (back.segment, back.component + 1)
        }
        return segment == segments.count
    }
}

/// A pattern that cannot be used.
package struct PatternFault: Error, Equatable {
    package let problem: String
    /// A pattern of the right form.
    package let example: String

    init(_ problem: String, example: String = "**/*.map") {
        self.problem = problem
        self.example = example
    }
}
