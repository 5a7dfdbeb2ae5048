/// Attributes that store addresses until a script moves them: `data-src`.
extension JavaScriptReferenceCollector {
    /// A string with the name of such an attribute, also in a selector: `"img[data-src]"`.
    mutating func lazyAttribute(_ token: JavaScriptToken, _ bytes: Span<UInt8>) {
        guard bytes.count < 200, result.lazyAttributes.count < 64 else { return }
        var index = 0
        while index &+ 5 < bytes.count {
            guard bytes[index] == UInt8(ascii: "d"), bytes.holds("data-", at: index) else {
                index &+= 1
                continue
            }
            var end = index
            var name: [UInt8] = []
            while end < bytes.count, JavaScriptByte.isName(bytes[end]) || bytes[end] == 0x2D {
                name.append(bytes[end])
                end &+= 1
            }
            result.lazyAttributes.insert(name)
            index = end
        }
    }

    /// `x.dataset.lazySrc`, `x.dataset["src"]`, and `.data("src")` of jQuery.
    mutating func dataSet(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, ".", source) || at(-1, "?.", source),
            result.lazyAttributes.count < 64
        else { return }
        let name: JavaScriptToken
        if token.is("dataset", in: source) {
            if at(1, ".", source) {
                name = window[2]
            } else if at(1, "[", source), window[2].kind == .string {
                name = window[2]
            } else {
                return
            }
        } else if token.is("data", in: source), at(1, "(", source), window[2].kind == .string {
            name = window[2]
        } else {
            return
        }
        var attribute = Array("data-".utf8)
        for index in name.content(in: source).prefix(60) {
            let byte = source[index]
            if byte >= 0x41, byte <= 0x5A {
                attribute += [0x2D, byte | 0x20]
            } else {
                attribute.append(byte)
            }
        }
        result.lazyAttributes.insert(attribute)
    }
}
