import PackGround

/// The sizes of a channel's releases as bars.
struct HistoryChart {
    /// In order of publication.
    let releases: [ReleaseReport.Published]

    private static let (height, foot) = (160.0, 18.0)

    var svg: HTML {
        let largest = Double(max(1, releases.map(\.package).max() ?? 1))
        let step = releases.count > 24 ? 24.0 : 64.0
        let width = max(240, Double(releases.count) * step)
        let bars = releases.enumerated().map { index, release -> HTML in
            let x = Double(index) * step
            let name = release.label ?? release.version
            return """
                \(bar("bar", x + 2, step * 0.5, Double(release.package) / largest,
                    "\(name), package \(readableSize(release.package))"))
                \(release.delta.map { delta in
                    bar("delta", x + 2 + step * 0.5, step * 0.25, Double(delta) / largest,
                        "\(name), smallest delta \(readableSize(delta))")
                } ?? "")
                \(step < 44 && index % 4 > 0 ? "" : label(clipped(name, to: Int((step < 44 ? 4 * step : step) / 7)), x + 2))
                """
        }
        return """
            <svg class="chart" viewBox="0 0 \(number(width)) \(number(Self.height))" width="\(number(width))" \
            height="\(number(Self.height))" role="img" aria-label="Package sizes of \(counted(releases.count, "release")), up to \
            \(readableSize(UInt64(largest)))">
            <line x1="0" x2="\(number(width))" y1="\(number(Self.height - Self.foot))" \
            y2="\(number(Self.height - Self.foot))"/>
            \(HTML(joining: bars))
            </svg>
            """
    }

    private func bar(
        _ kind: String, _ x: Double, _ width: Double, _ share: Double, _ title: String
    ) -> HTML {
        let height = max(1, share * (Self.height - Self.foot - 6))
        return """
            <rect class="\(kind)" x="\(number(x))" y="\(number(Self.height - Self.foot - height))" \
            width="\(number(max(1, width)))" height="\(number(height))"><title>\(title)</title></rect>
            """
    }

    private func label(_ text: String, _ x: Double) -> HTML {
        #"<text x="\#(number(x))" y="\#(number(Self.height - 4))">\#(text)</text>"#
    }
}
