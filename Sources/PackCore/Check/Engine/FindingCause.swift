import PackGround
import PackWeb

/// The other locations of a merged finding.
package struct Repeats: Equatable, Sendable {
    /// The number of other locations.
    package internal(set) var count = 0
    /// The first of them: `js/a.js:1:20`.
    package internal(set) var places: [String] = []

    /// The maximum number of listed locations.
    static let mostPlaces = 4

    mutating func add(_ place: String) {
        count += 1
        if places.count < Self.mostPlaces { places.append(place) }
    }

    mutating func add(_ others: Repeats) {
        count += others.count
        places += others.places.prefix(Self.mostPlaces - places.count)
    }

    /// Text for users: "3 more places: js/a.js:1:20, …"; `nil` without other locations.
    package var note: String? {
        guard count > 0 else { return nil }
        let listed = places.joined(separator: ", ")
        return "\(counted(count, "more place")): \(listed)" + (count > places.count ? ", …" : "")
    }
}

extension Finding {
    /// The path, with line and column if known.
    var position: String {
        place.map { "\(path):\($0.line):\($0.column)" } ?? path
    }

    /// Merges two findings with the same cause: the first in order is kept and lists the other.
    ///
    /// - Returns: The merged finding, and the finding reduced to a location.
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
    /// Longer shared causes are shortened to this many bytes and a digest: a baseline has one line
    /// each.
    private static let longestCause = 240

    /// The part of a finding shared by pages with the same layout: its message, notes and bytes.
    ///
    /// - Returns: `nil` for a summary finding.
    func sharedCause(in text: DocumentText) -> String? {
        guard leftOut == nil else { return nil }
        var parts = [message] + notes
        // A prefix is enough to identify an inline script or style sheet.
        if let range { parts.append(printable(text.bytes[within: range].prefix(2_000))) }
        let cause = parts.joined(separator: " | ")
        guard cause.utf8.count > Self.longestCause else { return cause }
        let digest = StreamHasher.digest(of: Array(cause.utf8))
        return printable(Array(cause.utf8).prefix(Self.longestCause)) + "… \(digest)"
    }
}

/// Limits the findings of a build, as ``FindingSink`` does for a file, and merges findings with the
/// same cause.
struct FindingTotals {
    /// The maximum number of findings of one rule and severity in a build.
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
    /// - Returns: Whether it is listed on its own, and the finding dropped from the list, if any.
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

    /// The merged findings, and one summary finding for each rule beyond its limit.
    ///
    /// An error and a warning with the same cause are merged into the error.
    ///
    /// - Returns: The listed findings, and the warnings merged into errors.
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
