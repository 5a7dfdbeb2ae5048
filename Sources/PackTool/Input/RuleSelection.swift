import PackCheck
import PackGround

/// The rules of a run: `--select`, `--ignore` and `check.ignore`.
enum RuleSelection {
    /// - Throws: ``Failure`` for an unknown id.
    static func rules(select: [String], ignore: [String]) throws(Failure) -> [Rule] {
        for id in select + ignore { _ = try rule(id) }
        return RuleCatalog.all.filter {
            (select.isEmpty || select.contains($0.id)) && !ignore.contains($0.id)
        }
    }

    /// The rule with an id.
    static func rule(_ id: String) throws(Failure) -> Rule {
        if let rule = RuleCatalog.rule(id) { return rule }
        let nearest = nearestWord(to: id, in: RuleCatalog.all.map(\.id))
        throw Failure.invalidArgument(
            kind: "rule", word: id, problem: "is not known; 'packtool rules' lists them",
            example: nearest ?? "missing-file")
    }
}
