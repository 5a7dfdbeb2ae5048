import PackWeb

extension Rule {
    /// A path change refused by the web view.
    static let jsHistoryAPI = Rule(
        "js-history-api", group: .script, level: .customPages(.warning),
        document: { document, sink in
            let facts = document.facts(.history).filter {
                $0.fact.value.first != UInt8(ascii: "#")
            }
            let isOfFragment = document.scriptReferences.contains(
                where: \.router.keepsRouteInFragment)
            sink.reportFirst(facts, harmless: { isOfFragment || $0.isHarmless }) { _ in
                "newer systems let custom-scheme pages change only their fragment"
            }
        })
}
