/// The lists and manifests of Vite, Parcel and Next.js.
extension JavaScriptReader {
    static let vitePatterns: [JavaScriptPattern] = [
        // `const __vite__mapDeps = (i, m = __vite__mapDeps, d = (m.f || (m.f = ["a.js"]))) => …`
        JavaScriptPattern(.name, .viteDependencies) { $0.preloadDependencies($1, $2) },
        // `preload(() => import("…"), ["a.js", "a.css"])` of older versions
        JavaScriptPattern(.node(.importCall)) { $0.olderPreloadDependencies($1, $2) },
    ]

    /// The files that the preload helper of Vite loads: the first list of texts in its definition.
    private mutating func preloadDependencies(_ id: ID, _ source: Span<UInt8>) {
        let parent = tree.parent(id)
        var definition: ID
        switch tree.kind(parent) {
        case .declarator, .assignment, .functionDeclaration:
            guard tree.first(parent) == id else { return }
            definition = parent
        case .member where tree.first(parent) == id: definition = tree.parent(parent)
        default: return
        }
        if tree.kind(definition) == .binary { definition = tree.second(definition) }
        let start = tree[definition].start
        var list: ID = 0
        var node = definition
        while node > 0, tree[node].start >= start {
            if tree.kind(node) == .array { list = node }
            node -= 1
        }
        preload(list, source)
    }

    private mutating func olderPreloadDependencies(_ id: ID, _ source: Span<UInt8>) {
        let function = tree.parent(id)
        let list = tree.next(function)
        guard tree.kind(function) == .arrowFunction, tree.kind(tree.parent(function)) == .call,
            tree.kind(list) == .array
        else { return }
        preload(list, source)
    }

    private mutating func preload(_ list: ID, _ source: Span<UInt8>) {
        guard isLiteral(tree.first(list)) else { return }
        for element in tree.children(list)
        where tree.kind(element) == .string && !isClaimed(element) {
            note(.preloadDependency, from: tree.start(element), addressAt: element, source)
        }
    }

    /// A text of a bundler's code.
    mutating func bundleText(_ id: ID, _ bytes: Span<UInt8>, _ source: Span<UInt8>) {
        guard bytes.count >= 12 else { return }
        if bytes.holds("webpackChunk", at: 0) || bytes.holds("webpackJsonp", at: 0) {
            bundle.sawChunkGlobal = true
        } else if bytes.count == 13, bytes.holds("modulepreload", at: 0) {
            vitePreloadBase(id, source)
        }
    }

    /// `"modulepreload", x = function (e) { return "/" + e }`.
    private mutating func vitePreloadBase(_ id: ID, _ source: Span<UInt8>) {
        var definition = id
        while tree.kind(definition) != .declarator, tree.kind(definition) != .assignment {
            guard definition != 0, tree.kind(definition) != .program else { return }
            definition = tree.parent(definition)
        }
        var next = tree.next(definition)
        if next == 0 {
            // The first part of the next statement.
            next = tree.first(tree.next(tree.parent(definition)))
            if tree.kind(next) == .sequence { next = tree.first(next) }
        }
        let function = tree.second(next)
        guard tree.kind(next) == .declarator || tree.kind(next) == .assignment,
            tree.kind(function).isFunction, let value = evaluator.returned(by: function)
        else { return }
        let base = firstOperand(of: value)
        guard base != value, tree.kind(base) == .string else { return }
        let isBlock = tree.kind(tree.last(function)) == .block
        note(
            .publicPath,
            from: isBlock ? tree.start(tree.first(tree.last(function))) : tree.start(base),
            addressAt: value, source, form: .vite)
    }

    // MARK: - Parcel

    /// `parcelRequire(…).register(JSON.parse('{"7Zb2":"cart.ccdd.js"}'))`: the bundles of Parcel.
    mutating func parcelManifest(_ id: ID, _ source: Span<UInt8>) -> Bool {
        let parse = tree.parent(id)
        let register = tree.parent(parse)
        guard tree.kind(parse) == .call, tree.memberName(tree.first(parse)) == .parse,
            tree.name(object(ofCall: parse)) == .JSON, tree.kind(register) == .call,
            tree.memberName(tree.first(register)) == .register
        else { return false }
        let content = tree.content(id)
        let isEscaped = tree[id].flags.contains(.escaped)
        let text = tree.text(id, source)
        guard text.count > 4 else { return false }
        // `{"7Zb2":"cart.js"}`, in newer versions `["7Zb2","cart.js"]`.
        claim(id)
        let quotes = text.indices.filter { text[$0] == UInt8(ascii: "\"") }
        for number in stride(from: 3, to: quotes.count, by: 4) {
            let name = quotes[number - 1] + 1..<quotes[number]
            let value = Array(text[name])
            guard namesFile(value.span) else { continue }
            let range =
                isEscaped
                ? content
                : content.lowerBound + name.lowerBound..<content.lowerBound + name.upperBound
            note(
                JavaScriptReference(
                    .chunk, range: range, expression: tree.range(id), value: value, extent: .whole,
                    form: .parcel))
        }
        return true
    }

    // MARK: - Next.js

    /// The chunks in the data streamed by Next.js: `self.__next_f.push([1, "…static/chunks/a.js…"])`.
    mutating func flightData(_ id: ID, _ source: Span<UInt8>) -> Bool {
        let list = tree.parent(id)
        let call = tree.parent(list)
        guard tree.kind(list) == .array, tree.second(list) == id, tree.kind(call) == .call,
            tree.memberName(tree.first(call)) == .push,
            contains(.nextFlight, in: object(ofCall: call))
        else { return false }
        claim(id)
        let content = tree.content(id)
        var start = content.lowerBound
        while start < content.upperBound {
            guard source.holds("static/", at: start) else {
                start &+= 1
                continue
            }
            var first = start
            while first > content.lowerBound, Self.isInPath(source[first &- 1]) { first &-= 1 }
            var end = start
            while end < content.upperBound, Self.isInPath(source[end]) { end &+= 1 }
            let path = (first..<end).map { source[$0] }
            start = end &+ 1
            guard path.count < 400,
                path.suffix(3).elementsEqual(".js".utf8)
                    || path.suffix(4).elementsEqual(".css".utf8),
                path.starts(with: "static/".utf8) || path.first == UInt8(ascii: "/")
            else { continue }
            let isWhole = path.first == UInt8(ascii: "/")
            note(
                JavaScriptReference(
                    .chunk, range: first..<end, expression: tree.range(id),
                    value: isWhole ? path : Array("/_next/".utf8) + path, extent: .whole,
                    form: .next))
        }
        return true
    }

    private static func isInPath(_ byte: UInt8) -> Bool {
        JavaScriptByte.isName(byte) || "/.-~%()@[]".utf8.contains(byte)
    }

    /// Whether a name occurs in an expression.
    func contains(_ name: JavaScriptName, in id: ID) -> Bool {
        let start = tree[id].start
        var node = id
        while node > 0, tree[node].start >= start {
            if tree.name(node) == name { return true }
            node -= 1
        }
        return false
    }
}
