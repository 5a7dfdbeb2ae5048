import PackGround
import PackWeb

/// What a finding with one cause says of its other places.
package struct Repeats: Equatable, Sendable {
    /// The number of other places.
    package internal(set) var count = 0
    /// The first of them: `js/a.js:1:20`.
    package internal(set) var places: [String] = []

    /// The number of places that are listed.
    static let mostPlaces = 4

    mutating func add(_ place: String) {
        count += 1
        if places.count < Self.mostPlaces { places.append(place) }
    }

    mutating func add(_ others: Repeats) {
        count += others.count
        places += others.places.prefix(Self.mostPlaces - places.count)
    }

    /// For people: "3 more places: js/a.js:1:20, …"; `nil` for none.
    package var note: String? {
        guard count > 0 else { return nil }
        let listed = places.joined(separator: ", ")
        return "\(counted(count, "more place")): \(listed)" + (count > places.count ? ", …" : "")
    }
}

extension Finding {
    /// Its file, line and column.
    var position: String {
        place.map { "\(path):\($0.line):\($0.column)" } ?? path
    }

    /// One finding for two places with the same cause: the first in order, which names the other.
    ///
    /// - Returns: The finding, and that of the place which it only names.
    func merged(with other: Finding) -> (kept: Finding, named: Finding) {
        let isFirst = Finding.areInOrder(self, other)
        var kept = isFirst ? self : other
        let named = isFirst ? other : self
        if let other = named.setting { kept.setting?.add(other) }
        kept.repeats.add(named.position)
        kept.repeats.add(named.repeats)
        return (kept, named)
    }
}

extension FindingSink.Draft {
    /// The most bytes of a shared cause that are kept as they are: a baseline has them in a line.
    private static let longestCause = 240

    /// What this has in common with the same on other pages, since the pages of a site share their layout:
    /// what it says, and the bytes that it is about.
    ///
    /// - Returns: `nil` for a finding that only counts others.
    func sharedCause(in text: DocumentText) -> String? {
        guard leftOut == nil else { return nil }
        var parts = [message] + notes
        // Of an inline script or style sheet the beginning tells enough.
        if let range { parts.append(printable(text.bytes[within: range].prefix(2_000))) }
        let cause = parts.joined(separator: " | ")
        guard cause.utf8.count > Self.longestCause else { return cause }
        let digest = StreamHasher.digest(of: Array(cause.utf8))
        return printable(Array(cause.utf8).prefix(Self.longestCause)) + "… \(digest)"
    }
}

/// Limits the findings of a build, as ``FindingSink`` limits those of a file, and makes one finding
/// of all places that have one cause.
struct FindingTotals {
    /// The number of findings of one rule and severity that are kept in total.
    static let limit = 10_000

    private struct Group: Hashable {
        let rule: String
        let severity: Severity
    }

    private struct Cause: Hashable {
        let group: Group
        let text: String
    }

    private var kept: [Group: Int] = [:]
    private var more: [Group: Int] = [:]
    private var causes: [Cause: Finding] = [:]

    /// Counts a finding.
    ///
    /// - Returns: Whether it is listed for itself, and the finding that no longer is.
    mutating func take(_ finding: Finding) -> (isListed: Bool, dropped: Finding?) {
        let group = Group(rule: finding.rule, severity: finding.severity)
        if let text = finding.cause, let known = causes[Cause(group: group, text: text)] {
            let (kept, named) = known.merged(with: finding)
            causes[Cause(group: group, text: text)] = kept
            return (false, named)
        }
        guard kept[group, default: 0] < Self.limit else {
            more[group] = more[group, default: 0].addingClamped(finding.count)
            return (false, finding)
        }
        kept[group, default: 0] += 1
        guard let text = finding.cause else { return (true, nil) }
        causes[Cause(group: group, text: text)] = finding
        return (false, nil)
    }

    /// The findings with a cause, and one for those beyond the limit of each rule.
    ///
    /// What is an error in one place and a warning in another is one finding, the error.
    ///
    /// - Returns: The findings, and those that an error only names.
    func rest() -> (listed: [Finding], dropped: [Finding]) {
        var listed: [Finding] = []
        var dropped: [Finding] = []
        for (cause, finding) in causes {
            func known(as severity: Severity) -> Finding? {
                causes[
                    Cause(
                        group: Group(rule: cause.group.rule, severity: severity), text: cause.text)
                ]
            }
            switch cause.group.severity {
            case .error:
                listed.append(known(as: .warning).map { finding.merged(with: $0).kept } ?? finding)
            case .warning where known(as: .error) != nil: dropped.append(finding)
            default: listed.append(finding)
            }
        }
        return (listed + leftOut, dropped)
    }

    private var leftOut: [Finding] {
        more.map { group, count in
            Finding(
                rule: group.rule, severity: group.severity, path: ".",
                message: Finding.leftOutMessage, leftOut: count)
        }
    }
}
