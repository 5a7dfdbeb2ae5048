/// The preload helper of Vite.
extension JavaScriptReferenceCollector {
    /// The definition of `__vite__mapDeps`: the files that the helper preloads.
    mutating func preloadDependencies(_ source: Span<UInt8>) {
        // The list is the first array of strings after the name in its definition.
        guard at(1, "=", source) || at(1, ".", source) || at(-1, "function", source) else {
            return
        }
        for offset in 1...40 where at(offset, "[", source) {
            if isLiteral(offset + 1) { startPreloadList() }
            return
        }
    }

    /// `preload(() => import("…"), ["a.js", "a.css"])` of older versions.
    mutating func olderPreloadDependencies(_ source: Span<UInt8>) {
        guard at(3, ")", source), at(4, ",", source), at(5, "[", source), isLiteral(6),
            at(-1, "=>", source)
        else { return }
        startPreloadList()
    }

    /// `"modulepreload", x = function (e) { return "/" + e }`.
    mutating func vitePreloadBase(_ source: Span<UInt8>) {
        for offset in 1..<14 {
            guard at(offset, "return", source) || at(offset, "=>", source) else { continue }
            if window[offset + 1].kind == .string, at(offset + 2, "+", source) {
                note(
                    .publicPath, from: window[offset].start, argument: offset + 1, source,
                    form: .vite)
            }
            return
        }
    }
}
