import PackGround

extension ReportPage {
    /// The largest sum of all pictures in bytes; pages beyond it have none.
    private static let mostBytes = 8 << 20

    /// The first screens of the opened pages, beside those of the old release.
    var pagesSection: HTML? {
        guard !report.pages.isEmpty else { return nil }
        var rest = Self.mostBytes
        let items = report.pages.map { page -> HTML in
            let size = (page.picture?.count ?? 0) + (page.oldPicture?.count ?? 0)
            let fits = size <= rest
            if fits { rest -= size }
            return """
                <li><p><span class="path">\(page.name)</span><br><span class="faint">\(page.note)</span></p>
                <div class="shots">\(shot(fits ? page.oldPicture : nil, "before", of: page))\
                \(shot(fits ? page.picture : nil, "now", of: page))</div></li>
                """
        }
        return """
            <p>\(report.opened ?? "") The pictures show the first screens.</p>
            <ul class="pages">\(HTML(joining: items))</ul>
            """
    }

    private func shot(
        _ picture: [UInt8]?, _ time: String, of page: ReleaseReport.Page
    ) -> HTML {
        guard let picture else {
            return time == "now" ? "<p class=\"faint\">no picture</p>" : ""
        }
        let caption: HTML = page.oldPicture == nil ? "" : "<figcaption>\(time)</figcaption>"
        return """
            <figure><img alt="The first screen of \(page.name), \(time)" width="195" height="350" \
            src="data:image/png;base64,\(Base64.string(picture))">\(caption)</figure>
            """
    }
}
