import PackGround
import PackProfile
import PackURL

/// The text of a reference, its use, and what it means in a folder.
struct ReferenceText: Sendable {
    /// The decoded but unresolved URL, with surrounding white space.
    let value: [UInt8]
    let use: ReferenceUse
    let resolution: Resolution

    init(_ value: [UInt8], _ use: ReferenceUse, from base: URLRecord?, _ resolver: Resolver) {
        self.value = value
        self.use = use
        resolution = resolver.resolve(value, from: base, for: use.opensPage ? .navigation : .load)
    }
}

/// A resolved text, shared by all references of a folder that have it: the pages of a site repeat
/// most of their links.
package final class ReferenceTarget: Sendable {
    let text: ReferenceText
    /// The fault of its spelling, if any.
    let fault: URLFault?
    private let knownMiss = Locked<Miss?>(nil)

    /// The diagnosis of a text without a file.
    struct Miss: Sendable {
        let cause: LookupModel.Cause
        /// The file most likely intended.
        let meant: Int?
    }

    init(_ value: [UInt8], _ use: ReferenceUse, from base: URLRecord?, _ resolver: Resolver) {
        text = ReferenceText(value, use, from: base, resolver)
        fault = URLFault.of(text, resolver.profile)
    }

    /// Why the handler finds no file; determined at the first call.
    func miss(in site: SiteIndex) -> Miss {
        if let known = knownMiss.withLock({ $0 }) { return known }
        let miss = Miss(
            cause: LookupModel.cause(of: text.resolution, in: site),
            meant: site.meantFile(text.resolution))
        knownMiss.withLock { $0 = miss }
        return miss
    }
}

/// The targets of a build so far, within limits.
package final class ReferenceTargets: Sendable {
    /// The folder of a base URL: all that a relative path is resolved against.
    struct Folder {
        private let url: [UInt8]
        fileprivate let hash: Int

        init(_ base: URLRecord?) {
            let text = base?.serialized(includingFragment: false) ?? []
            let path = text.prefix { $0 != UInt8(ascii: "?") }
            url = path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[...$0]) } ?? []
            hash = url.hashValue
        }

        fileprivate static func == (a: Folder, b: Folder) -> Bool {
            a.hash == b.hash && a.url == b.url
        }
    }

    /// The long parts are hashed once: the folder's for a file, the text's for a look-up.
    private struct Key: Hashable {
        let folder: Folder
        let use: ReferenceUse
        let value: [UInt8]
        let hash: Int

        init(_ folder: Folder, _ use: ReferenceUse, _ value: [UInt8]) {
            (self.folder, self.use, self.value) = (folder, use, value)
            var hasher = Hasher()
            hasher.combine(folder.hash)
            hasher.combine(use)
            hasher.combine(value)
            hash = hasher.finalize()
        }

        func hash(into hasher: inout Hasher) { hasher.combine(hash) }

        static func == (a: Key, b: Key) -> Bool {
            a.hash == b.hash && a.use == b.use && a.value == b.value && a.folder == b.folder
        }
    }

    /// The largest number of targets in each part.
    private static let most = 4_096
    /// The longest remembered text, in bytes.
    private static let longest = 512
    /// Parts with a lock of their own, so that files read in parallel rarely wait for each other.
    private let parts = (0..<16).map { _ in Part() }

    private final class Part: Sendable {
        let targets = Locked<[Key: ReferenceTarget]>([:])
    }

    /// The target of a text.
    ///
    /// - Parameter folder: The folder of `base`.
    func target(
        _ value: [UInt8], _ use: ReferenceUse, from base: URLRecord?, in folder: Folder,
        _ resolver: Resolver
    ) -> ReferenceTarget {
        let make = { ReferenceTarget(value, use, from: base, resolver) }
        guard Self.dependsOnFolderAlone(value) else { return make() }
        let key = Key(folder, use, value)
        let part = parts[Int(truncatingIfNeeded: key.hash.magnitude % 16)]
        if let known = part.targets.withLock({ $0[key] }) { return known }
        let target = make()
        part.targets.withLock { if $0.count < Self.most { $0[key] = target } }
        return target
    }

    /// Whether a text means the same from all files of a folder.
    ///
    /// A query or fragment alone keeps the name of the file, and so may one after a scheme without
    /// slashes. Control characters are removed by the parser (https://url.spec.whatwg.org/), so a
    /// text with some is not looked at.
    private static func dependsOnFolderAlone(_ value: [UInt8]) -> Bool {
        guard value.count <= longest, let first = value.first(where: { $0 != 0x20 }),
            first != UInt8(ascii: "?"), first != UInt8(ascii: "#"),
            !value.contains(where: { $0 < 0x20 })
        else { return false }
        guard let end = value.firstIndex(where: { ":/?#".utf8.contains($0) }),
            value[end] == UInt8(ascii: ":")
        else { return true }
        return value[(end + 1)...].starts(with: "//".utf8)
    }
}
