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

    /// `new AsyncFunction("…")`, `(async () => {}).constructor("…")`, `[].constructor.constructor("…")`.
    mutating func functionConstructor(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        let isNamed =
            token.is("AsyncFunction", in: source) || token.is("GeneratorFunction", in: source)
            || token.is("AsyncGeneratorFunction", in: source)
        if isNamed {
            guard at(1, "(", source), at(-1, "new", source) || window[2].kind == .string,
                !at(-1, "function", source)
            else { return }
        } else {
            guard token.is("constructor", in: source), at(-1, ".", source) else { return }
            let isOfFunction = at(-2, "constructor", source) || at(-2, ")", source)
            // `const F = Object.getPrototypeOf(async function () {}).constructor`
            if isOfFunction, !at(1, "(", source), let open = opening(from: -3, limit: 24, source),
                at(open + 1, "async", source) || at(open + 1, "function", source),
                let name = (-40..<0).last(where: {
                    at($0, "=", source) && window[$0 - 1].kind == .identifier
                }), name < open
            {
                codeMakers.insert(window[name - 1].range.map { source[$0] })
                return
            }
            guard isOfFunction, at(1, "(", source), isLiteral(2) else { return }
        }
        note(
            .codeFromString, from: token.start, argument: 2, source, detail: text(token, source),
            isGuarded: isGuarded(by: [], triesCount: true, source))
    }

    /// `new F("…")` of a variable that got the constructor of functions.
    mutating func madeCode(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard !codeMakers.isEmpty, at(1, "(", source), at(-1, "new", source) || isLiteral(2),
            codeMakers.contains(token.range.map { source[$0] })
        else { return }
        note(
            .codeFromString, from: token.start, argument: 2, source, detail: text(token, source),
            isGuarded: isGuarded(by: [], triesCount: true, source))
    }

    /// `setAttribute("style", …)`, which a policy treats as an attribute in the page.
    mutating func styleAttribute(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        note(
            JavaScriptReference(
                .styleByScript, range: token.start..<window[2].end,
                expression: token.start..<window[2].end, detail: "setAttribute('style')"))
    }

    /// `s = document.createElement("style")`, where the script puts text into it.
    mutating func styleElement(_ source: Span<UInt8>) {
        guard at(1, "(", source), window[2].kind == .string, at(3, ")", source),
            value(window[2], source).elementsEqual("style".utf8)
        else { return }
        let first = at(-1, ".", source) ? -2 : 0
        guard at(first - 1, "=", source), window[first - 2].kind == .identifier else { return }
        let name = window[first - 2].range
        var isFilled = false
        for offset in 4..<160 where window[offset].kind == .identifier {
            if window[offset].kind == .end { break }
            guard window[offset].range.count == name.count,
                zip(window[offset].range, name).allSatisfy({ source[$0] == source[$1] }),
                at(offset + 1, ".", source)
            else { continue }
            // A nonce allows it.
            if at(offset + 2, "nonce", source) { return }
            if at(offset + 2, "setAttribute", source), window[offset + 4].kind == .string,
                value(window[offset + 4], source).elementsEqual("nonce".utf8)
            {
                return
            }
            isFilled =
                isFilled
                || (at(offset + 2, "textContent", source) || at(offset + 2, "innerHTML", source)
                    || at(offset + 2, "innerText", source)) && at(offset + 3, "=", source)
                || (at(offset + 2, "append", source) || at(offset + 2, "appendChild", source))
                    && (window[offset + 4].kind == .string || at(offset + 4, "document", source))
        }
        guard isFilled else { return }
        note(
            JavaScriptReference(
                .styleByScript, range: window[0].start..<window[3].end,
                expression: window[0].start..<window[3].end,
                detail: "createElement('style')"))
    }

    /// `img.src = URL.createObjectURL(…)`, by what the element is.
    mutating func blobSource(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, ".", source), at(1, "=", source), window[-2].kind == .identifier,
            isObjectURL(2, source)
        else { return }
        let name = window[-2].range
        for offset in stride(from: -3, to: -160, by: -1)
        where at(offset, "=", source) && window[offset - 1].kind == .identifier {
            guard window[offset - 1].range.count == name.count,
                zip(window[offset - 1].range, name).allSatisfy({ source[$0] == source[$1] })
            else { continue }
            var kind = ""
            if at(offset + 1, "new", source) {
                kind = text(window[offset + 2], source)
            } else if let call = (offset + 1..<offset + 6).first(where: {
                at($0, "createElement", source)
            }), window[call + 2].kind == .string {
                kind = String(decoding: value(window[call + 2], source), as: UTF8.self)
            }
            let detail: String
            switch kind {
            case "Image", "img": detail = "blob-image"
            case "Audio", "audio", "video": detail = "blob-media"
            case "script": detail = "blob-script"
            default: return
            }
            let range = window[2].start..<window[2].end
            return note(
                JavaScriptReference(
                    .asset, range: range, expression: token.start..<range.upperBound,
                    value: Array("blob:null/0".utf8), extent: .whole, detail: detail))
        }
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
