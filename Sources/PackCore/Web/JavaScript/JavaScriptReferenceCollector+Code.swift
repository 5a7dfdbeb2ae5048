/// Code that a script makes at run time, which policies restrict.
extension JavaScriptReferenceCollector {
    /// `eval(…)`, `(0, eval)(…)`, `new Function(…)`, `setTimeout("…")`.
    mutating func codeFromString(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard isGlobal(source) else { return }
        var open = 1
        if at(-1, ",", source), at(1, ")", source) { open = 2 }
        guard at(open, "(", source), !at(open + 1, ")", source), !at(-1, "class", source),
            !isDefinition(open, source)
        else { return }
        note(
            .codeFromString, from: token.start, argument: open + 1, source,
            detail: text(token, source), isGuarded: isGuarded(by: [], triesCount: true, source))
    }

    /// `WebAssembly.instantiate(…)`, `new WebAssembly.Module(…)`.
    mutating func webAssembly(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, ".", source), at(3, "(", source), isGlobal(source) else { return }
        let name = text(window[2], source)
        guard
            [
                "compile", "compileStreaming", "instantiate", "instantiateStreaming", "Module",
                "Instance",
            ].contains(name)
        else { return }
        note(
            JavaScriptReference(
                .webAssembly, range: token.start..<window[2].end,
                expression: token.start..<window[2].end, detail: "WebAssembly.\(name)",
                isGuarded: isGuarded(by: [], triesCount: true, source)))
    }

    /// Remembers the variable in `x = URL.createObjectURL(…)`.
    mutating func objectURL(_ source: Span<UInt8>) {
        guard at(-1, ".", source), at(1, "(", source), objectURLs.count < 32 else { return }
        let first = at(-3, ".", source) ? -4 : -2
        guard at(first - 1, "=", source), window[first - 2].kind == .identifier else { return }
        objectURLs.insert(window[first - 2].range.map { source[$0] })
    }

    /// Whether the argument at an offset is an object URL, or a variable that got one before.
    func isObjectURL(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        if window[offset].kind == .identifier, at(offset + 1, ".", source) {
            return at(offset + 2, "createObjectURL", source)
                || at(offset + 3, ".", source) && at(offset + 4, "createObjectURL", source)
        }
        guard !objectURLs.isEmpty, window[offset].kind == .identifier,
            at(offset + 1, ")", source) || at(offset + 1, ",", source)
        else { return false }
        return objectURLs.contains(window[offset].range.map { source[$0] })
    }

    /// Whether the parentheses at an offset are the parameters of a method: `{` follows them.
    private func isDefinition(_ open: Int, _ source: Span<UInt8>) -> Bool {
        var depth = 0
        for offset in open..<open + 40 {
            if at(offset, "(", source) { depth += 1 }
            guard at(offset, ")", source) else { continue }
            depth -= 1
            if depth == 0 { return at(offset + 1, "{", source) }
        }
        return false
    }
}
