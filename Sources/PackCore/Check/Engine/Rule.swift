package import PackProfile
import PackWeb

/// One rule: its level, and how it is checked.
///
/// Its title, prose and examples are in its ``RulePage``.
/// The checker, `packtool rules`, `docs/rules.md` and the tests all use this value.
package struct Rule: Sendable {
    /// Kebab case, never changed once released.
    package let id: String
    package let group: RuleGroup
    package let level: Level
    package let fix: FixClass
    /// Checks one file while its bytes are in memory; runs in parallel over files.
    package let document: (@Sendable (DocumentContext, inout FindingSink) -> Void)?
    /// Checks the whole build after all files have been read.
    package let site: (@Sendable (SiteContext, inout FindingSink) throws -> Void)?

    /// The prose of a rule, in fixed headings.
    package struct Explanation: Sendable {
        /// What the rule finds.
        package let what: String
        /// Why this is bad, for a front-end developer who has never seen the handler.
        package let why: String
        /// What to do instead.
        package let instead: String
        /// How it is detected.
        package let detection: String
        /// Where the claim comes from; never empty.
        package let sources: [Citation]
    }

    /// How much a finding matters, by profile.
    package struct Level: Sendable {
        /// For people: "error where files are looked up by last component, else warning".
        package let text: String
        /// `nil` where the rule does not apply to a profile.
        package let severity: @Sendable (Profile) -> Severity?

        package init(_ text: String, _ severity: @escaping @Sendable (Profile) -> Severity?) {
            self.text = text
            self.severity = severity
        }

        /// The same in every profile.
        package static func always(_ severity: Severity) -> Level {
            Level(severity.rawValue) { _ in severity }
        }

        /// Only where pages are loaded over the custom scheme.
        package static func customPages(_ severity: Severity) -> Level {
            Level("\(severity.rawValue) where pages are loaded over the custom scheme") {
                $0.hasCustomPages ? severity : nil
            }
        }

        /// Only where pages are loaded over https.
        package static func securePages(_ severity: Severity) -> Level {
            Level("\(severity.rawValue) where pages are loaded over https") {
                $0.hasSecurePages ? severity : nil
            }
        }
    }

    /// Whether `check --fix` can fix a finding.
    package enum FixClass: String, Sendable {
        case safe, unsafe, none
    }

    package init(
        _ id: String, group: RuleGroup, level: Level, fix: FixClass = .none,
        document: (@Sendable (DocumentContext, inout FindingSink) -> Void)? = nil,
        site: (@Sendable (SiteContext, inout FindingSink) throws -> Void)? = nil
    ) {
        self.id = id
        self.group = group
        self.level = level
        self.fix = fix
        self.document = document
        self.site = site
    }
}

/// The chapters of `docs/rules.md`.
package enum RuleGroup: String, CaseIterable, Sendable {
    case scheme, lookup, markup, styles, data, script, origin, security, media, names, switching
    /// About the check itself: ignore comments.
    case check

    /// The chapter's heading.
    package var title: String {
        switch self {
        case .scheme: "Scheme and URL syntax"
        case .lookup: "Does every reference find a file"
        case .markup: "HTML"
        case .styles: "CSS"
        case .data: "Import maps, manifests, SVG"
        case .script: "JavaScript"
        case .origin: "Protocol-relative and root-relative URLs"
        case .security: "Mixed content, CORS, integrity, policies"
        case .media: "Media, types, sizes"
        case .names: "Names and updates"
        case .switching: "Pages switched by user agent"
        case .check: "The check itself"
        }
    }
}

/// A planned rule that is not implemented, with the reason.
package struct UnbuiltRule: Sendable {
    package let id: String
    /// Why it is not implemented, or which rule covers it.
    package let reason: String
}

/// The build as a whole, after all files have been read.
package struct SiteContext: Sendable {
    package let site: SiteIndex
    /// One for each file, in the order of ``SiteIndex/files``.
    package let summaries: [DocumentSummary]
    /// Who runs each script, built once for all rules; `nil` where no script loads a file by a URL that
    /// counts from the page.
    let runners: ScriptRunners?

    init(_ site: SiteIndex, _ summaries: [DocumentSummary]) {
        self.site = site
        self.summaries = summaries
        let hasLateAssets = summaries.contains { summary in
            summary.late.contains { $0.kind == .script(.asset) }
        }
        runners = hasLateAssets ? ScriptRunners(site, summaries) : nil
    }

    package var profile: Profile { site.profile }

    /// The summary of a file.
    func summary(of index: Int) -> DocumentSummary? {
        summaries.indices.contains(index) && summaries[index].index == index
            ? summaries[index] : summaries.first { $0.index == index }
    }
}
