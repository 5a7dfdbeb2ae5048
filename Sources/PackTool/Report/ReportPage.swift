import PackGround

/// A report as a single HTML page without scripts or external resources.
package struct ReportPage {
    let report: ReleaseReport

    /// The maximum number of rows in a table; the remaining ones are counted.
    static let mostRows = 200

    package init(_ report: ReleaseReport) { self.report = report }

    /// The page's bytes.
    package var bytes: [UInt8] {
        let style = "\(ReportStyle.sheet)"
        // The policy forbids all loads, scripts, and other styles.
        let policy =
            "default-src 'none'; style-src '"
            + SubresourceIntegrity.Algorithm.sha256.expression(of: Array(style.utf8))
            + (report.pages.isEmpty ? "'" : "'; img-src data:")
            + "; base-uri 'none'; form-action 'none'"
        let page: HTML = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>\(title)</title>
            <style>\(HTML(style: ReportStyle.sheet))</style>
            </head>
            <body>
            \(head)
            <main>
            \(HTML(joining: sections.map(\.content)))
            </main>
            <footer>Written by \(report.tool).</footer>
            </body>
            </html>

            """
        return Array(page.string.utf8)
    }

    private var title: String {
        "\(report.app.map { "\($0) " } ?? "")\(report.new.version): release report"
    }

    private var sections: [(anchor: String, title: String, content: HTML)] {
        [
            ("findings", "Findings", findingsSection),
            ("pages", "Pages", pagesSection),
            ("update", "Cost of an update", updateSection),
            ("budgets", "Budgets", budgetsSection),
            ("changes", "What changed", changesSection),
            ("size", "Contents", sizeSection),
            ("history", "History", historySection),
        ].compactMap { anchor, title, content in
            content.map { content in
                let section: HTML = """
                    <section aria-labelledby="\(anchor)"><h2 id="\(anchor)">\(title)</h2>
                    \(content)
                    </section>
                    """
                return (anchor, title, section)
            }
        }
    }

    // MARK: Head

    private var head: HTML {
        let old = report.old.map { old -> HTML in
            "<p class=\"faint\">Compared with <code>\(old.version)</code> (<span class=\"path\">\(old.path)</span>)</p>"
        }
        let links = sections.map { section -> HTML in
            "<li><a href=\"#\(section.anchor)\">\(section.title)</a></li>"
        }
        return """
            <header>
            <h1>\(report.app ?? "Release") <code>\(report.new.version)</code></h1>
            <p class="faint"><span class="path">\(report.new.path)</span></p>
            \(old ?? "")
            \(verdict)
            <dl class="tiles">\(HTML(joining: tiles))</dl>
            <nav aria-label="Sections"><ul>\(HTML(joining: links))</ul></nav>
            </header>
            """
    }

    private var verdict: HTML {
        guard !report.verdict.isEmpty else { return "" }
        return """
            <p class="verdict"><a class="\(report.isReady ? "good" : "bad")" href="#findings">\(report.verdict)</a></p>
            """
    }

    /// The decisive results, each with a link to its section, then the sizes.
    private var tiles: [HTML] {
        let errors = report.count("error")
        var tiles = [
            tile(
                "Findings", "\(grouped(errors)) \(errors == 1 ? "error" : "errors")",
                counted(report.count("warning"), "warning"), section: "findings",
                errors > 0 ? "bad" : "good")
        ]
        if let new = report.newFindings {
            tiles.append(
                tile(
                    "New findings", grouped(new), "compared with the old release",
                    section: "findings", new == 0 ? "good" : "bad"))
        }
        if let route = report.routes.first {
            tiles.append(
                tile("Update", readableSize(route.bytes), "by \(route.name)", section: "update"))
        }
        let over = report.budgets.count { !$0.isKept }
        if !report.budgets.isEmpty {
            tiles.append(
                tile(
                    "Budgets", over == 0 ? "kept" : "\(over) exceeded",
                    "\(report.budgets.count) set", section: "budgets", over == 0 ? "good" : "bad"))
        }
        return tiles + [
            tile("Package", readableSize(report.package), "download of a first install"),
            tile(
                "Size", readableSize(report.new.bytes ?? 0),
                report.old?.bytes.map { "\(readableSize($0)) before" }),
            tile(
                "Files", grouped(report.new.files),
                report.old.map { "\(grouped($0.files)) before" }),
        ]
    }

    /// - Parameter section: The section linked from the tile.
    private func tile(
        _ name: String, _ value: String, _ note: String?, section: String? = nil,
        _ kind: String = ""
    ) -> HTML {
        let shown = section.map { section -> HTML in
            "<a class=\"\(kind)\" href=\"#\(section)\">\(value)</a>"
        }
        return """
            <div><dt>\(name)</dt><dd class="value">\(shown ?? "\(value)")</dd><dd class="faint">\(note ?? "")</dd></div>
            """
    }

    // MARK: Pieces

    /// A table that can be scrolled with the keyboard.
    func table(_ name: String, _ columns: [(title: String, isNumber: Bool)], _ rows: [HTML]) -> HTML
    {
        let titles = columns.map { column -> HTML in
            column.title == "share"
                ? #"<th class="bar" scope="col">\#(column.title)</th>"#
                : column.isNumber
                    ? #"<th class="number" scope="col">\#(column.title)</th>"#
                    : #"<th scope="col">\#(column.title)</th>"#
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="\(name)">
            <table><thead><tr>\(HTML(joining: titles))</tr></thead>
            <tbody>
            \(HTML(joining: rows))
            </tbody></table></div>
            """
    }

    /// The last cell of a row: a share as a bar.
    func bar(_ share: Double, isOver: Bool = false) -> HTML {
        let width = min(1, max(0, share)) * 200
        return """
            <td class="bar"><svg class="meter" viewBox="0 0 200 10" preserveAspectRatio="none" aria-hidden="true">\
            <rect class="all" width="200" height="10"/>\
            <rect class="\(isOver ? "over" : "part")" width="\(number(width))" height="10"/></svg></td>
            """
    }

    /// The number of omitted rows.
    func more(_ count: Int, _ noun: String) -> HTML {
        count > 0 ? "<p class=\"faint\">… and \(counted(count, noun))</p>" : ""
    }
}
