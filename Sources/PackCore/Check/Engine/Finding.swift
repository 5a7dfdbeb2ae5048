import PackGround

/// One problem found by a rule.
package struct Finding: Equatable, Sendable {
    /// The id of the rule.
    package let rule: String
    package let severity: Severity
    /// The path relative to the build; `.` for the build as a whole.
    package let path: String
    /// `nil` for a finding about a whole file or the build.
    package let place: Place?
    /// The affected bytes of the file.
    package let range: Range<Int>?
    /// One sentence.
    package let message: String
    private let details: [String]
    package internal(set) var fix: Fix?
    /// The number of findings beyond the limit of a rule and file represented by this one;
    /// otherwise `nil`.
    package private(set) var leftOut: Int?
    /// Findings of a rule with the same cause are merged.
    let cause: String?
    /// A setting in `packtool.yaml` that resolves the finding if the build is correct as it is.
    package internal(set) var setting: SettingProposal?
    /// The other locations with the same cause.
    package internal(set) var repeats = Repeats()
    /// The result of opening the pages; `nil` if they were not opened, or it does not concern the
    /// finding.
    package internal(set) var engine: EngineEvidence?

    package init(
        rule: String, severity: Severity, path: String, place: Place? = nil,
        range: Range<Int>? = nil, message: String, notes: [String] = [], fix: Fix? = nil,
        leftOut: Int? = nil, cause: String? = nil, setting: SettingProposal? = nil,
        engine: EngineEvidence? = nil
    ) {
        self.engine = engine
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

    /// The message of a summary finding; without its count, so that a baseline matches it.
    static let leftOutMessage = "more findings of this rule"

    /// The number of findings represented by this one.
    package var count: Int { leftOut ?? 1 }

    /// The names of the profiles with this finding, if others do not have it.
    package var profiles: [String] = []

    /// The message, with the count of a summary finding and the profiles.
    package var summary: String {
        (leftOut.map { "\(grouped($0)) \(message)" } ?? message)
            + (profiles.isEmpty ? "" : " (\(profiles.joined(separator: ", ")))")
    }

    /// The finding with `others` subtracted from its count; `nil` if none remain.
    func standing(without others: Int) -> Finding? {
        guard others < count else { return nil }
        var rest = self
        rest.leftOut = count - others
        return rest
    }

    /// The resolved URL, the looked-up name, the likely intended file, the other locations.
    package var notes: [String] { details + (repeats.note.map { [$0] } ?? []) }

    /// The number of locations, if there are several.
    package var places: Int? { leftOut ?? (repeats.count > 0 ? repeats.count + 1 : nil) }

    /// The number of locations, at least 1.
    package var placeCount: Int { places ?? 1 }

    /// The same finding with other notes.
    func noting(_ notes: [String]) -> Finding {
        Finding(
            rule: rule, severity: severity, path: path, place: place, range: range,
            message: message, notes: notes, fix: fix, leftOut: leftOut, cause: cause,
            setting: setting)
    }

    /// The same finding with other values.
    ///
    /// - Parameters:
    ///   - path: Another file, for a finding without a place.
    ///   - notes: All notes but the one about other locations, which stays.
    package func with(
        severity: Severity? = nil, path: String? = nil, notes: [String]? = nil,
        engine: EngineEvidence? = nil
    ) -> Finding {
        let own = repeats.note
        var copy = Finding(
            rule: rule, severity: severity ?? self.severity, path: path ?? self.path, place: place,
            range: range, message: message,
            notes: notes.map { $0.filter { $0 != own } } ?? details, fix: fix, leftOut: leftOut,
            cause: cause, setting: setting, engine: engine ?? self.engine)
        copy.repeats = repeats
        copy.profiles = profiles
        return copy
    }

    /// Orders by severity, file, position and rule; a summary finding is the last of its file.
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

/// The result of opening the pages for a finding.
package enum EngineEvidence: String, Sendable {
    /// The engine saw the finding of the static check fail.
    case confirmed
    /// The engine saw it work: an error became a warning.
    case contradicted
    /// Only the engine found it.
    case found
}

/// The location of a finding in a file, for display.
package struct Place: Equatable, Sendable {
    /// 1-based.
    package let line: Int
    /// 1-based, in bytes.
    package let column: Int
    /// 1-based, in code points, as used by SARIF and GitHub.
    package let codePointColumn: Int
    /// Part of the line, printable.
    package let excerpt: String
    /// The number of characters before the finding in the excerpt.
    package let caret: Int
    /// The length of the finding in the excerpt in characters, at least 1.
    package let caretLength: Int
}

/// A change to a file that resolves a finding.
package struct Fix: Equatable, Sendable {
    /// Whether a fix can change behavior beyond its finding.
    package enum Safety: String, Sendable {
        case safe, unsafe
    }

    package let safety: Safety
    /// A short description: "write 'customscheme://'".
    package let summary: String
    /// Non-overlapping edits of the finding's file.
    package let edits: [ByteEdit]

    package init(_ safety: Safety, _ summary: String, edits: [ByteEdit]) {
        self.safety = safety
        self.summary = summary
        self.edits = edits
    }
}

/// A range of bytes and its replacement.
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

    /// The content with all edits applied; `nil` if two overlap or one is out of range.
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
