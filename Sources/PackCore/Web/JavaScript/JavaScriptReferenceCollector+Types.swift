/// Types of imports, and memory shared by workers.
extension JavaScriptReferenceCollector {
    /// The detail of an import with attributes, whose object starts at the offset: `"typed"`, or
    /// nothing for `{type: "css"}`, which WebKit refuses.
    func importType(_ offset: Int, _ source: Span<UInt8>) -> String {
        for place in offset...offset + 3
        where at(place, "type", source) || isTypeText(place, source) {
            guard at(place + 1, ":", source), window[place + 2].kind == .string else { break }
            let type = source.extracting(window[place + 2].content(in: source))
            return type.count == 3 && type.holds("css", at: 0) ? "" : "typed"
        }
        return "typed"
    }

    private func isTypeText(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        guard window[offset].kind == .string else { return false }
        let text = source.extracting(window[offset].content(in: source))
        return text.count == 4 && text.holds("type", at: 0)
    }

    /// `new SharedArrayBuffer(…)`, and `x instanceof SharedArrayBuffer`.
    mutating func sharedArrayBuffer(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        let isNew = at(-1, "new", source) && at(1, "(", source)
        guard isNew || at(-1, "instanceof", source) else { return }
        let isOfMemory =
            !isNew && at(-2, "buffer", source)
            && result.references.contains {
                $0.kind == .sharedMemory && $0.detail == "shared"
            }
        shared(token.range, isNew ? "new" : isOfMemory ? "memory" : "instanceof", source)
    }

    /// `new WebAssembly.Memory({…, shared: true})`.
    mutating func sharedMemory(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, ".", source), at(2, "Memory", source), at(3, "(", source), at(4, "{", source)
        else { return }
        for offset in 5..<40 {
            if at(offset, "}", source) { return }
            guard at(offset, "shared", source), !at(-2, "??", source), at(offset + 1, ":", source),
                at(offset + 2, "true", source) || at(offset + 2, "!", source)
            else { continue }
            return shared(window[offset].range, "shared", source)
        }
    }

    /// `GODOT_THREADS_ENABLED = true` in the page exported by Godot.
    mutating func godotThreads(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, "=", source), at(2, "true", source) else { return }
        shared(token.range, "threads", source)
    }

    private mutating func shared(
        _ range: Range<Int>, _ detail: String, _ source: Span<UInt8>
    ) {
        note(
            JavaScriptReference(
                .sharedMemory, range: range, expression: range, detail: detail,
                isGuarded: isGuarded(
                    by: [
                        "SharedArrayBuffer", "crossOriginIsolated", "Atomics",
                        "ENVIRONMENT_IS_NODE",
                    ], triesCount: true, source)))
    }
}
