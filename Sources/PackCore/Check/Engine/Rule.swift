package import PackProfile
import PackWeb

/// One rule: its level and its implementation.
///
/// Its title, prose and examples are in its ``RulePage``. The checker, `packtool rules`,
/// `docs/rules.md` and the tests all use this value.
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

    /// The prose of a rule under fixed headings.
    package struct Explanation: Sendable {
        /// The problem found by the rule.
        package let what: String
        /// The consequences, for a front-end developer who does not know the scheme handler.
        package let why: String
        /// The recommended alternative.
        package let instead: String
        /// The detection method.
        package let detection: String
        /// The evidence; never empty.
        package let sources: [Citation]
    }

    /// The severity of findings, by profile.
    package struct Level: Sendable {
        /// Text for users: "error if files are looked up by last component, else warning".
        package let text: String
        /// `nil` if the rule does not apply to the profile.
        package let severity: @Sendable (Profile) -> Severity?

        package init(_ text: String, _ severity: @escaping @Sendable (Profile) -> Severity?) {
            self.text = text
            self.severity = severity
        }

        /// The same severity in every profile.
        package static func always(_ severity: Severity) -> Level {
            Level(severity.rawValue) { _ in severity }
        }

        /// Reported for pages that were opened; a page without a link to it has warnings.
        package static let withEngine = Level("error if pages are opened (`--engine`)") { _ in
            .error
        }

        /// Applies only to pages loaded over the custom scheme.
        package static func customPages(_ severity: Severity) -> Level {
            Level("\(severity.rawValue) if pages are loaded over the custom scheme") {
                $0.hasCustomPages ? severity : nil
            }
        }

        /// Applies only to apps with a custom scheme.
        package static func customScheme(_ severity: Severity) -> Level {
            Level("\(severity.rawValue) if the app has a custom scheme") {
                $0.isIntercepted ? nil : severity
            }
        }

        /// Applies only to pages answered by the handler.
        package static func packagedPages(_ severity: Severity) -> Level {
            Level("\(severity.rawValue) if the handler answers the requests for pages") {
                $0.hasPackagedPages ? severity : nil
            }
        }

        /// Applies only to pages answered by the handler; a warning or a hint if it leaves missing
        /// files of its own hosts to the network.
        package static func boundPages(_ severity: Severity) -> Level {
            Level(
                """
                \(severity.rawValue) if the handler answers the requests for pages; warning or \
                hint if it leaves missing files to the network (`intercept`)
                """
            ) { $0.hasPackagedPages ? severity : nil }
        }

        /// Applies only to pages loaded over https.
        package static func securePages(_ severity: Severity) -> Level {
            Level("\(severity.rawValue) if pages are loaded over https") {
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
    /// Findings of pages that an engine opened; the rules have no logic of their own.
    case engine
    /// Rules about the check itself: ignore comments.
    case check

    /// The heading of the chapter.
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
        case .engine: "Pages opened in an engine"
        case .check: "The check itself"
        }
    }
}

/// A planned rule that is not implemented.
package struct UnbuiltRule: Sendable {
    package let id: String
    /// The reason, or the rule covering it.
    package let reason: String
}

/// The whole build after all files have been read.
package struct SiteContext: Sendable {
    package let site: SiteIndex
    /// One for each file, in the order of ``SiteIndex/files``.
    package let summaries: [DocumentSummary]
    /// The pages and workers running each script, shared by all rules; `nil` if no script loads a
    /// file relative to its page.
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
