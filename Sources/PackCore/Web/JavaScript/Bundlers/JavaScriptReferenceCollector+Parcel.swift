/// The manifest of Parcel.
extension JavaScriptReferenceCollector {
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
                    form: .parcel))
        }
    }
}
