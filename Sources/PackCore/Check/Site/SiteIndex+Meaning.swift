import PackGround
package import PackProfile
import PackURL

extension SiteIndex {
    /// The packaged file most likely intended by a URL: the same path or name except for encoding,
    /// case or normal form.
    package func meantFile(_ resolution: Resolution) -> Int? {
        guard let url = resolution.url else { return nil }
        let decoded = PercentEncoding.decode(url.path)
        let name =
            decoded.lastIndex(of: UInt8(ascii: "/")).map { decoded[($0 + 1)...] }
            ?? decoded[...]
        guard !name.isEmpty else { return nil }
        let path = PercentEncoding.decode(profile.packagePath(of: url) ?? url.path[...])
        return listing.index(foldedPath: path)
            ?? nearest(to: path, among: listing.indices(foldedName: name).prefix(Self.mostNear))
    }

    /// The largest number of files compared for their nearness.
    private static let mostNear = 256

    /// The file whose directories are most like those of a path.
    ///
    /// These are first the most equal directories next to the name, then the most equal ones at the
    /// start, then the fewest directories, then the order of the build.
    private func nearest(
        to path: [UInt8], among files: some Collection<Int>
    ) -> Int? {
        guard files.count > 1 else { return files.first }
        let wanted = path.split(separator: UInt8(ascii: "/")).dropLast()
        func rank(_ file: Int) -> (Int, Int, Int) {
            let directories = self.path(file).bytes.split(separator: UInt8(ascii: "/")).dropLast()
            let last = zip(wanted.reversed(), directories.reversed()).prefix { $0 == $1 }.count
            let first = zip(wanted, directories).prefix { $0 == $1 }.count
            return (last, first, -directories.count)
        }
        return files.map { (file: $0, rank: rank($0)) }
            .reduce(nil) { (best: (file: Int, rank: (Int, Int, Int))?, next) in
                guard let best, best.rank >= next.rank else { return next }
                return best
            }?.file
    }

    /// The page linked without its extension: servers answer `/about` with `about.html` or
    /// `about/index.html`, handlers do not.
    package func shortenedPage(_ resolution: Resolution) -> Int? {
        guard resolution.file == nil, let url = resolution.url,
            let path = profile.packagePath(of: url).map({ PercentEncoding.decode($0) }),
            let last = path.last, last != UInt8(ascii: "/")
        else { return nil }
        return listing.index(of: path + Array(".html".utf8))
            ?? listing.index(of: path + Array("/index.html".utf8))
    }

    /// The cause shared by all references to the same missing file.
    package func targetName(_ resolution: Resolution) -> String? {
        guard let url = resolution.url else { return nil }
        return printable(
            profile.packagePath(of: url).map { PercentEncoding.decode($0) } ?? url.serialized())
    }
}
