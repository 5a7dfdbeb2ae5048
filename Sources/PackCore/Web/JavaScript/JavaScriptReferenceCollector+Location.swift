/// The page's location: the parts that scripts read, and navigation.
extension JavaScriptReferenceCollector {
    private func isLocation(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        (at(offset + 1, ".", source) || at(offset + 1, "?.", source))
            && at(offset, "location", source)
    }

    mutating func locationMember(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard isLocation(-2, source), !isAssignment(1, source) else { return }
        api(.locationOrigin, token, text(token, source))
    }

    mutating func protocolName(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, ".", source) || at(-1, "?.", source) else { return }
        if isLocation(-2, source) {
            let use = protocolUse(source)
            let isHarmless =
                use == "compared" && isProtocolGuard(source)
                || isGuarded(by: ["serviceWorker"], triesCount: use != "joined", source)
            let start = window[-2].start
            if use == "joined", isLiteral(2) {
                return note(
                    .locationProtocol, from: start, argument: 2, source, detail: use,
                    isGuarded: isHarmless)
            }
            let range = start..<token.end
            return note(
                JavaScriptReference(
                    .locationProtocol, range: range, expression: range, detail: use,
                    isGuarded: isHarmless))
        }
        guard at(1, "=", source), isLiteral(2), !isOperand(2, source) else {
            return socketProtocol(source)
        }
        note(
            .protocolAssignment, from: window[-2].start, argument: 2, source,
            detail: text(window[-2], source))
    }

    /// Whether a comparison of `location.protocol` controls code, rather than selecting a text:
    /// `location.protocol === "https:" && …`.
    private func isProtocolGuard(_ source: Span<UInt8>) -> Bool {
        var next = isComparison(1, source) ? 3 : 1
        while at(next, ")", source) { next += 1 }
        return !(at(next, "?", source) && isLiteral(next + 1))
    }

    /// The use of `location.protocol`: compared with http or https, joined with more, assigned, or
    /// read otherwise.
    private func protocolUse(_ source: Span<UInt8>) -> String {
        let isLonger = at(-3, ".", source)
        let before = isLonger ? -5 : -3
        func isWeb(_ offset: Int) -> Bool {
            guard window[offset].kind == .string || window[offset].kind == .templateStart else {
                return false
            }
            return source.extracting(window[offset].content(in: source)).holds("http", at: 0)
        }
        if isComparison(1, source), isWeb(2) { return "compared" }
        if isComparison(before, source), isWeb(before - 1) { return "compared" }
        if at(1, "=", source) { return "assigned" }
        guard at(1, "+", source) else { return "read" }
        // `location.protocol + "//" + location.host` is the page's own web origin.
        let isOwnOrigin =
            at(3, "+", source)
            && (at(4, "location", source) && at(6, "host", source)
                || at(6, "location", source) && at(8, "host", source)
                || at(4, "location", source) && at(6, "hostname", source)
                || at(6, "location", source) && at(8, "hostname", source))
        return isOwnOrigin ? "read" : "joined"
    }

    /// `location = "…"`, `location.href = "…"`, `location.assign("…")`.
    mutating func location(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, ".", source) || at(1, "=", source), !token.traits.contains(.isMemberName)
        else { return }
        if at(-1, ".", source),
            !(at(-2, "window", source) || at(-2, "document", source) || at(-2, "self", source)
                || at(-2, "top", source) || at(-2, "parent", source))
        {
            return
        }
        if at(1, "=", source) {
            if isLiteral(2) { navigation(token, argument: 2, source) }
        } else if at(2, "href", source) {
            if at(3, "=", source), isLiteral(4) { navigation(token, argument: 4, source) }
        } else if at(2, "replace", source) || at(2, "assign", source), at(3, "(", source),
            isLiteral(4)
        {
            navigation(token, argument: 4, source)
        }
    }

    private mutating func navigation(
        _ token: JavaScriptToken, argument: Int, _ source: Span<UInt8>
    ) {
        note(
            .navigation, from: token.start, argument: argument, source,
            isGuarded: isSecurityGuarded(source))
    }
}
