import PackCheck

/// The presentation of text output.
struct TextStyle {
    /// The columns of the terminal, if any.
    let columns: Int?
    let isColored: Bool

    static let plain = TextStyle(columns: nil, isColored: false)
}

/// A line of text with optionally colored parts.
struct StyledLine {
    /// The meaning of a part of a line.
    enum Role {
        case error, warning, hint, strong, frame

        init(_ severity: Severity) {
            switch severity {
            case .error: self = .error
            case .warning: self = .warning
            case .hint: self = .hint
            }
        }

        /// The escape sequence at its start (ECMA-48, select graphic rendition), in colors readable
        /// on dark and light backgrounds.
        fileprivate var start: Text {
            switch self {
            case .error: "\u{1B}[1;31m"
            case .warning: "\u{1B}[1;33m"
            case .hint: "\u{1B}[1;36m"
            case .strong: "\u{1B}[1m"
            case .frame: "\u{1B}[34m"
            }
        }
    }

    private var parts: [(text: String, role: Role?)]

    init(_ text: String) { parts = [(text, nil)] }

    init(_ text: String, _ role: Role) { parts = [(text, role)] }

    static func + (one: StyledLine, other: StyledLine) -> StyledLine {
        var result = one
        result.parts += other.parts
        return result
    }

    var plain: String { parts.map(\.text).joined() }

    func text(isColored: Bool) -> Text {
        guard isColored else { return Text(plain) }
        return Text(
            joining: parts.map { part in
                guard let role = part.role, !part.text.isEmpty else { return Text(part.text) }
                return "\(role.start)\(part.text)\u{1B}[0m"
            }, with: "")
    }
}
