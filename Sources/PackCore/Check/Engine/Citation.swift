/// Where a rule's claim comes from: a source of ``CitedSource`` and the place in it.
package struct Citation: Hashable, Sendable {
    package let source: CitedSource
    /// The numbers of issues, bugs or pull requests in a tracker.
    package let issues: [Int]
    /// The folders of test cases in `Tests/Rigs/WebKit/cases`.
    package let cases: [String]
    /// The section, file or symbol; empty where the whole source is meant.
    package let detail: String

    /// For `docs/rules.md`: the name links to `docs/sources.md`, issues and cases to themselves.
    package var markdown: String {
        var text = "[\(source.name)](sources.md#\(source.rawValue))"
        let links =
            issues.map { "[#\($0)](\(source.address ?? "")\($0))" }
            + cases.map { "[\($0)](../\(CitedSource.cases)/\($0))" }
        if !links.isEmpty { text += " " + links.joined(separator: ", ") }
        return text + (detail.isEmpty ? "" : " (\(detail))")
    }

    /// For a terminal: the name and the detail, then an address to open.
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
