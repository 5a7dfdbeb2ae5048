/// Loaders of code whose addresses are composed at run time and not understood.
extension JavaScriptReferenceCollector {
    /// `import(x)`, `new Worker(x)`, `importScripts(x)`.
    mutating func unreadCall(
        _ token: JavaScriptToken, _ name: String, _ source: Span<UInt8>
    ) {
        guard at(1, "(", source), !at(2, ")", source), !isReadElsewhere(2, source) else { return }
        unread(token, name, callAt: 1, source)
    }

    /// Whether an argument contains an address read elsewhere, or needs no file.
    ///
    /// `"" + new URL("a.js", import.meta.url)`, `n.p + n.u(7)`, `URL.createObjectURL(x)`, `"data:…"`
    private func isReadElsewhere(_ start: Int, _ source: Span<UInt8>) -> Bool {
        if window[start].kind == .string || window[start].kind == .templateStart,
            source.holds("data:", at: window[start].content(in: source).lowerBound)
        {
            return true
        }
        for offset in start..<expressionEnd(from: start, limit: 40, source) {
            if at(offset, "URL", source), at(offset - 1, "new", source) { return true }
            if at(offset, "createObjectURL", source) || at(offset, "Blob", source) { return true }
            if at(offset, "u", source) || at(offset, "p", source), at(offset - 1, ".", source) {
                return true
            }
        }
        return false
    }

    /// `x.src = y` of a script element, and `x.href = y` of a style sheet, both made by the script.
    mutating func unreadElement(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, ".", source), at(1, "=", source), window[-2].kind == .identifier,
            window[2].kind != .string, let kind = madeElement(window[-2], source)
        else { return }
        switch kind {
        case "script" where token.is("src", in: source):
            unread(token, "script.src", callAt: nil, source)
        case "link" where token.is("href", in: source):
            // Icons and preloads are not needed.
            guard (-60..<60).contains(where: { isSheet($0, source) }) else { return }
            unread(token, "link.href", callAt: nil, source)
        default: break
        }
    }

    /// Vite's helper, which decides between a style sheet and a preload, is read elsewhere.
    private func isSheet(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        window[offset].kind == .string && !at(offset + 1, ":", source)
            && value(window[offset], source).elementsEqual("stylesheet".utf8)
    }

    /// The element assigned to a name: `x = document.createElement("script")`.
    private func madeElement(_ name: JavaScriptToken, _ source: Span<UInt8>) -> String? {
        for offset in stride(from: -3, to: -160, by: -1)
        where at(offset, "=", source) && window[offset - 1].kind == .identifier
            && isSame(window[offset - 1], name, source)
        {
            guard
                let call = (offset + 1..<offset + 6).first(where: {
                    at($0, "createElement", source)
                }), window[call + 2].kind == .string
            else { return nil }
            return String(decoding: value(window[call + 2], source), as: UTF8.self)
        }
        return nil
    }

    private mutating func unread(
        _ token: JavaScriptToken, _ name: String, callAt open: Int?, _ source: Span<UInt8>
    ) {
        guard reach(callAt: open, source) != .guarded else { return }
        note(
            JavaScriptReference(
                .unread, range: token.range, expression: token.range, detail: name))
    }

    /// Removes the loaders of a runtime whose tables have been read.
    mutating func finishUnread() {
        let isRead =
            !chunkMaps.isEmpty
            || result.references.contains { $0.form == .parcel || $0.form == .vite }
        guard isRead else { return }
        result.references.removeAll { $0.kind == .unread }
    }
}
