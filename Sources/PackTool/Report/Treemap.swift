/// Nearly square rectangles with areas proportional to sizes.
///
/// The layout follows Bruls, Huizing and van Wijk, *Squarified Treemaps* (2000): a row of
/// rectangles along the shorter side grows as long as its worst aspect ratio improves.
struct Treemap {
    struct Rectangle: Equatable, Sendable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double

        var area: Double { width * height }
    }

    /// A directory's frame or a file.
    struct Cell: Sendable {
        let rectangle: Rectangle
        /// The path, or the directory with the number of its files.
        let title: String
        /// The label drawn inside if it fits.
        let label: String
        let size: UInt64
        /// `nil` for a directory.
        let kind: FileKind?
        /// Whether other cells are drawn inside.
        let isFrame: Bool
    }

    private(set) var cells: [Cell] = []
    private let leastArea: Double

    /// The height of a directory's name.
    static let headline = 16.0
    private static let gap = 2.0
    private static let deepest = 6

    /// - Parameter leastArea: Smaller neighbors are combined into one cell.
    init(of tree: SizeTree, in rectangle: Rectangle, leastArea: Double) {
        self.leastArea = leastArea
        place(tree.children, in: rectangle, path: "", depth: 0)
    }

    private mutating func place(
        _ nodes: [SizeTree], in rectangle: Rectangle, path: String, depth: Int
    ) {
        let total = Double(nodes.reduce(0) { $0 + $1.size })
        guard total > 0, rectangle.area > 0 else { return }
        // The nodes are sorted by size, so the small ones are at the end.
        let leastSize = leastArea / rectangle.area * total
        let large = nodes.prefix { Double($0.size) >= leastSize }
        let small = nodes[large.endIndex...]
        let shown = large + (small.isEmpty ? [] : [SizeTree.rest(of: small)])
        let rectangles = Self.squarified(shown.map { Double($0.size) }, in: rectangle)
        for (number, (node, rectangle)) in zip(shown, rectangles).enumerated() {
            let isRest = number == large.count
            add(node, in: rectangle, path: path, depth: depth, isRest: isRest)
        }
    }

    private mutating func add(
        _ node: SizeTree, in rectangle: Rectangle, path: String, depth: Int, isRest: Bool
    ) {
        let name = path + node.name
        let files = node.files == 1 ? "1 file" : "\(node.files) files"
        guard node.kind == nil, !isRest else {
            let title = isRest ? "\(path)… \(files)" : name
            cells.append(
                Cell(
                    rectangle: rectangle, title: title, label: isRest ? files : node.name,
                    size: node.size, kind: node.kind, isFrame: false))
            return
        }
        let isFrame = rectangle.width > 48 && rectangle.height > 40 && depth < Self.deepest
        cells.append(
            Cell(
                rectangle: rectangle, title: "\(name)/ (\(files))", label: "\(node.name)/",
                size: node.size, kind: nil, isFrame: isFrame))
        guard isFrame else { return }
        place(
            node.children,
            in: Rectangle(
                x: rectangle.x + Self.gap, y: rectangle.y + Self.headline,
                width: rectangle.width - 2 * Self.gap,
                height: rectangle.height - Self.headline - Self.gap), path: name + "/",
            depth: depth + 1)
    }

    /// One rectangle for each size; together they fill the given one.
    ///
    /// - Parameter sizes: Sorted, the largest first.
    static func squarified(_ sizes: [Double], in rectangle: Rectangle) -> [Rectangle] {
        let total = sizes.reduce(0, +)
        guard total > 0 else {
            return sizes.map { _ in
                Rectangle(x: rectangle.x, y: rectangle.y, width: 0, height: 0)
            }
        }
        let areas = sizes.map { $0 / total * rectangle.area }
        var result: [Rectangle] = []
        var left = rectangle
        var start = 0
        while start < areas.count {
            let side = min(left.width, left.height)
            var end = start + 1
            var sum = areas[start]
            while end < areas.count,
                worst(areas[start..<end], sum, side)
                    >= worst(
                        areas[start...end], sum + areas[end], side)
            {
                sum += areas[end]
                end += 1
            }
            lay(areas[start..<end], sum, in: &left, &result)
            start = end
        }
        return result
    }

    /// The worst aspect ratio of a row along a side.
    private static func worst(_ row: ArraySlice<Double>, _ sum: Double, _ side: Double) -> Double {
        guard let largest = row.max(), let smallest = row.min(), smallest > 0, side > 0, sum > 0
        else { return .infinity }
        let square = side * side
        return max(square * largest / (sum * sum), sum * sum / (square * smallest))
    }

    /// Lays out a row along the shorter side, and removes it from the remaining area.
    private static func lay(
        _ row: ArraySlice<Double>, _ sum: Double, in left: inout Rectangle,
        _ result: inout [Rectangle]
    ) {
        let isColumn = left.width >= left.height
        let side = isColumn ? left.height : left.width
        let depth = side > 0 ? sum / side : 0
        var offset = 0.0
        for area in row {
            let length = depth > 0 ? area / depth : 0
            result.append(
                isColumn
                    ? Rectangle(x: left.x, y: left.y + offset, width: depth, height: length)
                    : Rectangle(x: left.x + offset, y: left.y, width: length, height: depth))
            offset += length
        }
        if isColumn {
            left.x += depth
            left.width = max(0, left.width - depth)
        } else {
            left.y += depth
            left.height = max(0, left.height - depth)
        }
    }
}
