/// One thing that a rule found (contract section 8).
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
    /// What helps to understand: the resolved URL, the name looked up, a file that was meant.
    package let notes: [String]
    package let fix: Fix?

    package init(
        rule: String, severity: Severity, path: String, place: Place? = nil,
        range: Range<Int>? = nil, message: String, notes: [String] = [], fix: Fix? = nil
    ) {
        self.rule = rule
        self.severity = severity
        self.path = path
        self.place = place
        self.range = range
        self.message = message
        self.notes = notes
        self.fix = fix
    }

    /// By file, position and rule.
    package static func areInOrder(_ one: Finding, _ other: Finding) -> Bool {
        if one.path != other.path {
            return one.path.utf8.lexicographicallyPrecedes(other.path.utf8)
        }
        let start = one.range?.lowerBound ?? -1
        let otherStart = other.range?.lowerBound ?? -1
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
    /// Part of the line, printable.
    package let excerpt: String
    /// How many characters of the excerpt stand before the finding.
    package let caret: Int
    /// How many characters the finding has in the excerpt, at least 1.
    package let caretLength: Int
}

/// A change that would make a finding go away.
package struct Fix: Equatable, Sendable {
    /// Whether it can change more than what the finding is about.
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

/// Bytes of a file and what takes their place.
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

    /// The content with all edits made; `nil` where two of them overlap or one lies outside.
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
