/// The chunks of Next.js.
extension JavaScriptReferenceCollector {
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
                    form: .next))
        }
    }

    private static func isInPath(_ byte: UInt8) -> Bool {
        JavaScriptByte.isName(byte) || "/.-~%()@[]".utf8.contains(byte)
    }
}
