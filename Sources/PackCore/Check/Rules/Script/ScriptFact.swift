import PackGround
import PackProfile
import PackURL
import PackWeb

/// A reference found in a script, mapped to its file: the input of the script rules.
struct ScriptFact {
    let fact: JavaScriptReference
    let script: ScriptText
    /// Whether the script never runs as part of a custom-scheme page.
    let isOfServiceWorker: Bool

    /// Whether the page works without it: a condition or `try` guards it, or it never runs.
    var isHarmless: Bool { fact.isGuarded || isOfServiceWorker }

    /// The range of the literal in the file, or of the expression if there is no literal.
    var range: Range<Int> { script.fileRange(of: fact.range) }
    var text: String { printable(fact.value) }

    /// Whether the literal is a URL with a scheme, or starts with `//`.
    var isAbsolute: Bool {
        Reference.scheme(of: fact.value) != nil || fact.value.starts(with: "//".utf8)
    }

    /// Whether the literal itself has this scheme.
    func spells(_ scheme: [UInt8]) -> Bool { Reference.scheme(of: fact.value) == scheme }

    /// Whether the literal has the scheme http or https.
    var isWeb: Bool { spells(Array("http".utf8)) || spells(Array("https".utf8)) }

    /// Whether the literal contains a complete host, ended by a slash.
    var hasWholeHost: Bool {
        fact.value.split(
            separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false
        ).count > 3
    }

    /// Whether the literal has a placeholder, which `unresolved-placeholder` reports.
    var isPlaceholder: Bool {
        fact.extent == .whole && Placeholder.find(in: fact.value) != nil
    }

    /// The host of an http or https literal.
    var webHost: String? {
        guard isWeb, let url = URLRecord.parse(fact.value), let host = url.host else { return nil }
        return String(decoding: host.serialized, as: UTF8.self)
    }
}

extension DocumentContext {
    /// The facts of the given kinds in a file's scripts, in file order.
    func facts(_ kinds: JavaScriptReference.Kind...) -> [ScriptFact] {
        var found: [ScriptFact] = []
        for (script, references) in zip(scripts, scriptReferences) {
            for fact in references.references where kinds.contains(fact.kind) {
                found.append(
                    ScriptFact(
                        fact: fact, script: script,
                        isOfServiceWorker: references.isServiceWorker))
            }
        }
        return found
    }

    /// The script references of the given kinds.
    func scriptReferences(_ kinds: JavaScriptReference.Kind...) -> [Reference] {
        references.filter { reference in
            guard case .script(let kind) = reference.kind else { return false }
            return kinds.contains(kind)
        }
    }

    /// Resolves a fact against the page running the script: the one containing it, or the launch
    /// page.
    func resolveFromPage(_ fact: ScriptFact) -> Resolution {
        guard fact.script.fragment == nil, let launch = try? AssetPath(profile.launch) else {
            return resolve(fact.fact.value)
        }
        return site.resolver.resolve(fact.fact.value, from: profile.url(of: launch) ?? url)
    }

    /// Whether a packaged file's path starts with the path in a literal.
    func hasFiles(below prefix: [UInt8]) -> Bool {
        var path = prefix.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let root = profile.root.utf8
        if path.starts(with: root) { path = path.dropFirst(root.count) }
        while path.starts(with: "./".utf8) { path = path.dropFirst(2) }
        while path.first == UInt8(ascii: "/") { path = path.dropFirst() }
        return site.listing.hasFiles(below: path)
    }
}

extension FindingSink {
    /// Reports the first of several facts of one kind, with the number of others.
    ///
    /// Libraries use the same API repeatedly, so one finding for each file is sufficient.
    mutating func reportFirst(_ facts: [ScriptFact], _ message: (ScriptFact) -> String) {
        guard let first = facts.first else { return }
        let more = facts.count - 1
        report(
            at: first.range, message(first),
            notes: more == 0 ? [] : ["\(more) more in this file"], cause: message(first))
    }

    /// Reports the first serious fact with the rule's severity; otherwise the first harmless one as
    /// a hint.
    mutating func reportFirst(
        _ facts: [ScriptFact], harmless: (ScriptFact) -> Bool, _ message: (ScriptFact) -> String
    ) {
        let serious = facts.filter { !harmless($0) }
        if !serious.isEmpty { return reportFirst(serious, message) }
        guard let first = facts.first else { return }
        let more = facts.count - 1
        report(
            at: first.range, message(first),
            notes: more == 0 ? [] : ["\(more) more in this file"], severity: .hint,
            cause: message(first))
    }

    /// Reports missing files named by a script.
    ///
    /// - Parameter byURL: Whether to merge all findings in the build with the same URL.
    mutating func reportMisses(
        _ references: [Reference], in document: DocumentContext, byURL: Bool = false,
        severity: Severity? = nil, guarded: Severity? = nil
    ) {
        var seen: Set<[UInt8]> = []
        for reference in references where reference.mayMiss {
            guard reference.use != .identifier,
                !LookupModel.isReportedElsewhere(reference, in: document),
                !Placeholder.isReported(reference),
                seen.insert(reference.resolution.url?.serialized() ?? reference.value).inserted
            else { continue }
            report(
                reference, LookupModel.missMessage(reference, in: document.site),
                notes: document.site.hints(for: reference.resolution),
                severity: reference.traits.contains(.guarded) ? guarded : severity,
                cause: byURL
                    ? reference.resolution.url.map {
                        String(decoding: $0.serialized(), as: UTF8.self)
                    }
                    : nil)
        }
    }
}
