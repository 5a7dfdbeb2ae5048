import PackGround
import PackProfile

/// Rules about sizes.
extension Rule {
    /// Files above the limit.
    static let largeFile = Rule(
        "large-file", group: .media, level: .always(.warning),
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
        "large-image", group: .media, level: .always(.warning),
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
        "package-too-large", group: .media, level: .always(.warning),
        site: { context, sink in
            let total = context.site.files.clampedSum(of: \.size)
            guard let limit = context.site.options.budgets.package, total > limit else { return }
            sink.report(
                name: ".", "the build is larger than the limit",
                notes: [SizeNote.text(total, limit: limit)])
        })

    /// More files than the budget.
    static let tooManyFiles = Rule(
        "too-many-files", group: .media, level: .always(.warning),
        site: { context, sink in
            let count = context.site.files.count
            guard let limit = context.site.options.budgets.files, count > limit else { return }
            sink.report(
                name: ".", "the build has more files than the limit",
                notes: ["\(grouped(count)) files; the limit is \(grouped(limit))"])
        })

    /// Empty files.
    static let zeroByteFile = Rule(
        "zero-byte-file", group: .media,
        level: .init(
            """
            error for the launch page and for pages that something in the package opens, hint for \
            scripts and styles, else warning
            """
        ) { _ in .warning },
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
        "duplicate-content", group: .media, level: .always(.hint),
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

/// The pages shown to users.
private enum EmptyPage {
    /// The launch page, the start page, and pages opened by links in the package.
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

/// The sizes in a finding, which are notes because a message must be stable across builds.
private enum SizeNote {
    static func text(_ size: UInt64, limit: UInt64) -> String {
        let (has, most) = (readableSize(size), readableSize(limit))
        // A difference that rounding would hide.
        if has == most {
            return "it has \(grouped(Int(clamping: size))) bytes; the limit is "
                + grouped(Int(clamping: limit))
        }
        return "it has \(has); the limit is \(readableLimit(limit))"
    }
}
