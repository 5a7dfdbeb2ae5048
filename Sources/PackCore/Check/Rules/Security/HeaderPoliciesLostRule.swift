extension Rule {
    /// Policies that only the server sends, as headers.
    static let headerPoliciesLost = Rule(
        "header-policies-lost", group: .security, level: .packagedPages(.warning),
        site: { context, sink in
            let names = [
                "content-security-policy", "referrer-policy", "cross-origin-opener-policy",
                "cross-origin-embedder-policy", "permissions-policy",
            ]
            for file in ServerFiles.files(ServerFiles.headers, in: context.site) {
                let content = try context.site.content(of: file)
                for line in ServerFiles.lines(of: content) {
                    let text = line.text.lowercased()
                    guard let name = names.first(where: { text.contains($0) }) else { continue }
                    let indent = line.text.utf8.prefix { $0 <= 0x20 }.count
                    sink.report(
                        file: file, at: (line.range.lowerBound + indent)..<line.range.upperBound,
                        "packaged pages do not get the header \(name)")
                }
            }
        })
}
