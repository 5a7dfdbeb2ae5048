import PackCheck
import PackGround
import PackRelease
import Testing

extension Rule: CustomTestStringConvertible {
    public var testDescription: String { id }
}

/// Every rule's examples give the marked findings, in every variant.
///
/// A single test for all rules, so that a rule without examples also fails.
struct RuleExampleTests {
    /// The findings of one rule in an example, and the offsets of its marks.
    private struct Outcome {
        var findings: [Finding]
        let marks: [Int]
        let content: [UInt8]
    }

    private func run(_ rule: Rule, _ example: Example, marked: String) async throws -> Outcome {
        var content: [UInt8] = []
        var marks: [Int] = []
        for scalar in marked.unicodeScalars {
            if scalar == Example.mark {
                marks.append(content.count)
            } else {
                content += Array(String(scalar).utf8)
            }
        }
        let findings = try await self.findings(rule, example, content: content)
        return Outcome(findings: findings, marks: marks, content: content)
    }

    private func findings(
        _ rule: Rule, _ example: Example, content: [UInt8]
    ) async throws -> [Finding] {
        var files = [try AssetPath(example.path): content]
        for (path, content) in example.others {
            files[try AssetPath(path)] = Array(content.utf8)
        }
        let previous = try example.previous.map {
            try ManifestCoding.decode(Array($0.utf8), path: "info.json")
        }
        let site = SiteIndex(
            memory: files, leftOut: example.leftOut, refused: example.refused,
            profile: example.profile,
            previous: previous, options: example.options)
        return try await Checker(site: site, rules: [rule]).check(jobs: 1).findings
    }

    /// Tests/Rigs/Engine opens the examples of the other rules.
    private static let checked = RuleCatalog.all.filter { $0.group != .engine }

    @Test(arguments: RuleCatalog.all) func hasExamplesOfBothKinds(_ rule: Rule) {
        #expect(rule.examples.contains { $0.isBad })
        #expect(rule.examples.contains { !$0.isBad })
        #expect((rule.document != nil || rule.site != nil) == (rule.group != .engine))
    }

    @Test(arguments: checked) func examplesDoWhatTheySay(_ rule: Rule) async throws {
        for example in rule.examples {
            let outcome = try await run(rule, example, marked: example.markedContent)
            check(outcome, example, rule, "as it stands")
            try await checkFixes(rule, example, outcome)
        }
    }

    @Test(arguments: checked) func variantsDoTheSame(_ rule: Rule) async throws {
        for example in rule.examples {
            for variant in Example.Variant.allCases where !example.except.contains(variant) {
                guard let marked = ExampleVariants.apply(variant, to: example) else { continue }
                let outcome = try await run(rule, example, marked: marked)
                if example.isBad, example.silent.contains(variant) {
                    // The other files still have their findings. Findings are sorted by severity,
                    // marks by position.
                    let found = outcome.findings.filter { $0.path == example.path }
                    #expect(
                        found.isEmpty,
                        "\(rule.id), \(example.source), \(variant.rawValue): \(outcome.findings.first?.message ?? "")"
                    )
                } else {
                    check(outcome, example, rule, variant.rawValue)
                }
            }
        }
    }

    private func check(_ outcome: Outcome, _ example: Example, _ rule: Rule, _ how: String) {
        let place = "\(rule.id), \(example.source), \(how)"
        guard example.isBad else {
            #expect(
                outcome.findings.isEmpty, "\(place): \(outcome.findings.first?.message ?? "")")
            return
        }
        let found = outcome.findings.filter { $0.path == example.path }.compactMap {
            $0.range?.lowerBound
        }.sorted()
        if outcome.marks.isEmpty {
            #expect(!outcome.findings.isEmpty, "\(place): nothing was found")
        } else {
            #expect(
                found == outcome.marks,
                "\(place): found at \(found), marked at \(outcome.marks): \(String(decoding: outcome.content, as: UTF8.self))"
            )
        }
    }

    /// A fixed example no longer has the finding.
    private func checkFixes(_ rule: Rule, _ example: Example, _ outcome: Outcome) async throws {
        let fixed = outcome.findings.filter { $0.path == example.path && $0.fix != nil }
        #expect(fixed.isEmpty || rule.fix != .none, "\(rule.id) fixes, and says that it does not")
        guard !fixed.isEmpty else { return }
        // One fix can resolve several findings.
        var edits: [ByteEdit] = []
        for fix in fixed.compactMap(\.fix) where !fix.edits.allSatisfy({ edits.contains($0) }) {
            edits += fix.edits
        }
        let content = try #require(
            ByteEdit.apply(edits, to: outcome.content), "\(rule.id): its fixes overlap")
        let after = try await findings(rule, example, content: content)
        #expect(
            after.count == outcome.findings.count - fixed.count,
            "\(rule.id), \(example.source): after the fix there is '\(after.first?.message ?? "")' in \(String(decoding: content, as: UTF8.self))"
        )
    }

    @Test func idsAreUniqueAndInKebabCase() {
        let ids = RuleCatalog.all.map(\.id) + RuleCatalog.unbuilt.map(\.id)
        #expect(Set(ids).count == ids.count)
        for id in ids {
            let isKebab = id.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
            }
            #expect(isKebab, "\(id)")
        }
    }
}
