import PackGround

/// Configuration files of web servers for redirects and headers, without effect in a package.
enum ServerFiles {
    static let headers: Set<String> = [
        "_headers", ".htaccess", "vercel.json", "netlify.toml", "staticwebapp.config.json",
        "firebase.json",
    ]
    static let redirects: Set<String> = headers.union(["_redirects"])

    /// The lines of a file with their ranges.
    static func lines(of content: [UInt8]) -> [(text: String, range: Range<Int>)] {
        var lines: [(text: String, range: Range<Int>)] = []
        var start = 0
        for line in content.split(separator: 0x0A, omittingEmptySubsequences: false) {
            lines.append(
                (String(decoding: line, as: UTF8.self), start..<(start + line.count)))
            start += line.count + 1
        }
        return lines
    }

    /// The files of a build with one of the names, if small enough to be configuration.
    static func files(_ names: Set<String>, in site: SiteIndex) -> [Int] {
        site.files.indices.filter {
            site.files[$0].size < 1 << 20
                && names.contains(String(decoding: site.files[$0].path.fileName, as: UTF8.self))
        }
    }
}
