import PackProfile
import PackWeb

extension Rule {
    /// A missing file referenced by a module.
    static let jsNewURL = Rule(
        "js-new-url", group: .script,
        level: .init("warning, error if the script fetches the file") { _ in .warning },
        document: { document, sink in
            let files = document.scriptReferences(.moduleURL).filter {
                $0.resolution.lookedUp?.contains(UInt8(ascii: ".")) == true
            }
            sink.reportMisses(
                files.filter { $0.traits.contains(.requested) }, in: document, severity: .error,
                guarded: .hint)
            sink.reportMisses(
                files.filter { !$0.traits.contains(.requested) }, in: document, guarded: .hint)
        })
}
