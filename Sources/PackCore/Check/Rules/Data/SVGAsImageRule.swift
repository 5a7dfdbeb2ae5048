import PackGround
import PackWeb

extension Rule {
    /// An SVG image that needs other files.
    static let svgAsImage = Rule(
        "svg-as-image", group: .data,
        level: .init("hint; error for a file without the namespace") { _ in .hint },
        site: { context, sink in
            let images: Set<ReferenceKind> = [
                .html(.image), .html(.backgroundImage), .html(.icon), .css(.image), .css(.mask),
                .css(.cursor),
            ]
            var users: [Int: Int] = [:]
            for summary in context.summaries {
                for link in summary.links where images.contains(link.kind) {
                    guard context.site.files[link.target].kind == .svg, users[link.target] == nil
                    else {
                        continue
                    }
                    users[link.target] = summary.index
                }
            }
            for (file, user) in users.sorted(by: { $0.key < $1.key }) {
                if let root = try SVGRoot.withoutNamespace(file, in: context.site) {
                    sink.report(
                        file: file, at: root,
                        "without xmlns=\"http://www.w3.org/2000/svg\" this file is no image",
                        severity: .error)
                }
                for link in context.summaries[file].links
                where link.use.isFetched && link.target != file {
                    let page = printable(context.site.path(user).bytes)
                    sink.report(
                        file: file, at: link.range,
                        "used as an image in '\(page)', this SVG file loads no other file")
                }
            }
        })
}

private enum SVGRoot {
    /// The tag of a root element without a namespace.
    static func withoutNamespace(_ file: Int, in site: SiteIndex) throws -> Range<Int>? {
        let head = try site.source.head(of: site.path(file), count: 4096)
        let span = head.span
        var reader = HTMLReader(range: 0..<head.count)
        while let token = reader.next(in: span) {
            guard token.kind == .startTag else { continue }
            return token.name == "svg" && reader.attributes.first("xmlns", in: span) == nil
                ? token.range : nil
        }
        return nil
    }
}
