import PackGround
import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// A script that opens an address outside of the package when its page starts.
    static let jsLeavesPackage = Rule(
        "js-leaves-package", group: .script,
        level: .init(
            "error in the launch page and in scripts, else warning, if the handler answers the "
                + "requests for pages"
        ) { $0.hasPackagedPages && $0.pageOrigin != .dual ? .error : nil },
        document: { document, sink in
            for fact in document.facts(.navigation)
            where fact.fact.detail == JavaScriptReference.atStart && !fact.isHarmless
                && fact.script.role != .eventHandler && fact.leavesPackage(document)
            {
                let isOther =
                    document.kind == .html
                    && !document.path.bytes.elementsEqual(document.profile.launch.utf8)
                sink.report(
                    at: fact.range,
                    "the script opens '\(fact.text)…' when it starts, so the page leaves the package",
                    severity: isOther || fact.fact.isLikely ? .warning : nil, cause: fact.text)
            }
        })
}

extension ScriptFact {
    /// Whether an address is one of the web that the handler does not answer.
    fileprivate func leavesPackage(_ document: DocumentContext) -> Bool {
        guard isWeb || Reference.isProtocolRelative(fact.value) else { return false }
        switch fact.extent {
        case .whole: break
        case .prefix where hasWholeHost: break
        // A prefix that may end within the host.
        case .prefix:
            let host = fact.value.split(separator: UInt8(ascii: "/")).dropFirst().first ?? []
            return !document.profile.isIntercepted
                || !host.isEmpty && !document.profile.hosts.contains { $0.utf8.starts(with: host) }
        default: return false
        }
        return document.resolve(fact.value).outcome == .otherOrigin
    }
}
