import PackGround
package import PackOrigin
import PackRelease

extension ProposalRules {
    /// The changes of the proposal from the live pointer, one sentence each.
    package func changes(from live: OriginReader.Published) -> [String] {
        let old = live.pointer
        var found = [
            "sequence \(grouped(pointer.sequence)); the live pointer has \(grouped(old.sequence))"
        ]
        let compare = { (isEqual: Bool, sentence: String) in
            if !isEqual { found.append(sentence) }
        }
        compare(
            pointer.packageHash == old.packageHash,
            "offers \(pointer.entry.title) instead of \(old.entry.title)")
        if pointer.packageHash == old.packageHash {
            compare(
                pointer.label == old.label,
                "calls the release \(Self.text(pointer.label)) instead of \(Self.text(old.label))")
        }
        compare(
            pointer.rollout == old.rollout,
            "offers it to \(pointer.rollout) % of the devices instead of \(old.rollout) %")
        compare(
            pointer.entry.rolloutSalt == old.entry.rolloutSalt,
            "chooses the devices of the share by the salt \(Self.text(pointer.entry.rolloutSalt)) instead of "
                + Self.text(old.entry.rolloutSalt))
        compare(
            pointer.native == old.native,
            "offers it to \(Self.text(pointer.native)) instead of \(Self.text(old.native))")
        found += fallbackChanges(from: old) + stateChanges(from: old)
        let (new, before) = (Self.list(bases), Self.list(live.baseURLs))
        compare(new == before, "devices fetch from \(new) instead of \(before)")
        return found + deltaChanges(from: old)
    }

    private func fallbackChanges(from old: Pointer) -> [String] {
        let added = pointer.fallbacks.filter { !old.fallbacks.contains($0) }
        let removed = old.fallbacks.filter { entry in
            !pointer.entries.contains { $0.packageHash == entry.packageHash }
        }
        return added.map { entry in
            "offers other devices \(entry.title), to \(entry.rollout) % of \(Self.text(entry.native))"
                + (entry.rolloutSalt.map { ", by the salt '\($0)'" } ?? "")
                + (entry.deltas.isEmpty ? "" : ", with deltas from \(Self.list(entry.deltas))")
        } + removed.map { "no longer offers other devices \($0.title)" }
    }

    private func stateChanges(from old: Pointer) -> [String] {
        let flags = [
            (
                pointer.isEnabled, old.isEnabled,
                "devices update again: the channel is no longer paused",
                "pauses the channel: no device updates"
            ),
            (
                pointer.isClosed, old.isClosed,
                "closes the channel: devices keep their release and get no other",
                "opens the channel again, which was closed"
            ),
            (
                pointer.bypasses, old.bypasses,
                "every app loads the https pages instead of its package",
                "apps use their packages again, not the https pages"
            ),
            (
                pointer.isMandatory, old.isMandatory,
                "is mandatory: apps do not go on before they have it",
                "is not mandatory; the live pointer is"
            ),
        ]
        var found = flags.filter { $0.0 != $0.1 }.map { $0.0 ? $0.2 : $0.3 }
        if pointer.mandatorySequence != old.mandatorySequence {
            found.append(
                "devices must have a release from sequence \(Self.number(pointer.mandatorySequence)) on; before: "
                    + Self.number(old.mandatorySequence))
        }
        if pointer.by != old.by {
            found.append(
                "author (not verified): \(Self.text(pointer.by)); before: \(Self.text(old.by))"
            )
        }
        if pointer.lifetime != old.lifetime {
            let (new, before) = (Self.span(pointer.lifetime), Self.span(old.lifetime))
            found.append(
                new == before
                    ? "is valid until \(pointer.expires?.description ?? ""); the live pointer has another lifetime"
                    : "is valid for \(new); the live pointer for \(before)")
        }
        if pointer.operation != old.operation {
            found.append(
                "is recorded as \(Self.text(pointer.operation?.rawValue)); the live pointer as "
                    + Self.text(old.operation?.rawValue))
        }
        if let source = pointer.source {
            found.append(
                "is recorded as made from sequence \(grouped(source.sequence)) of channel "
                    + "'\(source.channel)'")
        }
        if pointer.root != old.root {
            found.append(
                "names root \(Self.number(pointer.root)) instead of \(Self.number(old.root))")
        }
        return found
    }

    private func deltaChanges(from old: Pointer) -> [String] {
        let known = pointer.packageHash == old.packageHash ? old.deltas : []
        let added = pointer.deltas.filter { !known.contains($0) }
        let removed = known.filter { !pointer.deltas.contains($0) }
        var found: [String] = []
        if !added.isEmpty {
            found.append(
                "new deltas, from \(Self.list(added)); 'publish --pointer' compares their hashes")
        }
        if !removed.isEmpty {
            found.append(
                "no more deltas from " + removed.map { "\($0.from)" }.joined(separator: ", "))
        }
        return found
    }

    // MARK: Words

    private static func text(_ text: String?) -> String { text.map { "'\($0)'" } ?? "none" }

    private static func number(_ number: Int?) -> String { number.map(grouped) ?? "none" }

    private static func list(_ bases: [BaseURL]) -> String {
        var shown: [String] = []
        for base in bases.map(\.description) where !shown.contains(base) { shown.append(base) }
        return shown.joined(separator: " and ")
    }

    private static func text(_ native: NativeRanges) -> String {
        if native.isUniform { return text(native.others, "app versions") }
        return AppPlatform.allCases.map { text(native[$0], "\($0.name) versions") }
            .joined(separator: ", ") + " and "
            + text(native.others, "versions of apps that name no platform")
    }

    private static func text(_ native: NativeRange, _ name: String) -> String {
        switch (native.lowest, native.highest) {
        case (nil, nil): "all \(name)"
        case (let lowest?, nil): "\(name) from \(lowest) on"
        case (nil, let highest?): "\(name) up to \(highest)"
        case (let lowest?, let highest?): "\(name) \(lowest) to \(highest)"
        }
    }

    private static func list(_ deltas: [Pointer.Delta]) -> String {
        deltas.map {
            "\($0.fromHash) (\(readableSize($0.content.size)), \(grouped(Int(clamping: $0.needs.memory))) bytes of memory, "
                + "\(grouped(Int(clamping: $0.needs.coded))) coded and \(grouped(Int(clamping: $0.needs.copied))) copied)"
        }.joined(separator: ", ")
    }

    private static func span(_ lifetime: Int?) -> String { lifetime.map(readableSpan) ?? "ever" }
}

extension Pointer {
    /// In seconds; `nil` if it does not expire.
    fileprivate var lifetime: Int? { expires.map { $0.seconds - createdAt.seconds } }
}

extension Pointer.Entry {
    /// Its label and version, to be used in a sentence.
    fileprivate var title: String { label.map { "'\($0)' (\(version))" } ?? version.description }
}
