import PackProfile
import PackWeb

extension Rule {
    /// An imported module that is not packaged.
    static let jsDynamicImport = Rule(
        "js-dynamic-import", group: .script, level: .always(.error),
        document: { document, sink in
            sink.reportMisses(
                document.scriptReferences(.staticImport, .dynamicImport, .importScripts),
                in: document)
        })
}
