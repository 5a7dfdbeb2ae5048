/// Addresses that are constants, or composed of constants.
extension JavaScriptReferenceCollector {
    /// Whether the token at an offset is a literal, or a constant whose value is known.
    func isAddress(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        isLiteral(offset) || joined(offset, source) != nil
    }

    /// Whether the literal at an offset is concatenated with another literal or a constant.
    func isJoined(_ offset: Int, _ source: Span<UInt8>) -> Bool { joined(offset, source) != nil }

    /// The value of an argument that starts with a constant or consists of two literals, and its
    /// last literal.
    ///
    /// `nil` for other arguments.
    func joined(
        _ offset: Int, _ source: Span<UInt8>
    ) -> (value: [UInt8], literal: JavaScriptToken)? {
        let first = window[offset]
        func ends(_ offset: Int) -> Bool {
            at(offset, ")", source) || at(offset, ",", source) || at(offset, ";", source)
                || at(offset, "}", source) || window[offset].kind == .end
                || window[offset].traits.contains(.afterNewline) && !at(offset, "+", source)
                    && !at(offset, ".", source)
        }
        switch first.kind {
        case .string:
            let second = window[offset + 2]
            guard at(offset + 1, "+", source), second.kind == .string, ends(offset + 3) else {
                return nil
            }
            return (value(first, source) + value(second, source), first)
        case .identifier where isOrigin(endingAt: originEnd(offset, source), source):
            // `location.origin + "/api"`
            let end = originEnd(offset, source)
            let last = window[end + 2]
            guard at(end + 1, "+", source), last.kind == .string, ends(end + 3),
                value(last, source).first == UInt8(ascii: "/")
            else { return nil }
            return (value(last, source), last)
        case .identifier:
            guard !constants.isEmpty else { return nil }
            let name = first.range.map { source[$0] }
            guard let known = constants[name] else {
                // `paths.list`
                let member = window[offset + 2]
                guard at(offset + 1, ".", source), ends(offset + 3),
                    let known = constants[
                        name + [UInt8(ascii: ".")] + member.range.map { source[$0] }]
                else { return nil }
                return (known, member)
            }
            if ends(offset + 1) { return (known, first) }
            let second = window[offset + 2]
            guard at(offset + 1, "+", source), second.kind == .string, ends(offset + 3) else {
                return nil
            }
            return (known + value(second, source), second)
        case .templateStart:
            // `${base}/x`
            let last = window[offset + 2]
            guard !constants.isEmpty, first.content(in: source).isEmpty,
                last.kind == .templateContinuation, last.traits.contains(.endsTemplate),
                ends(offset + 3),
                let known = constants[window[offset + 1].range.map { source[$0] }]
            else { return nil }
            return (known + value(last, source), last)
        default: return nil
        }
    }

    /// The offset of the last token of `location.origin` or `window.location.origin`, if one starts
    /// at an offset.
    private func originEnd(_ offset: Int, _ source: Span<UInt8>) -> Int {
        at(offset, "location", source) ? offset + 2 : offset + 4
    }

    /// Whether `location.origin` ends at an offset.
    private func isOrigin(endingAt offset: Int, _ source: Span<UInt8>) -> Bool {
        at(offset, "origin", source) && at(offset - 1, ".", source)
            && at(offset - 2, "location", source)
            && (!at(offset - 3, ".", source) || at(offset - 4, "window", source)
                || at(offset - 4, "self", source) || at(offset - 4, "document", source))
    }

    /// Remembers `const base = location.origin + "/api"`, with the current literal.
    ///
    /// Like `"/api"`, it is an address of the handler.
    mutating func originConstant(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, "+", source), isOrigin(endingAt: -2, source),
            source[token.content(in: source).lowerBound] == UInt8(ascii: "/"),
            at(1, ";", source) || at(1, ",", source) || window[1].traits.contains(.afterNewline)
        else { return }
        let start = at(-5, ".", source) ? -6 : -4
        guard at(start - 1, "=", source), window[start - 2].kind == .identifier,
            !at(start - 3, ".", source)
        else { return }
        constants.set(window[start - 2].range.map { source[$0] }, value(token, source))
    }

    /// Remembers `const paths = {list: "…"}`, with the current literal.
    mutating func memberConstant(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard window[-2].traits.contains(.isMemberName), token.kind == .string,
            at(1, ",", source) || at(1, "}", source),
            let open = opening(from: -3, limit: 64, source), at(open, "{", source),
            at(open - 1, "=", source), window[open - 2].kind == .identifier,
            at(open - 3, "const", source) || at(open - 3, "let", source)
                || at(open - 3, "var", source) || at(open - 3, ",", source)
        else { return }
        let owner = window[open - 2].range.map { source[$0] }
        guard constants.takes(owner) else { return }
        constants.set(
            owner + [UInt8(ascii: ".")] + window[-2].content(in: source).map { source[$0] },
            value(token, source))
    }

    /// `url = locate(url)`, `url += "?v=1"`: forgets the earlier value of the name.
    ///
    /// A name that is declared again in another function has two meanings, so neither is known.
    mutating func assignment(_ source: Span<UInt8>) {
        let name = window[-1]
        guard name.kind == .identifier, constants.takes(length: name.range.count),
            at(0, "=", source) || at(0, "+=", source), !at(-2, ".", source)
        else { return }
        let text = name.range.map { source[$0] }
        guard let known = constants[text] else { return }
        // Emscripten's code prepends the directory to the name of its module, unless the page
        // defines a function for that.
        if !setsLocateFile, known.suffix(5).elementsEqual(".wasm".utf8), at(2, "(", source),
            window[3].kind == .identifier, isSame(window[3], name, source), at(4, ")", source)
        {
            return
        }
        // The same value is assigned.
        if at(0, "=", source), window[1].kind == .string, value(window[1], source) == known {
            return
        }
        constants.forget(text)
    }

    /// Remembers `const base = "…"`, with the current literal.
    mutating func constant(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard window[-2].kind == .identifier, at(-1, "=", source),
            at(1, ";", source) || at(1, ",", source)
                || window[1].traits.contains(.afterNewline) && !at(1, "+", source),
            at(-3, "const", source) || at(-3, "let", source) || at(-3, "var", source)
                || at(-3, ",", source)
        else { return }
        constants.set(window[-2].range.map { source[$0] }, value(token, source))
    }
}
