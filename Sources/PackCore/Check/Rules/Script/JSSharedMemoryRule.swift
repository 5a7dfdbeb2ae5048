import PackProfile
import PackWeb

extension Rule {
    /// Memory shared by workers, which only isolated pages have.
    static let jsSharedMemory = Rule(
        "js-shared-memory", group: .script,
        level: .init(
            """
            error if the code runs when the page opens, warning for WebAssembly in a function, \
            else hint, if the handler answers the requests for pages
            """
        ) { $0.hasPackagedPages ? .error : nil },
        document: { document, sink in
            for (script, references) in zip(document.scripts, document.scriptReferences) {
                let facts = references.references.filter {
                    $0.kind == .sharedMemory && !$0.isGuarded
                }
                guard !facts.isEmpty, !references.isServiceWorker else { continue }
                let places = facts.map(\.range.lowerBound)
                let outer = JavaScriptOuterCode.places(
                    places, of: script.bytes.span, goal: script.role == .module ? .module : .script)
                for fact in facts {
                    let runsAtOnce = outer.contains(fact.range.lowerBound)
                    // Memory of its own is accepted; only workers do not get it.
                    let isCertain = fact.detail != "shared" && runsAtOnce
                    let isNeeded = fact.detail == "shared" || fact.detail == "memory"
                    sink.report(
                        at: script.fileRange(of: fact.range),
                        fact.detail == "threads"
                            ? "threads need shared memory, which the app's pages do not have"
                            : fact.detail == "shared"
                                ? "workers cannot share this memory in the app's pages"
                                : "SharedArrayBuffer does not exist in the app's pages",
                        severity: isCertain ? nil : isNeeded ? .warning : .hint,
                        cause: "\(fact.detail) \(isCertain)")
                }
            }
        })
}
