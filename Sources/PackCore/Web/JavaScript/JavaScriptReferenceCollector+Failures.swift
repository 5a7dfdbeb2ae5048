/// The handling of failed requests: `catch`, `.catch(…)`, `onerror`.
extension JavaScriptReferenceCollector {
    /// Whether a page needs the file of a request.
    enum Reach {
        case needed
        /// Perhaps not: a failure is only logged, or a condition is most likely not true.
        case tried
        /// It is not requested, or the page works without it.
        case guarded
    }

    private static let requestWords: [StaticString] = [
        "protocol", "isSecureContext", "documentMode", "attachEvent", "onerror",
    ]

    /// Whether the current request is made, and whether its failure is handled.
    ///
    /// - Parameters:
    ///   - open: The offset of the call's `(`; `nil` for an assignment.
    ///   - isAwaited: Whether a `try` only applies if the call is awaited.
    ///   - object: The offset of the object with the handler, if its name is known.
    ///   - countsAny: Whether every condition is assumed not to be true.
    mutating func reach(
        callAt open: Int?, isAwaited: Bool = true, object: Int? = nil,
        words: [StaticString] = [], countsAny: Bool = false, _ source: Span<UInt8>
    ) -> Reach {
        var walk = GuardWalk(
            words: Self.requestWords + words, triesCount: open != nil, offset: -1)
        walk.needsAwait = isAwaited
        walk.countsAny = countsAny
        if isGuarded(&walk, source) {
            guard walk.tryOffset != nil else { return walk.isOnlyUnlikely ? .tried : .guarded }
            let caught = caught(source)
            if caught != .needed { return caught }
        }
        if let open, let close = closing(open, source) {
            let handled = chain(after: close, source)
            if handled != .needed { return handled }
        }
        return object.map { errorHandler(ofObjectAt: $0, source) } ?? .needed
    }

    // MARK: - Handlers

