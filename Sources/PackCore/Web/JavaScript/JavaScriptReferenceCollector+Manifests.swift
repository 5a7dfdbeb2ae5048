/// The style sheets of a bundle's chunks, and the manifests of Parcel and Next.js.
extension JavaScriptReferenceCollector {
    /// The chunks that have a style sheet: `n.f.miniCss = (e, t) => { … {358: 1}[e] && … }`.
    mutating func styleChunks(_ source: Span<UInt8>) {
        guard at(1, "=", source) else { return }
        for offset in 2..<300 {
            if window[offset].kind == .end { return }
            guard at(offset, "{", source), let ids = table(ofOnesAt: offset, source) else {
                continue
            }
            styleIDs.formUnion(ids)
            return
        }
    }

    /// The keys of `{358: 1, about: 1}[e]`.
    private func table(ofOnesAt open: Int, _ source: Span<UInt8>) -> [[UInt8]]? {
        var ids: [[UInt8]] = []
        var offset = open + 1
        while ids.count < 100 {
            let key = window[offset]
            guard key.kind == .number || key.kind == .string || key.kind == .identifier,
                at(offset + 1, ":", source), window[offset + 2].kind == .number
            else { return nil }
            ids.append(key.content(in: source).map { source[$0] })
            offset += 3
            if at(offset, "}", source) {
                return at(offset + 1, "[", source) && window[offset + 2].kind == .identifier
                    ? ids : nil
            }
            guard at(offset, ",", source) else { return nil }
            offset += 1
        }
        return nil
    }

    /// `n.miniCssF(358)`.
    mutating func styleCall(_ source: Span<UInt8>) {
        guard at(1, "(", source), at(3, ")", source), styleIDs.count < Self.mostCalls,
            window[2].kind == .number || window[2].kind == .string
        else { return }
        styleIDs.insert(window[2].content(in: source).map { source[$0] })
    }

    /// `parcelRequire(…).register(JSON.parse('{"7Zb2":"cart.ccdd.js"}'))`: the bundles of Parcel.
    mutating func parcelManifest(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, "(", source), at(-2, "parse", source), at(-4, "JSON", source) else { return }
        guard (-24...(-5)).contains(where: { at($0, "register", source) }) else { return }
        let content = token.content(in: source)
        let isEscaped = token.traits.contains(.escaped)
        let text = value(token, source)
        guard text.count > 4 else { return }
        // `{"7Zb2":"cart.js"}`, in newer versions `["7Zb2","cart.js"]`.
        claim(to: token.end)
        var quotes: [Int] = []
        for index in text.indices where text[index] == UInt8(ascii: "\"") { quotes.append(index) }
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
                    .chunk, range: range, expression: token.range, value: value, extent: .whole,
                    detail: "parcel"))
        }
    }

    /// The chunks in the data streamed by Next.js: `self.__next_f.push([1,
    /// "…static/chunks/a.js…"])`.
    mutating func flightData(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, ",", source), at(-3, "[", source), at(-4, "(", source),
            at(-5, "push", source), (-20...(-6)).contains(where: { at($0, "__next_f", source) })
        else { return }
        claim(to: token.end)
        let content = token.content(in: source)
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
                    .chunk, range: first..<end, expression: token.range,
                    value: isWhole ? path : Array("/_next/".utf8) + path, extent: .whole,
                    detail: "next"))
        }
    }

    private static func isInPath(_ byte: UInt8) -> Bool {
        JavaScriptByte.isName(byte) || "/.-~%()@[]".utf8.contains(byte)
    }
}
