/// What bundlers write: public paths and the names of chunks.
extension JavaScriptReferenceCollector {
    mutating func publicPath(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        let object = window[-2].range.map { source[$0] }
        let start = window[-2].start
        if window[2].kind == .string {
            let literal = window[2]
            publicPaths.append(
                (
                    object,
                    JavaScriptReference(
                        .publicPath, range: literal.content(in: source),
                        expression: start..<literal.end, value: value(literal, source),
                        extent: extent(at: 2, source), detail: "webpack")
                ))
        } else if window[2].kind == .identifier {
            // From the script's own address, at run time.
            var value: [UInt8] = []
            if at(3, "+", source), window[4].kind == .string {
                value = self.value(window[4], source)
            }
            publicPaths.append(
                (
                    object,
                    JavaScriptReference(
                        .publicPath, range: start..<window[2].end,
                        expression: start..<window[2].end, value: value, detail: "webpack-auto")
                ))
        }
    }

    mutating func chunkMap(_ token: JavaScriptToken, _ source: Span<UInt8>, detail: String) {
        guard at(1, "=", source), at(-1, ".", source) else { return }
        guard let map = JavaScriptChunkMap(source, from: window[1].end) else { return }
        mapEnd = max(mapEnd, map.range.upperBound)
        runtimeObjects.insert(window[-2].range.map { source[$0] })
        for chunk in map.chunks where detail == "js" || chunk.isCertain {
            note(
                JavaScriptReference(
                    .chunk, range: map.range, expression: window[-2].start..<map.range.upperBound,
                    value: chunk.name, extent: .whole, detail: detail))
        }
    }

    /// `"modulepreload", x = function (e) { return "/" + e }` of Vite's preload helper.
    mutating func vitePreloadBase(_ source: Span<UInt8>) {
        for offset in 1..<14 {
            guard at(offset, "return", source) || at(offset, "=>", source) else { continue }
            if window[offset + 1].kind == .string, at(offset + 2, "+", source) {
                note(
                    .publicPath, from: window[offset].start, argument: offset + 1, source,
                    detail: "vite")
            }
            return
        }
    }
}
