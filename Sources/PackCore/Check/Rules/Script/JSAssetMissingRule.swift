import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A missing asset named in a script.
    static let jsAssetMissing = Rule(
        "js-asset-missing", group: .script, level: .always(.warning),
        document: { document, sink in
            var seen: Set<[UInt8]> = []
            // The literals that the handler answers, perhaps by their name alone.
            var answered: Set<Int> = []
            for reference in document.references {
                guard case .script(let kind) = reference.kind,
                    kind == .literal || kind == .embedded || kind == .newURL
                else { continue }
                guard reference.resolution.isMiss else {
                    answered.insert(reference.range.lowerBound)
                    continue
                }
                guard kind != .newURL, !reference.traits.contains(.compared),
                    reference.writtenScheme == nil,
                    ScriptAsset.isExpected(reference, in: document),
                    seen.insert(reference.value).inserted
                else { continue }
                sink.report(
                    reference, LookupModel.missMessage(reference, in: document.site),
                    notes: document.site.hints(for: reference.resolution))
            }
            let facts = document.facts(.literal, .newURL).filter(PathStrings.isRelevant)
            guard !facts.isEmpty else { return }
            let strings = PathStrings(
                facts.map { $0.pathString(in: document.site) }, in: document.site)
            for (fact, item) in zip(facts, strings.items) where item.isMissing {
                let isPart = fact.fact.extent != .whole
                guard !answered.contains(item.range.lowerBound),
                    !seen.contains(fact.fact.value)
                else { continue }
                let note: String
                if let evidence = strings.evidence(for: item) {
                    note = evidence.note
                } else if isPart, ScriptAsset.isPath(fact.fact, missingIn: document.site) {
                    note = "no file of the package has a path that ends so"
                } else {
                    continue
                }
                seen.insert(fact.fact.value)
                sink.report(
                    at: fact.range, "'\(fact.text)' is not in the package", notes: [note],
                    severity: fact.isHarmless ? .hint : nil)
            }
        })
}

extension PathStrings {
    /// Whether a literal of a script counts as a path.
    fileprivate static func isRelevant(_ fact: ScriptFact) -> Bool {
        let literal = fact.fact
        guard literal.extent == .whole || literal.extent == .part, literal.detail != "compared",
            Reference.scheme(of: literal.value) == nil,
            !Reference.isProtocolRelative(literal.value)
        else { return false }
        guard FileEnding.kind(of: PathString.ending(of: literal.value)) != .other else {
            return false
        }
        return !ScriptAsset.isKnownElsewhere(literal.value)
    }
}

extension ScriptFact {
    fileprivate func pathString(in site: SiteIndex) -> PathString {
        let place = fact.place
        func outer(_ offset: Int?) -> PathString.Place? {
            offset.map { PathString.Place(script: script.fragment ?? -1, offset: $0) }
        }
        return PathString(
            fact.value, range: range, bracket: outer(place?.bracket), outer: outer(place?.outer),
            word: (place?.word).map { Array(script.bytes[within: $0]) },
            isArgument: place?.isArgument ?? false, isPart: fact.extent != .whole,
            isName: fact.detail == JavaScriptReference.key, in: site)
    }
}
