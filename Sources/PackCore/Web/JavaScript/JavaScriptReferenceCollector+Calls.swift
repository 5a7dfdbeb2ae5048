/// Calls and members, with what their arguments say.
extension JavaScriptReferenceCollector {
    /// The offset of the first token of an argument, counted from 1; `nil` where the call has fewer
    /// or ends beyond the window.
    ///
    /// - Parameter open: the offset of the call's `(`.
    func argument(_ number: Int, ofCallAt open: Int, _ source: Span<UInt8>) -> Int? {
        var depth = 0
        var count = 1
        if number == 1 { return open + 1 }
        for offset in open + 1..<open + 256 {
            let token = window[offset]
            switch token.kind {
            case .end: return nil
            case .templateStart where !token.traits.contains(.endsTemplate): depth += 1
            case .templateContinuation where token.traits.contains(.endsTemplate): depth -= 1
            case .punctuator:
                switch source[token.start] {
                case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                    depth -= 1
                    if depth < 0 { return nil }
                case UInt8(ascii: ",") where depth == 0:
                    count += 1
                    if count == number { return offset + 1 }
                default: break
                }
            default: break
            }
        }
        return nil
    }

    /// Whether the token at an offset is `false` or `!1`.
    func isFalse(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        at(offset, "false", source)
            || at(offset, "!", source) && window[offset + 1].kind == .number
                && text(window[offset + 1], source) == "1"
    }

    /// The offset of a member's value in the object literal at an offset.
    func member(_ name: StaticString, ofObjectAt open: Int, _ source: Span<UInt8>) -> Int? {
        guard at(open, "{", source) else { return nil }
        var depth = 0
        for offset in open..<open + 200 {
            let token = window[offset]
            if token.kind == .end { return nil }
            if token.kind == .punctuator {
                switch source[token.start] {
                case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                    depth -= 1
                    if depth == 0 { return nil }
                default: break
                }
            } else if depth == 1, token.traits.contains(.isMemberName), token.is(name, in: source),
                at(offset + 1, ":", source)
            {
                return offset + 2
            }
        }
        return nil
    }

    /// The HTTP method in the `method` or `type` member of an object literal.
    func method(ofObjectAt open: Int, _ source: Span<UInt8>) -> String? {
        let place =
            member("method", ofObjectAt: open, source) ?? member("type", ofObjectAt: open, source)
        guard let place, window[place].kind == .string else { return nil }
        let word = String(decoding: value(window[place], source), as: UTF8.self).uppercased()
        return Self.methods.contains(word) ? word : nil
    }

    static let methods: Set<String> = [
        "GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS",
    ]

    // MARK: - Calls

    mutating func fetch(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, "(", source), isGlobal(source) else { return }
        var method = "GET"
        if let options = argument(2, ofCallAt: 1, source), at(options, "{", source) {
            method =
                self.method(ofObjectAt: options, source)
                ?? (member("method", ofObjectAt: options, source) == nil ? "GET" : "?")
        } else if argument(2, ofCallAt: 1, source) != nil {
            method = "?"
        }
        // A call without a literal, and a definition, say nothing.
        guard isLiteral(2) else { return }
        note(.fetch, from: token.start, argument: 2, source, detail: method)
    }

    func isLiteral(_ offset: Int) -> Bool {
        window[offset].kind == .string || window[offset].kind == .templateStart
    }

    /// Whether the literal at an offset is compared with something, or decides what is taken: its text
    /// is not the value then.
    func isOperand(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        let token = window[offset + 1]
        guard token.kind == .punctuator || token.kind == .keyword else { return false }
        for text in ["==", "===", "!=", "!==", "<", ">", "<=", ">=", "?", "&&", "in"]
            as [StaticString]
        where token.is(text, in: source) {
            return true
        }
        return false
    }

    /// `xhr.open("GET", …)`, or `window.open("…")`.
    mutating func open(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, "(", source), at(-1, ".", source) || at(-1, "?.", source) else { return }
        if isMember(of: "window", source) {
            return note(.windowOpen, from: token.start, argument: 2, source)
        }
        guard isLiteral(2) else { return }
        let method = String(decoding: value(window[2], source), as: UTF8.self).uppercased()
        guard Self.methods.contains(method), at(3, ",", source) else { return }
        let third = argument(3, ofCallAt: 1, source)
        note(
            .request, from: token.start, argument: 4, source, detail: method,
            isSynchronous: third.map { isFalse($0, source) } ?? false)
    }

    /// `$.ajax({url: "…", type: "POST", async: false})`.
    mutating func options(
        _ kind: JavaScriptReference.Kind, from start: Int, object: Int, _ source: Span<UInt8>
    ) {
        guard at(object, "{", source) else { return }
        let method = method(ofObjectAt: object, source) ?? "GET"
        let isSynchronous =
            member("async", ofObjectAt: object, source).map { isFalse($0, source) } ?? false
        let url = member("url", ofObjectAt: object, source)
        guard let url, isLiteral(url) else {
            if isSynchronous {
                note(
                    JavaScriptReference(
                        kind, range: start..<window[object].end,
                        expression: start..<window[object].end, detail: method,
                        isSynchronous: true))
            }
            return
        }
        note(
            kind, from: start, argument: url, source, detail: method,
            isSynchronous: isSynchronous)
    }

    /// `new WebSocket("…")` and the like.
    mutating func constructor(_ kind: JavaScriptReference.Kind, _ source: Span<UInt8>) {
        guard at(1, "(", source), at(-1, "new", source) || at(-3, "new", source) else { return }
        let start = window[-1].start
        guard kind == .worker, at(2, "new", source), at(3, "URL", source) else {
            return note(
                kind, from: start, argument: 2, source,
                detail: kind == .worker && isObjectURL(2, source)
                    ? "blob" : text(window[0], source))
        }
    }

    mutating func newURL(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, "new", source) || at(-3, "new", source), at(1, "(", source) else { return }
        let start = at(-1, "new", source) ? window[-1].start : window[-3].start
        if isLiteral(2) {
            let isModule =
                at(3, ",", source) && at(4, "import", source) && at(6, "meta", source)
                && at(8, "url", source)
            let isWorker =
                at(-2, "(", source) && (at(-3, "Worker", source) || at(-3, "SharedWorker", source))
            let base = argument(2, ofCallAt: 1, source)
            note(
                isModule ? (isWorker ? .workerModuleURL : .moduleURL) : .newURL, from: start,
                argument: 2, source, detail: base == nil ? "" : "base")
        }
        // `new URL(x).origin`: find the call's end.
        var depth = 0
        for offset in 1..<40 {
            let token = window[offset]
            guard token.kind == .punctuator else { continue }
            if source[token.start] == UInt8(ascii: "(") { depth += 1 }
            if source[token.start] == UInt8(ascii: ")") { depth -= 1 }
            guard depth == 0 else { continue }
            if at(offset + 1, ".", source), at(offset + 2, "origin", source) {
                let range = start..<window[offset + 2].end
                note(JavaScriptReference(.urlOrigin, range: range, expression: range))
            }
            return
        }
    }

    /// `import("…")`; declarations are known by their literal.
    mutating func importWord(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, "(", source), token.start >= mapEnd, isLiteral(2) else { return }
        note(.dynamicImport, from: token.start, argument: 2, source)
    }

    /// Whether one of the last tokens refers to the protocol.
    func isGuarded(_ source: Span<UInt8>) -> Bool {
        for offset in 1...120 {
            let token = window[-offset]
            if token.is("protocol", in: source) || token.is("isSecureContext", in: source) {
                return true
            }
        }
        return false
    }
}
