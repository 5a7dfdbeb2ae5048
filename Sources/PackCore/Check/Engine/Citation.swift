/// The evidence for a rule: a ``CitedSource`` and a location in it.
package struct Citation: Hashable, Sendable {
    package let source: CitedSource
    /// The numbers of issues, bugs or pull requests in a tracker.
    package let issues: [Int]
    /// Folders of test cases in `Tests/Rigs/WebKit/cases`.
    package let cases: [String]
    /// The section, file or symbol; empty to cite the whole source.
    package let detail: String

    /// Markdown for `docs/rules.md`: the name links to `docs/sources.md`.
    package var markdown: String {
        var text = "[\(source.name)](sources.md#\(source.rawValue))"
        let links =
            issues.map { "[#\($0)](\(source.address ?? "")\($0))" }
            + cases.map { "[\($0)](../\(CitedSource.cases)/\($0))" }
        if !links.isEmpty { text += " " + links.joined(separator: ", ") }
        return text + (detail.isEmpty ? "" : " (\(detail))")
    }

    /// Text for a terminal: the name, the detail, and URLs to open.
    package var text: String {
        var text = source.name
        if !issues.isEmpty { text += " " + issues.map { "#\($0)" }.joined(separator: ", ") }
        if !detail.isEmpty { text += " (\(detail))" }
        return "\(text): \(addresses.joined(separator: " "))"
    }

    private var addresses: [String] {
        guard let address = source.address else {
            return cases.isEmpty
                ? ["docs/sources.md#\(source.rawValue)"]
                : cases.map { "\(CitedSource.cases)/\($0)" }
        }
        return issues.isEmpty ? [source.home ?? address] : issues.map { "\(address)\($0)" }
    }
}
