import PackGround
import PackRelease

/// A difference between two pointers of a channel, for messages.
package struct PointerDifference: Equatable, Sendable {
    /// A member of the payload, or a position in the list of offers.
    package let what: String
    /// `nil` if it did not exist.
    package let before: String?
    package let after: String?

    /// The differences between a pointer and its predecessor.
    package static func between(_ old: Pointer?, _ new: Pointer) -> [PointerDifference] {
        var found: [PointerDifference] = []
        let compare = { (what: String, before: String?, after: String?) in
            if before != after { found.append(.init(what: what, before: before, after: after)) }
        }
        compare("sequence", (old?.sequence).map(String.init), String(new.sequence))
        let before = old?.entries ?? []
        let after = new.entries
        for index in 0..<max(before.count, after.count) {
            compare(
                index == 0 ? "offered first" : "then",
                index < before.count ? before[index].summary : nil,
                index < after.count ? after[index].summary : nil)
        }
        let text = { (flag: Bool?) in flag.map { $0 ? "yes" : "no" } }
        compare("enabled", text(old?.isEnabled), text(new.isEnabled))
        compare("closed", text(old?.isClosed ?? false), text(new.isClosed))
        compare("bypass", text(old?.bypasses ?? false), text(new.bypasses))
        compare("mandatory", text(old?.isMandatory ?? false), text(new.isMandatory))
        compare(
            "mandatory since", (old?.mandatorySequence).map(String.init),
            new.mandatorySequence.map(String.init))
        compare("expires", old?.expires?.description, new.expires?.description)
        return found
    }
}

extension Pointer.Entry {
    /// The release and its devices, in one line.
    package var summary: String {
        var parts = [label.map { "\($0) (\(version))" } ?? version.description]
        parts.append("\(rollout) %")
        if let text = self.rolloutSalt { parts.append("salt '\(text)'") }
        parts += native.limits(of: "native")
        parts.append(counted(deltas.count, "delta"))
        return parts.joined(separator: ", ")
    }
}
