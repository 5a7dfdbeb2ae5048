import PackProfile
import PackWeb

extension Rule {
    /// Memory shared by workers, which pages of a custom scheme do not have.
    static let jsSharedMemory = Rule(
        "js-shared-memory", group: .script,
        level: .init(
            """
            error if the code runs when the page opens, warning for WebAssembly in a function, \
            else hint, if pages are loaded over the custom scheme
            """
        ) { $0.hasCustomPages ? .error : nil },
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
                            ? "threads need shared memory, which no page of a custom scheme has"
                            : fact.detail == "shared"
                                ? "workers cannot share this memory in pages of a custom scheme"
                                : "SharedArrayBuffer does not exist in pages of a custom scheme",
                        severity: isCertain ? nil : isNeeded ? .warning : .hint,
                        cause: "\(fact.detail) \(isCertain)")
                }
            }
        })
}
