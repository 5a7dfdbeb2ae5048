import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A script that the oldest supported engine cannot parse.
    static let jsSyntaxNew = Rule(
        "js-syntax-new", group: .script,
        level: .init("error if the settings give the oldest system, else hint") {
            $0.statesMinimum ? .error : .hint
        },
        site: { context, sink in
            let found = NewSyntaxFault.all(in: context)
            // One line of settings resolves all findings.
            let newest = found.map(\.uses[0].release).filter { $0 != .none }.max()
            let setting = newest.map { SettingProposal(context.profile.minimumKey, $0.number) }
            for fault in found { fault.report(context.profile, setting, &sink) }
        })
}

/// The new syntax of one file.
private struct NewSyntaxFault {
    let file: Int
    let strength: ScriptReach.Strength?
    /// The newest requirement first; never empty.
    let uses: [NewSyntax.Use]

    static func all(in context: SiteContext) -> [NewSyntaxFault] {
        let summaries = context.summaries.filter { !$0.newSyntax.isEmpty }
        guard !summaries.isEmpty else { return [] }
        let reach = ScriptReach(context)
        return summaries.compactMap { summary in
            NewSyntaxFault(summary, reach, context.profile)
        }
    }

    /// The most certain script of a file with the newest requirement.
    private init?(_ summary: DocumentSummary, _ reach: ScriptReach, _ profile: Profile) {
        var best: NewSyntaxFault?
        let modules = ScriptReach.hasLegacy(summary) ? ScriptReach.modules.first(for: profile) : nil
        for script in summary.newSyntax {
            let runs: (strength: ScriptReach.Strength, from: EngineRelease)?
            switch script.role {
            case .file where reach.isLegacy(summary.index): continue
            case .file: runs = reach.runs(summary.index, profile)
            case .classic: runs = (.certain, EngineRelease(0))
            case .module: runs = (.certain, modules ?? EngineRelease(0))
            case .possible: runs = (.possible, EngineRelease(0))
            case .legacy:
                guard reach.runsLegacy else { continue }
                runs = (.certain, EngineRelease(0))
            }
            let uses = script.uses.filter { $0.release > runs?.from ?? EngineRelease(0) }
            guard !uses.isEmpty else { continue }
            let fault = NewSyntaxFault(file: summary.index, strength: runs?.strength, uses: uses)
            if let known = best, known.rank >= fault.rank { continue }
            best = fault
        }
        guard let best else { return nil }
        self = best
    }

    private init(file: Int, strength: ScriptReach.Strength?, uses: [NewSyntax.Use]) {
        self.file = file
        self.strength = strength
        self.uses = uses
    }

    /// More certain scripts first, then newer requirements.
    private var rank: (Int, EngineRelease) {
        (strength.map { $0.rawValue + 1 } ?? 0, uses[0].release)
    }

    func report(_ profile: Profile, _ setting: SettingProposal?, _ sink: inout FindingSink) {
        let newest = uses[0]
        let others = uses.dropFirst().prefix(5).map {
            "\($0.feature.title) needs \(profile.name(of: $0.release))"
        }
        sink.report(
            file: file, at: newest.range,
            """
            \(newest.feature.title) needs \(profile.name(of: newest.release)), and \
            \(profile.minimumClause): older engines run nothing of this script
            """,
            notes: others,
            severity: severity(profile, sink.severity),
            cause: profile.statesMinimum ? "\(newest.feature)" : "minimum", setting: setting)
    }

    private func severity(_ profile: Profile, _ level: Severity) -> Severity {
        switch strength {
        case .certain: level
        case .possible: profile.statesMinimum ? .warning : .hint
        case nil: .hint
        }
    }
}

extension JavaScriptFeature {
    /// The name in messages.
    fileprivate var title: String {
        switch self {
        case .exponentiation: "the operator '**'"
        case .asyncFunctions: "an async function"
        case .trailingCommas: "a comma after the last argument"
        case .objectSpread: "'...' in an object"
        case .asyncGenerators: "an async generator"
        case .forAwait: "'for await'"
        case .optionalCatchBinding: "'catch' without a parameter"
        case .templateEscapes: "a free escape in a tagged template"
        case .dynamicImport: "'import()'"
        case .importOptions: "the second argument of 'import()'"
        case .importMeta: "'import.meta'"
        case .bigInt: "a BigInt literal"
        case .numericSeparators: "'_' in a number"
        case .optionalChaining: "optional chaining ('?.')"
        case .nullishCoalescing: "the operator '??'"
        case .logicalAssignment: "a logical assignment ('??=')"
        case .classFields: "a class field"
        case .staticFields: "a static class field"
        case .privateFields: "a private class field"
        case .privateMethods: "a private method"
        case .privateIn: "a test for a private field ('#x in')"
        case .staticBlocks: "a static block of a class"
        case .topLevelAwait: "'await' outside of functions"
        case .exportNamespace: "'export * as'"
        case .stringNames: "an exported name in quotes"
        case .importAttributes: "an import with attributes ('with')"
        case .importAssertions: "an import with assertions ('assert')"
        case .hashbang: "a first line with '#!'"
        case .using: "a 'using' declaration"
        case .awaitUsing: "an 'await using' declaration"
        case .regexpSticky: "a regular expression with the flag 'y'"
        case .regexpUnicode: "a regular expression with the flag 'u'"
        case .regexpDotAll: "a regular expression with the flag 's'"
        case .regexpIndices: "a regular expression with the flag 'd'"
        case .regexpSets: "a regular expression with the flag 'v'"
        case .regexpLookBehind: "a regular expression with look-behind ('(?<=')"
        case .regexpNamedGroups: "a regular expression with a named group"
        case .regexpDuplicateNames: "a regular expression with the same name twice"
        case .regexpProperties: "a regular expression with '\\p{…}'"
        case .regexpModifiers: "a regular expression with modifiers ('(?i:')"
        }
    }
}
