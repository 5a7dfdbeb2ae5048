import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A packaged file referenced in JSON data by its https URL.
    static let jsonStateURL = Rule(
        "json-state-url", group: .data, level: .always(.hint),
        document: { document, sink in
            for reference in document.references where reference.kind == .data(.json) {
                guard reference.resolution.file == nil, let twin = reference.resolution.twin else {
                    continue
                }
                sink.report(
                    reference, "'\(reference.text)' is in the package",
                    notes: ["packaged as '\(printable(document.site.path(twin).bytes))'"])
            }
        })
}
