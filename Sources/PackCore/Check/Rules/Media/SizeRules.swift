/// Rules about sizes.
extension Rule {
    /// Files above the limit.
    static let largeFile = Rule(
        "large-file", "a file is larger than its budget", group: .media,
        level: .always(.warning),
        explanation: .init(
            what: "Finds files above the limit (2 MiB unless configured).",
            why: """
                Every new install downloads it, and so does every update that changes a byte of \
                it. Handlers read whole files into memory.
                """,
            sources: [
                .cite(.workbox, "maximumFileSizeToCacheInBytes"), .issue(.kiwix, 768),
                .issue(.cordovaIOS, 1033),
            ],
            instead: "Split it, or load it over https when it is needed.",
            detection: """
                The file's size is compared with the limit; images and source maps have their own \
                rules.
                """),
        examples: [
            .bad("data.json", "[1,2,3]", options: CheckOptions(budgets: .init(file: 5))),
            .good("data.json", "[1]", options: CheckOptions(budgets: .init(file: 5))),
        ],
        site: { context, sink in
            guard let limit = context.site.options.budgets.file else { return }
            for (index, file) in context.site.files.enumerated()
            where file.size > limit && !MediaKind.isImage(file.path)
                && file.kind != .sourceMap
            {
                sink.report(
                    file: index, "the file is larger than the limit",
                    notes: [SizeNote.text(file.size, limit: limit)], cause: Baseline.perFile)
            }
        })

    /// Large pictures.
    static let largeImage = Rule(
        "large-image", "a large image may be displayed incomplete", group: .media,
        level: .always(.warning),
        explanation: .init(
            what:
                "Finds images above a quarter of the limit for files (512 KiB unless configured).",
            why: """
                A handler that passes on a large image in pieces may lose the end of it, and the \
                image stays incomplete. Decoded, it takes many times its size in memory.
                """,
            sources: [.cite(.s001, "problem 1"), .cite(.ownLimits)],
            instead: "Scale it to the size at which it is shown, or use another format.",
            detection: "The size of files with an image extension is compared with the limit."),
        examples: [
            .bad("a.png", "123456", options: CheckOptions(budgets: .init(file: 8))),
            .good("a.png", "1", options: CheckOptions(budgets: .init(file: 8))),
            .good("a.bin", "123456", options: CheckOptions(budgets: .init(file: 8))),
        ],
        site: { context, sink in
            guard let limit = context.site.options.budgets.file else { return }
            for (index, file) in context.site.files.enumerated()
            where file.size > limit / 4 && MediaKind.isImage(file.path) {
                sink.report(
                    file: index, "the image is larger than the limit",
                    notes: [SizeNote.text(file.size, limit: limit / 4)], cause: Baseline.perFile)
            }
        })

    /// Builds above the limit.
    static let packageTooLarge = Rule(
        "package-too-large", "the build is larger than its budget", group: .media,
        level: .always(.warning),
        explanation: .init(
            what: "Compares the size of all files with the budget (50 MiB unless configured).",
            why: "A first install downloads all of it, and iOS may purge large caches.",
            sources: [.cite(.ownLimits)],
            instead: "Leave out what pages do not need offline.",
            detection: "The files' sizes are added up before compression."),
        examples: [
            .bad("a.txt", "123456", options: CheckOptions(budgets: .init(package: 5))),
            .good("a.txt", "123", options: CheckOptions(budgets: .init(package: 5))),
        ],
        site: { context, sink in
            let total = context.site.files.clampedSum(of: \.size)
            guard let limit = context.site.options.budgets.package, total > limit else { return }
            sink.report(
                name: ".", "the build is larger than the limit",
                notes: [SizeNote.text(total, limit: limit)])
        })

    /// More files than the budget.
    static let tooManyFiles = Rule(
        "too-many-files", "the build has more files than its budget", group: .media,
        level: .always(.warning),
        explanation: .init(
            what: "Compares the number of files with the budget (`check.budgets.files`).",
            why: """
                Clients without packages request each file by itself, and every file costs time at \
                an install.
                """,
            sources: [.cite(.ownLimits)],
            instead: "Leave out what pages do not need offline (`exclude:`).",
            detection:
                "The files that are shipped are counted; there is no limit unless one is set."),
        examples: [
            .bad(
                "a.txt", "1", others: ["b.txt": "2"],
                options: CheckOptions(budgets: .init(files: 1))),
            .good(
                "a.txt", "1", others: ["b.txt": "2"],
                options: CheckOptions(budgets: .init(files: 2))),
        ],
        site: { context, sink in
            let count = context.site.files.count
            guard let limit = context.site.options.budgets.files, count > limit else { return }
            sink.report(
                name: ".", "the build has more files than the limit",
                notes: ["\(grouped(count)) files; the limit is \(grouped(limit))"])
        })

