import PackGround

/// One problem that a rule found.
package struct Finding: Equatable, Sendable {
    /// The id of the rule.
    package let rule: String
    package let severity: Severity
    /// The file, relative to the build; `.` for the build as a whole.
    package let path: String
    /// `nil` for a finding about a file or the build as a whole.
    package let place: Place?
    /// The bytes of the file that the finding is about.
    package let range: Range<Int>?
    /// One sentence.
    package let message: String
    private let details: [String]
    package let fix: Fix?
    /// The number of findings beyond the limit of a rule and file that this one represents; `nil`
    /// for any other.
    package private(set) var leftOut: Int?
    /// Findings of a rule with the same cause are one.
    let cause: String?
    /// A line of `packtool.yaml` that ends it, where the build may be right as it is.
    package internal(set) var setting: SettingProposal?
    /// The other places with the same cause.
    package internal(set) var repeats = Repeats()

    package init(
        rule: String, severity: Severity, path: String, place: Place? = nil,
        range: Range<Int>? = nil, message: String, notes: [String] = [], fix: Fix? = nil,
        leftOut: Int? = nil, cause: String? = nil, setting: SettingProposal? = nil
    ) {
        self.rule = rule
        self.severity = severity
        self.path = path
        self.place = place
        self.range = range
        self.message = message
        details = notes
        self.fix = fix
        self.leftOut = leftOut
        self.cause = cause
        self.setting = setting
    }

    /// The message of a finding that represents others; without a number, so that a baseline
    /// matches it.
    static let leftOutMessage = "more findings of this rule"

    /// The number of findings that it counts for.
    package var count: Int { leftOut ?? 1 }

    /// The message, with the count if it represents several findings.
    package var summary: String { leftOut.map { "\(grouped($0)) \(message)" } ?? message }

    /// The same for fewer findings; `nil` for none.
    func standing(without others: Int) -> Finding? {
        guard others < count else { return nil }
        var rest = self
        rest.leftOut = count - others
        return rest
    }

    /// Details: the resolved URL, the name that was looked up, a file that was meant, the other places.
    package var notes: [String] { details + (repeats.note.map { [$0] } ?? []) }

    /// The number of its places, if there are several.
    package var places: Int? { leftOut ?? (repeats.count > 0 ? repeats.count + 1 : nil) }

    /// The number of its places, at least 1.
    package var placeCount: Int { places ?? 1 }

    /// The same with other notes.
    func noting(_ notes: [String]) -> Finding {
        Finding(
            rule: rule, severity: severity, path: path, place: place, range: range,
            message: message, notes: notes, fix: fix, leftOut: leftOut, cause: cause,
            setting: setting)
    }

    /// By severity, then file, position and rule; a finding that represents others is last in its file.
    package static func areInOrder(_ one: Finding, _ other: Finding) -> Bool {
        if one.severity != other.severity { return one.severity > other.severity }
        if one.path != other.path {
            return one.path.utf8.lexicographicallyPrecedes(other.path.utf8)
        }
        let start = one.leftOut == nil ? one.range?.lowerBound ?? -1 : Int.max
        let otherStart = other.leftOut == nil ? other.range?.lowerBound ?? -1 : Int.max
        if start != otherStart { return start < otherStart }
        if one.rule != other.rule { return one.rule < other.rule }
        return one.message < other.message
    }
}

/// Where in a file a finding is, for people.
package struct Place: Equatable, Sendable {
    /// 1-based.
    package let line: Int
    /// 1-based, in bytes.
    package let column: Int
    /// 1-based, in code points, as SARIF and GitHub count.
    package let codePointColumn: Int
    /// Part of the line, printable.
    package let excerpt: String
    /// The number of characters in the excerpt before the finding.
    package let caret: Int
    /// The number of characters of the finding in the excerpt, at least 1.
    package let caretLength: Int
}

/// A change that would make a finding go away.
package struct Fix: Equatable, Sendable {
    /// Whether it may change more than the finding is about.
    package enum Safety: String, Sendable {
        case safe, unsafe
    }

    package let safety: Safety
    /// What it does, in a few words: "write 'customscheme://'".
    package let summary: String
    /// Changes to the file of the finding; they do not overlap.
    package let edits: [ByteEdit]

    package init(_ safety: Safety, _ summary: String, edits: [ByteEdit]) {
        self.safety = safety
        self.summary = summary
        self.edits = edits
    }
}

/// Bytes of a file and their replacement.
package struct ByteEdit: Equatable, Sendable {
    package let range: Range<Int>
    package let bytes: [UInt8]

    package init(_ range: Range<Int>, _ bytes: [UInt8]) {
        self.range = range
        self.bytes = bytes
    }

    package init(_ range: Range<Int>, _ text: String) {
        self.init(range, Array(text.utf8))
    }

    /// The content with all edits applied; `nil` if two of them overlap or one is out of range.
    package static func apply(_ edits: [ByteEdit], to content: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var copied = 0
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            guard edit.range.lowerBound >= copied, edit.range.upperBound <= content.count else {
                return nil
            }
            result += content[copied..<edit.range.lowerBound]
            result += edit.bytes
            copied = edit.range.upperBound
        }
        return result + content[copied...]
    }
}
