import PackGround
import PackProfile
import PackURL

/// Rules about the launch page.
extension Rule {
    /// The launch page is missing.
    static let entryMissing = Rule(
        "entry-missing", group: .names, level: .packagedPages(.error),
        site: { context, sink in
            if !EntryPages.isMissing(context), EntryPages.isRootUnanswered(context) {
                sink.report(
                    name: ".", "the handler finds no file for '/', the path of the launch URL",
                    notes: ["'index-file: directory' of the profile opens index.html there"])
            }
            guard EntryPages.isMissing(context), EntryPages.deeper(context) == nil else { return }
            guard !context.site.files.isEmpty else { return }
            let hasPages = context.site.files.contains { $0.kind == .html }
            sink.report(
                name: ".",
                "the launch page '\(context.profile.launch)' is not in the build",
                notes: hasPages
                    ? EntryPages.meant(context).map {
                        ["did you mean '\(printable(context.site.path($0).bytes))'?"]
                    } ?? []
                    : ["the build has no page at all"],
                severity: context.profile.isBoundToPackage
                    && (hasPages || context.site.options.namesLaunch) ? nil : .warning)
        })

    /// The launch page is one directory too deep.
    static let entryNotRoot = Rule(
        "entry-not-root", group: .names, level: .packagedPages(.error),
        site: { context, sink in
            guard EntryPages.isMissing(context), let file = EntryPages.deeper(context) else {
                return
            }
            sink.report(
                file: file,
                "the app opens '\(context.profile.launch)' in the directory above")
        })
}

private enum EntryPages {
    static func isMissing(_ context: SiteContext) -> Bool {
        context.site.listing.index(of: context.profile.launch.utf8) == nil
    }

    /// Whether the app opens the root, and the handler has no page for it.
    static func isRootUnanswered(_ context: SiteContext) -> Bool {
        context.profile.opensRoot && !context.opensLaunchPageByRoot
    }

    /// The page probably intended by the launch setting: without a leading slash, in another letter
    /// case, or percent-decoded.
    static func meant(_ context: SiteContext) -> Int? {
        var name = Array(context.profile.launch.utf8)[...]
        name = name.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        while name.starts(with: "./".utf8) { name = name.dropFirst(2) }
        while name.first == UInt8(ascii: "/") { name = name.dropFirst() }
        let listing = context.site.listing
        let root = context.profile.root.utf8.dropFirst()
        let below = name.starts(with: root) ? name.dropFirst(root.count) : name
        return [name, below].lazy.compactMap { path in
            ["", ".html", "/index.html", "index.html"].lazy.compactMap {
                listing.index(foldedPath: path + Array($0.utf8))
            }.first { context.site.files[$0].kind == .html }
        }.first
    }

    /// The launch page in the single directory that contains every file.
    static func deeper(_ context: SiteContext) -> Int? {
        guard let first = context.site.files.first?.path,
            let slash = first.bytes.firstIndex(of: UInt8(ascii: "/"))
        else { return nil }
        let top = first.bytes[...slash]
        guard context.site.files.allSatisfy({ $0.path.bytes.starts(with: top) }) else { return nil }
        return context.site.listing.index(of: Array(top) + Array(context.profile.launch.utf8))
    }
}

extension SiteContext {
    /// Whether the handler answers the URL of the root with the launch page.
    var opensLaunchPageByRoot: Bool {
        let text = profile.canonicalScheme + Array("://\(profile.pageHost)\(profile.root)".utf8)
        guard let url = URLRecord.parse(text),
            let page = site.listing.index(of: profile.launch.utf8)
        else { return false }
        switch site.resolver.resolve(url, for: .navigation).outcome {
        case .file(let index), .startPage(let index): return index == page
        default: return false
        }
    }
}
