import PackGround
import PackWeb

extension Rule {
    /// Run-time code generation blocked by the page's policy.
    static let cspBlocksEval = Rule(
        "csp-blocks-eval", group: .security,
        level: Level("error; warning for code of large scripts") { _ in .error },
        document: { document, sink in
            for blocked in BlockedCode.find(in: document) {
                sink.report(
                    at: blocked.found.text.sourceRange(of: blocked.directive.range),
                    blocked.message, notes: blocked.notes(document.site),
                    severity: blocked.actions.map(\.severity).max())
            }
        })
}

/// The code blocked by one directive for lack of one keyword.
private struct BlockedCode {
    let found: DocumentContext.Policy
    let directive: ContentSecurityPolicy.Directive
    let keyword: String
    var actions: [PageAction]

    static func find(in document: DocumentContext) -> [BlockedCode] {
        var result: [BlockedCode] = []
        for refused in PolicyCheck.refused(in: document) {
            let keyword: String
            switch refused.action.kind {
            case .codeFromString: keyword = "'unsafe-eval'"
            case .webAssembly: keyword = "'wasm-unsafe-eval'"
            case .style: keyword = "'unsafe-inline'"
            case .text: keyword = "text"
            case .trustedPolicy: keyword = "policy"
            default: continue
            }
            if let place = result.firstIndex(where: {
                $0.found.start == refused.found.start && $0.keyword == keyword
                    && $0.directive.range == refused.directive.range
            }) {
                result[place].actions.append(refused.action)
            } else {
                result.append(
                    BlockedCode(
                        found: refused.found, directive: refused.directive, keyword: keyword,
                        actions: [refused.action]))
            }
        }
        return result
    }

    var message: String {
        let more = actions.count - 1
        if keyword == "text" {
            return "\(directive.name) blocks text for '\(actions.first?.name ?? "")'"
                + (more > 0 ? " and \(counted(more, "more place"))" : "")
                + ": since iOS 26 it must be a trusted type"
        }
        if keyword == "policy" {
            return "\(directive.name) does not name the policy '\(actions.first?.name ?? "")'"
        }
        return "\(directive.name) blocks '\(actions.first?.name ?? "")'"
            + (more > 0 ? " and \(counted(more, "more call"))" : "") + ": it lacks \(keyword)"
    }

    /// The first files with such code.
    func notes(_ site: SiteIndex) -> [String] {
        var seen: Set<Int> = []
        return actions.compactMap(\.file).filter { seen.insert($0).inserted }.prefix(3)
            .map { "in '\(printable(site.path($0).bytes))'" }
    }
}
