/// Collects a limited number of findings for each rule, and counts the rest.
///
/// Messages and fixes are only created for findings that are kept.
package struct FindingSink {
    /// The maximum number of findings of one rule and severity in a file.
    package static let limit = 100

    /// A finding before its line and column are known.
    struct Draft: Sendable {
        let rule: String
        let severity: Severity
        let subject: Subject
        var range: Range<Int>?
        let message: String
        let notes: [String]
        let fix: Fix?
        /// The number of findings beyond the limit represented by this one; otherwise `nil`.
        var leftOut: Int?
        /// The request that must fail in a page or worker for the finding to apply.
        var late: LateReference?
        var cause: String?
        var setting: SettingProposal?
        /// The first other ranges in the file with the same cause, and the number of all of them.
        var others: [Range<Int>?] = []
        var otherCount = 0

        /// The draft with its ranges clamped to the text.
        func inside(_ text: Range<Int>) -> Draft {
            var draft = self
            draft.range = range?.clamped(to: text)
            draft.others = others.map { $0?.clamped(to: text) }
            return draft
        }
    }

    private struct Cause: Hashable {
        let group: Group
        let text: String
    }

    /// The subject of a finding.
    enum Subject: Hashable, Sendable {
        /// A file of the build, by index.
        case file(Int)
        /// A name that is not in the build: a refused file name, or `.` for the build itself.
        case name(String)
    }

    /// The scope of the limit within the current rule.
    private struct Group: Hashable {
        /// `nil` for all names that are not files of the build.
        let file: Int?
        let severity: Severity
        let isLate: Bool

        init(_ subject: Subject, _ severity: Severity, isLate: Bool) {
            self.isLate = isLate
            file =
                switch subject {
                case .file(let index): index
                case .name: nil
                }
            self.severity = severity
        }
    }

    private struct Tally {
        var count = 0
        /// The index of the last kept draft.
        var last = 0
    }

    /// The current file; `nil` for rules about the whole build.
    private let file: Int?
    private let keepsFixes: Bool
    /// By file index.
    private(set) var comments: [Int: IgnoreComments]
    /// The indices of files with comments, by name.
    private let commented: [String: Int]
    /// The counts of the current rule.
    private var tallies: [Group: Tally] = [:]
    /// The drafts of the current rule, by cause.
    private var causes: [Cause: Int] = [:]
    private var rule = ""
    /// The severity of findings unless the rule overrides it.
    package private(set) var severity = Severity.hint

    private(set) var drafts: [Draft] = []
    /// The safe fixes of findings beyond the limit, by file.
    private(set) var fixes: [Int: [[ByteEdit]]] = [:]

    /// The end of the last fix of the current rule, by file.
    private var fixed: [Int: Int] = [:]

    /// - Parameters:
    ///   - comments: The ignore comments of the checked files; findings covered by them are
    ///     suppressed.
    ///   - commented: The indices of these files, for rules that report names.
    ///   - keepsFixes: Whether to keep safe fixes beyond the limit.
    init(
        file: Int?, comments: [Int: IgnoreComments], commented: [String: Int] = [:],
        keepsFixes: Bool
    ) {
        self.file = file
        self.comments = comments
        self.commented = commented
        self.keepsFixes = keepsFixes
    }

    /// Collects the findings of one rule.
    mutating func run(
        _ rule: String, _ severity: Severity, _ body: (inout FindingSink) throws -> Void
    ) rethrows {
        begin(rule, severity)
        try body(&self)
        end()
    }

    /// Starts collecting the findings of a rule.
    ///
    /// With ``end()`` an alternative to ``run(_:_:_:)`` without a closure, which would copy
    /// everything the rule reads.
    mutating func begin(_ rule: String, _ severity: Severity) {
        self.rule = rule
        self.severity = severity
        if !fixed.isEmpty { fixed = [:] }
    }

    /// Ends the findings of a rule.
    mutating func end() {
        if !causes.isEmpty { causes = [:] }
        if tallies.isEmpty { return }
        // The number of late findings that apply is not known yet.
        for (group, tally) in tallies where tally.count > Self.limit + 1 && !group.isLate {
            if keepsFixes, let file = group.file, let fix = drafts[tally.last].fix,
                fix.safety == .safe
            {
                fixes[file, default: []].append(fix.edits)
            }
            drafts[tally.last] = Draft(
                rule: rule, severity: group.severity,
                subject: group.file.map { .file($0) } ?? .name("."), range: nil,
                message: Finding.leftOutMessage, notes: [], fix: nil,
                leftOut: tally.count - Self.limit)
        }
        tallies.removeAll(keepingCapacity: true)
    }

    /// Reports a reference of the current file.
    ///
    /// The severity is limited by the role of the reference: `noscript` content never loads in
    /// pages that run scripts, so its findings are hints.
    package mutating func report(
        _ reference: Reference, _ message: @autoclosure () -> String,
        notes: @autoclosure () -> [String] = [], fix: @autoclosure () -> Fix? = nil,
        severity: Severity? = nil, cause: String? = nil,
        setting: @autoclosure () -> SettingProposal? = nil
    ) {
        let severity = severity ?? self.severity
        append(
            file.map { .file($0) } ?? .name("."), reference.range, message, notes, fix,
            reference.consequence(severity),
            late: reference.traits.contains(.late) ? LateReference(reference) : nil, cause: cause,
            setting: setting)
    }

    /// Reports a range of the current file, or the whole file.
    package mutating func report(
        at range: Range<Int>?, _ message: @autoclosure () -> String,
        notes: @autoclosure () -> [String] = [], fix: @autoclosure () -> Fix? = nil,
        severity: Severity? = nil, cause: String? = nil,
        setting: @autoclosure () -> SettingProposal? = nil
    ) {
        append(
            file.map { .file($0) } ?? .name("."), range, message, notes, fix, severity,
            cause: cause, setting: setting)
    }

    /// Reports a file of the build, or a range in it.
    package mutating func report(
        file: Int, at range: Range<Int>? = nil, _ message: @autoclosure () -> String,
        notes: @autoclosure () -> [String] = [], fix: @autoclosure () -> Fix? = nil,
        severity: Severity? = nil, cause: String? = nil,
        setting: @autoclosure () -> SettingProposal? = nil
    ) {
        append(
            .file(file), range, message, notes, fix, severity, cause: cause, setting: setting)
    }

    /// Reports a name that is not a file of the build; `.` is the build itself.
    package mutating func report(
        name: String, _ message: @autoclosure () -> String,
        notes: @autoclosure () -> [String] = [], severity: Severity? = nil, cause: String? = nil
    ) {
        append(
            .name(name), nil, message, notes, { nil }, severity, cause: cause, setting: { nil })
    }

    /// Reports a comment that suppressed nothing; comments cannot suppress this finding.
    mutating func report(idle comment: Range<Int>, in file: Int, rule: String) {
        keep(
            .file(file), comment, { "'\(rule)' finds nothing here; remove the comment" },
            { [] }, { nil }, severity)
    }

    private mutating func append(
        _ subject: Subject, _ range: Range<Int>?, _ message: () -> String,
        _ notes: () -> [String], _ fix: () -> Fix?, _ severity: Severity?,
        late: LateReference? = nil, cause: String? = nil, setting: () -> SettingProposal?
    ) {
        if !comments.isEmpty, isQuiet(subject, range) { return }
        keep(subject, range, message, notes, fix, severity ?? self.severity, late, cause, setting)
    }

    private mutating func isQuiet(_ subject: Subject, _ range: Range<Int>?) -> Bool {
        let number: Int? =
            switch subject {
            case .file(let index): index
            case .name(let name): commented[name]
            }
        guard let number else { return false }
        return comments[number]?.quiets(rule, at: range?.lowerBound) ?? false
    }

    private mutating func keep(
        _ subject: Subject, _ range: Range<Int>?, _ message: () -> String,
        _ notes: () -> [String], _ fix: () -> Fix?, _ severity: Severity,
        _ late: LateReference? = nil, _ cause: String? = nil,
        _ setting: () -> SettingProposal? = { nil }
    ) {
        let group = Group(subject, severity, isLate: late != nil)
        // Late findings are merged when it is known which of them apply.
        if let cause, late == nil {
            if let first = causes[Cause(group: group, text: cause)] {
                drafts[first].otherCount += 1
                if let other = setting() { drafts[first].setting?.add(other) }
                if drafts[first].others.count < Repeats.mostPlaces {
                    drafts[first].others.append(range)
                }
                if keepsFixes { keepFix(fix(), subject) }
                return
            }
            causes[Cause(group: group, text: cause)] = drafts.count
        }
        tallies[group, default: Tally()].count += 1
        // One more than the limit: a line "1 more" would be as long as the finding.
        guard tallies[group, default: Tally()].count <= Self.limit + 1 else {
            if let cause { causes[Cause(group: group, text: cause)] = nil }
            if keepsFixes { keepFix(fix(), subject) }
            return
        }
        tallies[group]?.last = drafts.count
        drafts.append(
            Draft(
                rule: rule, severity: severity, subject: subject, range: range,
                message: Self.shortened(message()), notes: notes().map(Self.shortened),
                fix: fix().map {
                    Fix($0.safety, Self.shortened($0.summary), edits: $0.edits)
                }, late: late, cause: cause, setting: setting()))
    }

    /// The maximum length of a message or note in bytes: a URL can have megabytes.
    static let longestText = 2_000

    private static func shortened(_ text: String) -> String {
        guard text.utf8.count > longestText else { return text }
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: longestText)
        while text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
        return text[..<end] + "…"
    }

    private mutating func keepFix(_ fix: Fix?, _ subject: Subject) {
        guard keepsFixes, case .file(let index) = subject, let fix, fix.safety == .safe else {
            return
        }
        // Fixes of the same attribute overlap, and each is as long as the attribute.
        guard let start = fix.edits.first?.range.lowerBound, start >= fixed[index, default: 0]
        else {
            return
        }
        fixed[index] = fix.edits.map(\.range.upperBound).max()
        fixes[index, default: []].append(fix.edits)
    }
}
