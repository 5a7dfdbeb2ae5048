import PackProfile
import PackWeb

/// A URL in a script or a custom property whose base is known only after all files have been read.
package struct LateReference: Sendable {
    /// The URL as written in the script.
    let value: [UInt8]
    let kind: ReferenceKind
    let use: ReferenceUse
    let range: Range<Int>
    let traits: Reference.Traits

    init(_ reference: Reference) {
        value = reference.value
        kind = reference.kind
        use = reference.use
        range = reference.range
        traits = reference.traits
    }

    /// Whether it belongs to a custom property.
    var isOfProperty: Bool { kind == .css(.customProperty) }

    /// The resolution in one page or worker, or from one style sheet.
    struct Answer {
        let runner: ScriptRunners.Runner
        let resolution: Resolution
    }

    /// Resolves the URL in the pages and workers running a script, or from the style sheets that
    /// use the property.
    func answers(in script: Int, _ runners: ScriptRunners, _ site: SiteIndex) -> (
        certain: [Answer], possible: [Answer]
    ) {
        let found =
            isOfProperty
            ? ScriptRunners.Found(
                possible: runners.properties.users(of: script, at: range.lowerBound))
            : runners.runners(of: script)
        func answer(_ runner: ScriptRunners.Runner) -> Answer {
            let aim: Resolver.Purpose = use.opensPage ? .navigation : .load
            let last = site.resolver.resolve(value, from: runner.base, for: aim)
            guard last.isMiss, let earlier = runner.earlier else {
                return Answer(runner: runner, resolution: last)
            }
            return Answer(
                runner: runner, resolution: site.resolver.resolve(value, from: earlier, for: aim))
        }
        return (found.certain.map(answer), found.possible.map(answer))
    }

    /// The page or worker in which the request fails.
    ///
    /// A runner that certainly executes the script comes first; without any, it is the first
    /// possible one, provided that the request fails in all of them.
    func failure(in script: Int, _ runners: ScriptRunners, _ site: SiteIndex) -> Answer? {
        let (certain, possible) = answers(in: script, runners, site)
        if let failed = certain.first(where: \.resolution.isMiss) { return failed }
        guard certain.isEmpty, possible.allSatisfy(\.resolution.isMiss) else { return nil }
        return possible.first
    }
}
