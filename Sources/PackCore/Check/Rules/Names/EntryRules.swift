/// The two rules about the page that the app opens first.
extension Rule {
    /// No page to open.
    static let entryMissing = Rule(
        "entry-missing", "the page that the app opens is not in the build", group: .names,
        level: .customPages(.error),
        explanation: .init(
            what: "Looks for the launch page (`index.html` unless configured).",
            why: "The app opens it first: without it there is a blank view, offline and online.",
            source: "proved in WebKitGTK (Tests/Rigs/WebKit/cases/entry-missing)",
            instead: "Name the page with `launch`, or build one.",
            detection:
                "Only builds with at least one page are judged, and only where pages are custom."),
        examples: [
            .bad("start.html", "<p>hello</p>", silent: []),
            .good("index.html", "<p>hello</p>"),
            .good("data.json", "{}", "no pages at all"),
            .good(
                "start.html", "<p>hello</p>",
                profile: Example.profile.with { $0.launch = "start.html" }),
        ],
        site: { context, sink in
            guard EntryPages.isMissing(context), EntryPages.deeper(context) == nil else { return }
            sink.report(name: ".", "there is no '\(context.profile.launch)' in the build")
        })

    /// The page lies one directory too deep.
    static let entryNotRoot = Rule(
        "entry-not-root", "the launch page lies one directory too deep", group: .names,
        level: .customPages(.error),
        explanation: .init(
            what: "Finds builds whose launch page lies in the only directory at the top.",
            why:
                "Somebody named the directory around the build (`dist/`) instead of the build itself.",
            source: "mcuking's offline packages; cordova hot code push",
            instead: "Name the inner directory.",
            detection: "There is no launch page, but one in a directory that holds every file."),
        examples: [
            .bad("dist/index.html", "<p>hello</p>", silent: []),
            .good("index.html", "<p>hello</p>"),
            .good("start.html", "<p>hello</p>", "that is another rule's"),
        ],
        site: { context, sink in
            guard EntryPages.isMissing(context), let file = EntryPages.deeper(context) else {
                return
            }
            sink.report(
                file: file,
                "the app opens '\(context.profile.launch)', which lies a directory above")
        })
}

private enum EntryPages {
    static func isMissing(_ context: SiteContext) -> Bool {
        context.site.listing.index(of: context.profile.launch.utf8) == nil
            && context.site.files.contains { $0.kind == .html }
    }

    /// The launch page in the one directory that holds every file.
    static func deeper(_ context: SiteContext) -> Int? {
        guard let first = context.site.files.first?.path,
            let slash = first.bytes.firstIndex(of: UInt8(ascii: "/"))
        else { return nil }
        let top = first.bytes[...slash]
        guard context.site.files.allSatisfy({ $0.path.bytes.starts(with: top) }) else { return nil }
        return context.site.listing.index(of: Array(top) + Array(context.profile.launch.utf8))
    }
}
