import PackGround

extension ReportPage {
    /// Treemaps, the sizes by kind, and the largest files.
    var sizeSection: HTML? {
        let raw = SizeTree(files: report.files.map { ($0.path, $0.kind, $0.size) })
        let packed = SizeTree(files: report.files.map { ($0.path, $0.kind, $0.packed) })
        guard raw.size > 0 else { return nil }
        return """
            <p>Each rectangle is a file, as large as its share; small neighbours are one. A pointer shows the names.</p>
            <input class="choice" type="radio" name="size" id="size-raw" checked><label for="size-raw">as it is (\
            \(readableSize(raw.size)))</label>
            <input class="choice" type="radio" name="size" id="size-packed"><label for="size-packed">in the package \
            (\(readableSize(packed.size)))</label>
            <div class="maps">
            \(map(raw, "raw", "Sizes of the files"))
            \(map(packed, "packed", "Sizes of the files in the package"))
            </div>
            <h3>By kind</h3>
            \(kinds)
            <details><summary>The largest files</summary>
            \(largest)
            </details>
            """
    }

    private func map(_ tree: SizeTree, _ name: String, _ about: String) -> HTML {
        let about = "\(about), \(readableSize(tree.size)) in \(counted(tree.files, "file"))"
        return """
            <div class="map \(name)">
            <div class="wide">\(TreemapView(tree: tree, width: 1200, height: 560, about: about).svg)</div>
            <div class="narrow">\(TreemapView(tree: tree, width: 380, height: 520, about: about).svg)</div>
            </div>
            """
    }

    private var kinds: HTML {
        let total = report.files.reduce(0) { $0 + $1.size }
        let rows = FileKind.allCases.map { kind -> (size: UInt64, row: HTML) in
            let files = report.files.filter { $0.kind == kind }
            let size = files.reduce(0) { $0 + $1.size }
            let packed = files.reduce(0) { $0 + $1.packed }
            guard !files.isEmpty else { return (0, "") }
            let row: HTML = """
                <tr><td><svg class="swatch" viewBox="0 0 12 12" aria-hidden="true">\
                <rect class="\(TreemapView.cssClass(kind))" width="12" height="12"/></svg>\(kind.title)</td>\
                <td class="number">\(grouped(files.count))</td><td class="number">\(readableSize(size))</td>\
                <td class="number">\(readableSize(packed))</td>\(bar(Double(size) / Double(max(1, total))))</tr>
                """
            return (size, row)
        }.filter { $0.size > 0 }.sorted { $0.size > $1.size }
        return table(
            "Sizes by kind",
            [("kind", false), ("files", true), ("size", true), ("packed", true), ("share", false)],
            rows.map(\.row))
    }

    private var largest: HTML {
        let files = report.files.sorted { ($0.size, $1.path) > ($1.size, $0.path) }
        let total = max(1, report.files.reduce(0) { $0 + $1.size })
        let rows = files.prefix(Self.mostRows).map { file -> HTML in
            """
            <tr><td class="path">\(file.path)</td><td class="number">\(readableSize(file.size))</td>\
            <td class="number">\(readableSize(file.packed))</td>\(bar(Double(file.size) / Double(total)))</tr>
            """
        }
        return table(
            "The largest files",
            [("file", false), ("size", true), ("packed", true), ("share", false)], rows)
            + more(files.count - rows.count, "smaller file")
    }
}
