import PackGround

extension ReportPage {
    /// The ways to update, and the cost of each file.
    var updateSection: HTML? {
        guard report.old != nil, !report.routes.isEmpty else { return nil }
        let dearest = Double(max(1, report.routes.map(\.bytes).max() ?? 1))
        let rows = report.routes.map { route -> HTML in
            let parts = route.parts.map { "\($0.what) \(readableSize($0.bytes))" }
            return """
                <tr><td>\(route.name)</td><td>\(parts.joined(separator: " + "))</td>\
                <td class="number">\(readableSize(route.bytes))</td>\(bar(Double(route.bytes) / dearest))</tr>
                """
        }
        return """
            <p>Downloads of a client with the old release, cheapest route first.</p>
            \(table("Ways to update", [("by", false), ("fetches", false), ("bytes", true), ("share", false)], rows))
            \(costs ?? "")
            """
    }

    private var costs: HTML? {
        guard !report.costs.isEmpty else { return nil }
        let dearest = Double(max(1, report.costs.first?.bytes ?? 1))
        var rows = report.costs.prefix(Self.mostRows).map { cost -> HTML in
            """
            <tr><td><span class="path">\(cost.path)</span><br><span class="faint path">\(cost.reason)</span></td>\
            <td class="number">\(readableSize(cost.size))</td><td class="number">\(readableSize(cost.bytes))</td>\
            \(bar(Double(cost.bytes) / dearest))</tr>
            """
        }
        rows.append(
            """
            <tr><td>the rest: list of files, manifest, zip</td><td></td>\
            <td class="number">\(readableSize(report.otherCost))</td>\(bar(Double(report.otherCost) / dearest))</tr>
            """)
        return """
            <h3>By file, in the delta</h3>
            \(table("What each file costs",
                [("file and why", false), ("size", true), ("costs", true), ("share", false)], rows))
            \(more(report.costs.count - Self.mostRows, "cheaper file"))
            """
    }

    /// The changes since the old release.
    var changesSection: HTML? {
        guard report.old != nil else { return nil }
        let kinds = ["added", "removed", "changed", "renamed", "moved"]
        let counts = kinds.map { kind in
            "\(grouped(report.changes.count { $0.kind == kind })) \(kind)"
        }
        let summary = (counts + ["\(grouped(report.unchanged)) unchanged"]).joined(separator: ", ")
        let details = kinds.map { kind -> HTML in
            let changes = report.changes.filter { $0.kind == kind }
            guard !changes.isEmpty else { return "" }
            let rows = changes.prefix(Self.mostRows).map { change -> HTML in
                let from = change.from.map { "\($0) → " } ?? ""
                let size = { (size: UInt64?) in size.map(readableSize) ?? "" }
                return """
                    <tr><td class="path">\(from)\(change.path)</td><td class="number">\(size(change.old))</td>\
                    <td class="number">\(size(change.new))</td></tr>
                    """
            }
            return """
                <details><summary>\(grouped(changes.count)) \(kind)</summary>
                \(table("Files: \(kind)", [("file", false), ("before", true), ("after", true)], rows))
                \(more(changes.count - rows.count, "more file"))
                </details>
                """
        }
        return "<p>\(summary)</p>" + HTML(joining: details)
    }

    /// A table and a chart of the channel's history.
    var historySection: HTML? {
        guard !report.history.isEmpty else { return nil }
        let rows = report.history.suffix(Self.mostRows).reversed().map { entry -> HTML in
            """
            <tr><td class="number">\(entry.sequence)</td><td>\(entry.date)</td><td>\(entry.label ?? "")</td>\
            <td><code>\(entry.version)</code></td><td class="number">\(readableSize(entry.package))</td>\
            <td class="number">\(entry.delta.map(readableSize) ?? "")</td></tr>
            """
        }
        return """
            <p>Channel <code>\(report.channel ?? "")</code>. Tall bars: packages; thin bars: the smallest delta.</p>
            <div class="scroll" tabindex="0" role="region" aria-label="Chart of sizes">\
            \(HistoryChart(releases: Array(report.history.suffix(60))).svg)</div>
            <details><summary>\(counted(report.history.count, "release"))</summary>
            \(table("Releases of the channel",
                [("sequence", true), ("date", false), ("label", false), ("version", false), ("package", true),
                ("smallest delta", true)], rows))
            </details>
            """
    }
}
