import PackProfile
import PackWeb

extension Rule {
    /// A missing asset named in a script.
    static let jsAssetMissing = Rule(
        "js-asset-missing", group: .script, level: .always(.warning),
        document: { document, sink in
            var seen: Set<[UInt8]> = []
            var neighbours: ScriptAsset.Neighbours?
            for reference in document.references {
                guard case .script(let kind) = reference.kind,
                    kind == .literal || kind == .embedded,
                    reference.resolution.isMiss, !reference.traits.contains(.compared),
                    reference.writtenScheme == nil,
                    ScriptAsset.isExpected(reference, &neighbours, in: document),
                    seen.insert(reference.value).inserted
                else { continue }
                sink.report(
                    reference, LookupModel.missMessage(reference, in: document.site),
                    notes: document.site.hints(for: reference.resolution))
            }
            for part in document.facts(.literal) where part.fact.extent == .part {
                guard ScriptAsset.isPath(part.fact, missingIn: document.site),
                    seen.insert(part.fact.value).inserted
                else { continue }
                sink.report(
                    at: part.range, "'\(part.text)' is not in the package",
                    notes: ["no file of the package has a path that ends so"],
                    severity: part.isHarmless ? .hint : nil)
            }
        })
}
