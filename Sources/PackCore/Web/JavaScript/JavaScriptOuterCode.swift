/// Finds the positions of a script that run when it is loaded: those outside functions.
package enum JavaScriptOuterCode {
    /// Filters the positions that run immediately.
    ///
    /// A function that is called at its definition is treated as called later.
    ///
    /// - Parameter places: Positions of bytes in the script, in ascending order.
    package static func places(
        _ places: [Int], of source: Span<UInt8>, goal: JavaScriptTokenizer.Goal = .script
    ) -> Set<Int> {
        guard !places.isEmpty else { return [] }
        let tree = JavaScriptParser.tree(of: source, goal: goal)
        var bodies: [Range<Int>] = []
        for index in tree.nodes.indices where tree.nodes[index].kind.isFunction {
            bodies.append(tree.range(tree.last(JavaScriptNode.ID(truncatingIfNeeded: index))))
        }
        bodies.sort { $0.lowerBound < $1.lowerBound }
        var found: Set<Int> = []
        var next = 0
        var end = 0
        for place in places {
            while next < bodies.count, bodies[next].lowerBound <= place {
                end = max(end, bodies[next].upperBound)
                next += 1
            }
            if place >= end, place < source.count { found.insert(place) }
        }
        return found
    }
}