    /// The `catch` of the `try` around the current position.
    private func caught(_ source: Span<UInt8>) -> Reach {
        var depth = 0
        for offset in 0..<420 {
            let token = window[offset]
            if token.kind == .end { return .needed }
            guard token.kind == .punctuator else { continue }
            switch source[token.start] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "}"):
                depth -= 1
                guard depth < 0, at(offset + 1, "catch", source) else {
                    if at(offset + 1, "finally", source), depth < 0 { return .needed }
                    continue
                }
                var open = offset + 2
                if at(open, "(", source) {
                    guard let close = closing(open, source) else { return .tried }
                    open = close + 1
                }
                guard at(open, "{", source), let close = closing(open, source) else {
                    return .tried
                }
                return body(open + 1..<close, source)
            default: break
            }
        }
        return .tried
    }

    /// The calls chained to a call: `.then(…).catch(…)`.
    private func chain(after close: Int, _ source: Span<UInt8>) -> Reach {
        var offset = close + 1
        var links = 0
        var result = Reach.needed
        while links < 12 {
            // One of several requests that are awaited together.
            if at(offset, "]", source) || at(offset, ",", source),
                let list = opening(from: offset - 1, limit: 200, source), at(list, "[", source),
                at(list - 1, "(", source), at(list - 3, ".", source),
                at(list - 4, "Promise", source), let end = closing(list - 1, source)
            {
                if at(list - 2, "allSettled", source) { return .guarded }
                offset = end + 1
                links += 1
                continue
            }
            guard at(offset, ".", source), at(offset + 2, "(", source),
                let end = closing(offset + 2, source)
            else { return result }
            let name = window[offset + 1]
            // The result is not used.
            if links == 0, name.is("finally", in: source) { return .tried }
            if name.is("catch", in: source) || name.is("fail", in: source) {
                return handler(offset + 3, source)
            }
            if name.is("then", in: source) {
                if let second = argument(2, ofCallAt: offset + 2, source), second < end {
                    return handler(second, source)
                }
                if acceptsFailure(offset + 3, source) { result = .tried }
            }
            offset = end + 1
            links += 1
        }
        return result
    }

    /// Whether the function at an offset has a value for a response that failed: `r => r.ok ?
    /// r.json() : {}`.
    private func acceptsFailure(_ start: Int, _ source: Span<UInt8>) -> Bool {
        let hasParentheses = at(start, "(", source)
        let name = hasParentheses ? start + 1 : start
        let body = hasParentheses ? start + 4 : start + 2
        guard window[name].kind == .identifier, at(body - 1, "=>", source),
            isSame(window[body], window[name], source), at(body + 1, ".", source),
            at(body + 2, "ok", source), at(body + 3, "?", source)
        else { return false }
        var depth = 0
        for offset in body + 4..<body + 80 {
            let token = window[offset]
            guard token.kind == .punctuator else { continue }
            switch source[token.start] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ":") where depth == 0:
                return !at(offset + 1, "Promise", source) && !at(offset + 1, "(", source)
            default: break
            }
            if depth < 0 { return false }
        }
        return false
    }

    /// A function that is called with an error.
    func handler(_ start: Int, _ source: Span<UInt8>) -> Reach {
        if at(start, "null", source) || at(start, "void", source)
            || at(start, "undefined", source) || at(start, ")", source)
        {
            return .needed
        }
        var offset = start
        if at(offset, "async", source) { offset += 1 }
        if at(offset, "function", source) {
            while offset < start + 4, !at(offset, "(", source) { offset += 1 }
            guard let close = closing(offset, source), at(close + 1, "{", source),
                let end = closing(close + 1, source)
            else { return .tried }
            return body(close + 2..<end, source)
        }
        if at(offset, "(", source), let close = closing(offset, source) {
            offset = close
        } else if window[offset].kind != .identifier {
            return .tried
        }
        guard at(offset + 1, "=>", source) else {
            // The rejection function of a promise that is returned.
            return at(start, "reject", source) ? .needed : .tried
        }
        if at(offset + 2, "{", source) {
            guard let end = closing(offset + 2, source) else { return .tried }
            return body(offset + 3..<end, source)
        }
        let end = expressionEnd(from: offset + 2, limit: 198, source)
        return body(offset + 2..<end, source)
    }

    /// The effect of a handler's statements.
    ///
    /// The failure is handled if they do more than logging the error or passing it on.
    private func body(_ offsets: Range<Int>, _ source: Span<UInt8>) -> Reach {
        var offset = offsets.lowerBound
        var logs = false
        var acts = false
        while offset < offsets.upperBound {
            let token = window[offset]
            if token.is("throw", in: source) { return .needed }
            if token.is("reject", in: source), at(offset + 1, "(", source) { return .needed }
            let isConsole = token.is("console", in: source) && at(offset + 1, ".", source)
            let open = isConsole ? offset + 3 : offset + 1
            if isConsole || token.is("alert", in: source) || token.is("reportError", in: source),
                at(open, "(", source), let close = closing(open, source)
            {
                logs = true
                offset = close + 1
                continue
            }
            switch token.kind {
            case .punctuator where token.is(";", in: source) || token.is(",", in: source): break
            default: acts = true
            }
            offset += 1
        }
        return acts || !logs ? .guarded : .tried
    }

    /// `x.onerror = …` and `x.addEventListener("error", …)` near the current position, of the
    /// object at an offset.
    private mutating func errorHandler(ofObjectAt object: Int, _ source: Span<UInt8>) -> Reach {
        guard window[object].kind == .identifier, guardSteps > 0 else { return .needed }
        let name = window[object].range
        guardSteps -= 240
        func isObject(_ offset: Int) -> Bool {
            window[offset].kind == .identifier && window[offset].range.count == name.count
                && zip(window[offset].range, name).allSatisfy { source[$0] == source[$1] }
        }
        for offset in -120..<120 where at(offset, ".", source) && isObject(offset - 1) {
            if at(offset + 1, "onerror", source), at(offset + 2, "=", source) {
                // `c.onerror = c.onload = …` of a bundler's runtime passes the error on.
                if at(offset + 4, ".", source), at(offset + 6, "=", source) { return .needed }
                return handler(offset + 3, source)
            }
            if at(offset + 1, "addEventListener", source), at(offset + 2, "(", source),
                window[offset + 3].kind == .string, at(offset + 4, ",", source),
                value(window[offset + 3], source).elementsEqual("error".utf8)
            {
                return handler(offset + 5, source)
            }
        }
        return .needed
    }

    /// The offset of the variable to which the current expression is assigned.
    func assigned(before start: Int, _ source: Span<UInt8>) -> Int? {
        at(start, "=", source) && window[start - 1].kind == .identifier
            && !at(start - 2, ".", source) ? start - 1 : nil
    }
}
