import PackGround

/// A treemap as SVG.
struct TreemapView {
    let tree: SizeTree
    /// The size of the drawing in its own units.
    let width: Double
    let height: Double
    /// The description for screen readers.
    let about: String

    private static let characterWidth = 6.7
    private static let lineHeight = 13.0

    var svg: HTML {
        let map = Treemap(
            of: tree, in: .init(x: 0, y: 0, width: width, height: height), leastArea: 90)
        return """
            <svg viewBox="0 0 \(number(width)) \(number(height))" role="img" aria-label="\(about)">
            \(HTML(joining: map.cells.map(cell)))
            </svg>
            """
    }

    private func cell(_ cell: Treemap.Cell) -> HTML {
        let box = cell.rectangle
        let kind = cell.kind.map(Self.cssClass) ?? (cell.isFrame ? "folder" : "other")
        let rectangle: HTML = """
            <rect class="\(kind)" x="\(number(box.x))" y="\(number(box.y))" width="\(number(box.width))" \
            height="\(number(box.height))"><title>\(cell.title), \(readableSize(cell.size))</title></rect>
            """
        let room = Int((box.width - 8) / Self.characterWidth)
        guard room >= 4, box.height >= Treemap.headline - 1 else { return rectangle }
        let size = readableSize(cell.size)
        if cell.isFrame {
            let label =
                displayWidth(cell.label) + size.count + 2 <= room
                ? "\(cell.label)  \(size)" : clipped(cell.label, to: room)
            return rectangle + text(label, x: box.x + 4, y: box.y + 12)
        }
        let name = text(clipped(cell.label, to: room), x: box.x + 4, y: box.y + 12)
        guard box.height >= Treemap.headline + Self.lineHeight, size.count <= room else {
            return rectangle + name
        }
        return rectangle + name + text(size, x: box.x + 4, y: box.y + 12 + Self.lineHeight)
    }

    private func text(_ text: String, x: Double, y: Double) -> HTML {
        #"<text x="\#(number(x))" y="\#(number(y))">\#(text)</text>"#
    }

    /// The CSS class of a kind; `map` is already the class of the drawing.
    static func cssClass(_ kind: FileKind) -> String {
        kind == .map ? "map-kind" : kind.rawValue
    }
}

/// A coordinate with one decimal; Swift would print all of them.
func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
}
