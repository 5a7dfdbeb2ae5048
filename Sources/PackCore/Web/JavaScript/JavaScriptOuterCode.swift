/// Finds the positions of a script that run when it is loaded: those outside functions.
package struct JavaScriptOuterCode {
    private var tokenizer: JavaScriptTokenizer
    /// Whether each open bracket is that of a function's body.
    private var isFunction: [Bool] = []
    private var functions = 0
    /// The number of open brackets before each arrow function with an expression as body.
    private var arrows: [Int] = []

    private init(_ source: Span<UInt8>, goal: JavaScriptTokenizer.Goal) {
        tokenizer = JavaScriptTokenizer(source, goal: goal)
    }

    /// Filters the positions that run immediately.
    ///
    /// A function that is called at its definition is treated as called later.
    ///
    /// - Parameter places: Positions of bytes in the script, in ascending order.
    package static func places(
        _ places: [Int], of source: Span<UInt8>, goal: JavaScriptTokenizer.Goal = .script
    ) -> Set<Int> {
        var code = JavaScriptOuterCode(source, goal: goal)
        var found: Set<Int> = []
        var next = places.startIndex
        while next < places.endIndex {
            let token = code.tokenizer.next(in: source)
            guard token.kind != .end else { break }
            if token.traits.contains(.startsStatement) { code.endArrows(at: code.isFunction.count) }
            while next < places.endIndex, places[next] < token.end {
                if code.functions == 0, code.arrows.isEmpty { found.insert(places[next]) }
                next += 1
            }
            code.take(token, source)
        }
        return found
    }

    private mutating func take(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        let depth = tokenizer.context.depth
        while isFunction.count > depth { if isFunction.removeLast() { functions -= 1 } }
        while isFunction.count < depth { isFunction.append(false) }
        if let top = isFunction.last, top != tokenizer.context.isFunctionBody {
            isFunction[depth - 1] = !top
            functions += top ? -1 : 1
        }
        endArrows(at: depth + 1)
        guard token.kind == .punctuator else { return }
        if token.is(",", in: source) || token.is(";", in: source) {
            endArrows(at: depth)
        } else if token.is("=>", in: source) {
            arrows.append(depth)
        } else if token.is("{", in: source), tokenizer.context.isFunctionBody,
            arrows.last == depth - 1
        {
            // The body is a block, which ``functions`` counts.
            arrows.removeLast()
        }
    }

    /// Forgets the arrow functions that began with at least as many open brackets.
    private mutating func endArrows(at depth: Int) {
        while let last = arrows.last, last >= depth { arrows.removeLast() }
    }
}
