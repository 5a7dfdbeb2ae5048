import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// Policies that block the package's own files.
    package static let cspBlocksCustom = Rule(
        "csp-blocks-custom", group: .security,
        level: Level(
            "error; warning for pictures, fonts, media, forms and code of large scripts; hint for icons"
        ) { _ in .error }, fix: .safe,
        document: { document, sink in
            for blocked in BlockedLoads.find(in: document) {
                sink.report(
                    at: blocked.found.text.sourceRange(of: blocked.directive.range),
                    blocked.message(document.profile), notes: blocked.notes(document.site),
                    fix: blocked.fix(document), severity: blocked.severity)
            }
        })
}

/// The loads blocked by one directive for lack of one source.
private struct BlockedLoads {
    let found: DocumentContext.Policy
    let directive: ContentSecurityPolicy.Directive
    let source: String
    var severity: Severity
    var actions: [PageAction]

    static func find(in document: DocumentContext) -> [BlockedLoads] {
        struct Key: Hashable {
            let policy: Int
            let directive: Int
            let source: String
        }
        var result: [BlockedLoads] = []
        var places: [Key: Int] = [:]
        for refused in PolicyCheck.refused(in: document) {
            guard case .load = refused.action.kind else { continue }
            let source = refused.action.source
            let key = Key(
                policy: refused.found.start, directive: refused.directive.range.lowerBound,
                source: source)
            if let place = places[key] {
                result[place].actions.append(refused.action)
                result[place].severity = max(result[place].severity, refused.action.severity)
            } else {
                places[key] = result.count
                result.append(
                    BlockedLoads(
                        found: refused.found, directive: refused.directive, source: source,
                        severity: refused.action.severity, actions: [refused.action]))
            }
        }
        return result.sorted {
            ($0.found.start, $0.directive.range.lowerBound)
                < ($1.found.start, $1.directive.range.lowerBound)
        }
    }

    private func isPackaged(_ profile: Profile) -> Bool {
        source.utf8.elementsEqual(profile.canonicalScheme + [UInt8(ascii: ":")])
    }

    func message(_ profile: Profile) -> String {
        let name = actions.first?.name ?? ""
        let more = actions.count - 1
        guard isPackaged(profile) else {
            return "\(directive.name) blocks '\(name)'"
                + (more > 0 ? " and \(counted(more, "more URL")): " : ": ")
                + "it does not allow \(source)"
        }
        return "\(directive.name) blocks '\(name)'"
            + (more > 0
                ? " and \(more) more packaged \(more == 1 ? "file" : "files")"
                : ", a packaged file")
    }

    /// The maximum number of named locations.
    private static let mostNotes = 3

    /// Loads by other files.
    func notes(_ site: SiteIndex) -> [String] {
        actions.compactMap { action in
            action.file.map { "'\(action.name)' in '\(printable(site.path($0).bytes))'" }
        }.prefix(Self.mostNotes).map { $0 }
    }

    /// A fix that allows the custom scheme in the directive, if a scheme is sufficient.
    func fix(_ document: DocumentContext) -> Fix? {
        let profile = document.profile
        guard isPackaged(profile), !["base-uri", "form-action"].contains(directive.name),
            !directive.sources.keywords.contains(.strictDynamic)
        else { return nil }
        let scheme = String(decoding: profile.canonicalScheme, as: UTF8.self)
        let values = directive.values.filter { $0.lowercased() != "'none'" } + ["\(scheme):"]
        let text = "\(directive.name) \(values.joined(separator: " "))"
        let edit = HTMLEdit(found.attribute, directive.range, value: Array(text.utf8))
        return document.edits([edit]).map {
            Fix(.safe, "let \(directive.name) allow \(scheme):", edits: $0)
        }
    }
}
