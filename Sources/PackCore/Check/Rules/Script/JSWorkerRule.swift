import PackProfile
import PackWeb

extension Rule {
    /// A worker whose script is not packaged.
    static let jsWorker = Rule(
        "js-worker", group: .script, level: .always(.error),
        document: { document, sink in
            sink.reportMisses(document.scriptReferences(.worker, .workerModuleURL), in: document)
            for reference in document.scriptReferences(.blobAddress) {
                sink.report(
                    reference, "'\(reference.text)' is relative, and a Blob's address is no base")
            }
        })
}
