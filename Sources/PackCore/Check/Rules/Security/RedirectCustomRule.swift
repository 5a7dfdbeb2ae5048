import PackProfile

extension Rule {
    /// Redirects to the custom scheme.
    static let redirectCustom = Rule(
        "redirect-custom", group: .security, level: .customScheme(.error),
        site: { context, sink in
            let word = context.profile.canonicalScheme + Array("://".utf8)
            for file in ServerFiles.files(ServerFiles.redirects, in: context.site) {
                let content = try context.site.content(of: file)
                for line in ServerFiles.lines(of: content) {
                    let bytes = Array(line.text.lowercased().utf8)
                    guard bytes.count == line.range.count, bytes.count >= word.count,
                        let start = (0...(bytes.count - word.count)).first(where: {
                            bytes[$0...].starts(with: word)
                        })
                    else { continue }
                    sink.report(
                        file: file,
                        at: (line.range.lowerBound + start)..<line.range.upperBound,
                        "browsers do not follow a redirect to the custom scheme")
                }
            }
        })
}