    /// Files without content.
    static let zeroByteFile = Rule(
        "zero-byte-file", "the file is empty", group: .media,
        level: .init(
            """
            error for the launch page and for pages that something in the package opens, hint for \
            scripts and styles, else warning
            """
        ) { _ in .warning },
        explanation: .init(
            what: "Finds files with a size of 0 bytes.",
            why: """
                An empty image is an error, an empty page is blank. Usually a copy step failed or \
                a disk was full.
                """,
            sources: [.proof("zero-byte-file")],
            instead: "Check where the build took the file from.",
            detection: """
                The file's size is checked; names that start with a dot are skipped. A page is \
                opened by links, forms, redirects and frames whose URL the package answers, and by \
                scripts that navigate to it.
                """),
        examples: [
            .bad("logo.png", ""),
            .bad(
                "index.html", "", "the launch page: an error",
                except: Set(Example.Variant.allCases)),
            .bad(
                "about.html", "", "a page that is linked: an error",
                others: ["index.html": "<a href=\"about.html\">about</a>"],
                except: Set(Example.Variant.allCases)),
            .bad(
                "old.html", "", "nothing opens it: a warning", others: ["index.html": "<p>x"],
                except: Set(Example.Variant.allCases)),
            .good("logo.png", "x"), .good(".nojekyll", ""), .good("notes.txt", ""),
        ],
        site: { context, sink in
            let empty = context.site.files.indices.filter { index in
                context.site.files[index].size == 0
                    && context.site.path(index).fileName.first != UInt8(ascii: ".")
            }
            guard !empty.isEmpty else { return }
            let opened = EmptyPage.opened(in: context)
            for index in empty {
                let path = context.site.path(index)
                if opened.contains(index) {
                    sink.report(
                        file: index, "the page is empty, so the reader sees nothing",
                        notes: path.bytes.elementsEqual(context.profile.launch.utf8)
                            ? ["the app opens it first"] : [], severity: .error)
                    continue
                }
                switch path.fileEnding {
                case "js", "mjs", "css":
                    sink.report(file: index, "the file is empty", severity: .hint)
                case "html", "htm", "json", "webmanifest", "wasm", "svg", "ico", "ttf", "otf",
                    "woff", "woff2":
                    sink.report(file: index, "the file is empty")
                default:
                    if MediaKind.isImage(path) { sink.report(file: index, "the file is empty") }
                }
            }
        })

    /// Files with equal content.
    static let duplicateContent = Rule(
        "duplicate-content", "two files have the same content", group: .media,
        level: .always(.hint),
        explanation: .init(
            what: "Finds files of at least 4 KiB with the same content as another one.",
            why: "Each copy is stored separately and, without a delta, downloaded separately.",
            sources: [.cite(.ownLimits)],
            instead: "Let all references name one file.",
            detection: "Files of the same size are compared by their SHA-256."),
        examples: [
            .bad(
                "b.txt", String(repeating: "0123456789abcdef", count: 256),
                others: ["a.txt": String(repeating: "0123456789abcdef", count: 256)]),
            .good("b.txt", "short", others: ["a.txt": "short"]),
        ],
        site: { context, sink in
            var first: [Digest: Int] = [:]
            let bySize = Dictionary(grouping: context.site.files.indices) {
                context.site.files[$0].size
            }
            for (index, file) in context.site.files.enumerated()
            where file.size >= 4096 && (bySize[file.size] ?? []).count > 1 {
                guard let digest = try context.site.digest(of: index) else { continue }
                guard let earlier = first[digest] else {
                    first[digest] = index
                    continue
                }
                sink.report(
                    file: index,
                    "same content as '\(printable(context.site.path(earlier).bytes))'",
                    cause: "copies")
            }
        })
}

/// The pages that a reader gets to see.
private enum EmptyPage {
    /// The launch page, the one that answers routes, and what something in the package opens.
    static func opened(in context: SiteContext) -> Set<Int> {
        let listing = context.site.listing
        var opened = Set(
            [context.profile.launch, context.profile.startPage].compactMap {
                listing.index(of: $0.utf8)
            })
        for summary in context.summaries {
            for link in summary.links
            where link.isFromPackage && (link.use.opensPage || link.use == .document)
                && !link.traits.contains(.inTemplate)
            {
                opened.insert(link.target)
            }
        }
        return opened.filter { context.site.files[$0].kind == .html }
    }
}

/// File types by extension.
enum MediaKind {
    static func isImage(_ path: AssetPath) -> Bool {
        ["png", "apng", "jpg", "jpeg", "gif", "webp", "avif", "bmp", "heic"].contains(
            path.fileEnding)
    }
}

/// The figures of a size, which change from build to build and so are not part of a message.
private enum SizeNote {
    static func text(_ size: UInt64, limit: UInt64) -> String {
        "it has \(readableSize(size)); the limit is \(readableSize(limit))"
    }
}
