import PackGround
import PackProfile
import PackWeb

/// Syntax newer than the app's minimum, in one script of a file.
struct NewSyntax: Sendable {
    /// The way the file runs the script.
    enum Role: Sendable {
        /// The file is the script; the files that load it decide.
        case file
        case classic, module
        /// Only by engines without modules.
        case legacy
        /// Perhaps: in an event handler or a template.
        case possible
    }

    /// A feature with its first release.
    struct Use: Sendable {
        let feature: JavaScriptFeature
        let release: EngineRelease
        /// The first use in the file.
        let range: Range<Int>

        /// Newer requirements before older ones, then by position.
        static func areInOrder(_ one: Use, _ other: Use) -> Bool {
            (other.release, one.range.lowerBound) < (one.release, other.range.lowerBound)
        }
    }

    let role: Role
    /// The newest requirement first; never empty.
    let uses: [Use]

    /// The scripts of a file with such syntax; those of service workers are not part of a page.
    static func all(in context: DocumentContext) -> [NewSyntax] {
        let profile = context.profile
        let minimum = profile.oldestEngine
        return zip(context.scripts, context.scriptReferences).compactMap { script, found in
            guard !found.isServiceWorker, let role = role(of: script, in: context) else {
                return nil
            }
            let uses = found.features.all.compactMap { feature, offset -> Use? in
                let release = feature.releases.first(for: profile)
                guard release > minimum else { return nil }
                return Use(
                    feature: feature, release: release,
                    range: script.fileRange(of: offset..<offset + 1))
            }
            guard !uses.isEmpty else { return nil }
            return NewSyntax(role: role, uses: uses.sorted(by: Use.areInOrder))
        }
    }

    /// `nil` for a script no engine runs.
    private static func role(of script: ScriptText, in context: DocumentContext) -> Role? {
        guard let number = script.fragment, let html = context.html else { return .file }
        let element = html.elements[html.fragments[number].element]
        if element.isInNoscript { return nil }
        if element.isInTemplate || script.role == .eventHandler { return .possible }
        if script.role == .module { return .module }
        return context.has("nomodule", element) ? .legacy : .classic
    }
}
