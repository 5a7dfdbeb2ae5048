/// Calls and members, with their arguments.
extension JavaScriptReferenceCollector {
    /// The offset of the first token of an argument, counted from 1.
    ///
    /// `nil` if the call has fewer arguments or ends beyond the window.
    ///
    /// - Parameter open: The offset of the call's `(`.
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

    // MARK: - Calls

    func isLiteral(_ offset: Int) -> Bool {
        window[offset].kind == .string || window[offset].kind == .templateStart
    }

    /// Whether the literal at an offset is an operand of a comparison or condition, so that it is
    /// not the value.
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

    /// `new WebSocket("…")` and the like.
    mutating func constructor(_ kind: JavaScriptReference.Kind, _ source: Span<UInt8>) {
        guard at(1, "(", source), at(-1, "new", source) || at(-3, "new", source) else { return }
        let start = window[-1].start
        guard kind == .worker, at(2, "new", source), at(3, "URL", source) else {
            if kind == .worker, !isAddress(2, source), composed(2, source) == nil,
                !isObjectURL(2, source), !isOfOther(source)
            {
                unreadCall(window[0], "new " + text(window[0], source), source)
            }
            let reach = reach(
                callAt: 1, isAwaited: kind != .webSocket, object: assigned(before: -2, source),
                words: kind == .worker ? ["Worker", "SharedWorker"] : [], source)
            let detail =
                kind == .worker && isObjectURL(2, source)
                ? "blob"
                : kind == .webSocket && hasPageScheme(source)
                    ? JavaScriptReference.pageScheme : text(window[0], source)
            return note(
                kind, from: start, argument: 2, source, detail: detail,
                isGuarded: reach == .guarded || kind == .worker && isOfOther(source),
                isTried: reach == .tried)
        }
    }

    /// Whether the current name is a member of an object other than the global one.
    ///
    /// For example, the result of `require("worker_threads")` also has a `Worker`.
    private func isOfOther(_ source: Span<UInt8>) -> Bool {
        guard at(-1, ".", source) else { return false }
        for name in ["window", "self", "globalThis", "top", "parent"] as [StaticString]
        where at(-2, name, source) {
            return false
        }
        return true
    }

    mutating func newURL(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, "new", source) || at(-3, "new", source), at(1, "(", source) else { return }
        let start = at(-1, "new", source) ? window[-1].start : window[-3].start
        if isLiteral(2) {
            let isModule =
                at(3, ",", source) && at(4, "import", source) && at(6, "meta", source)
                && at(8, "url", source)
            let call = isModule ? callAround(source) : nil
            let isWorker =
                call.map { at($0 - 1, "Worker", source) || at($0 - 1, "SharedWorker", source) }
                ?? false
            // `fetch(new URL("a.wasm", import.meta.url))`
            let reach =
                call.flatMap { isFetch($0 - 1, source) ? self.reach(callAt: $0, source) : nil }
            let base = argument(2, ofCallAt: 1, source)
            // `document.currentScript.src || new URL("index.js", document.baseURI)` names a script
            // that is running.
            let isOwnName = at(-2, "||", source) && at(-3, "src", source)
            let isAsset =
                !isModule && !isOwnName && base.map { isPageAddress($0, source) } ?? false
                && namesFile(source.extracting(window[2].content(in: source)))
            note(
                isModule
                    ? (isWorker ? .workerModuleURL : .moduleURL) : isAsset ? .asset : .newURL,
                from: start, argument: 2, source,
                detail: reach != nil
                    ? JavaScriptReference.requested : base == nil ? "" : "base",
                // Emscripten's code first calls `locateFile`, if it is defined.
                isGuarded: isAsset && (isAssetGuarded(source) || isRequestGuarded(source))
                    || reach == .guarded
                    || isModule && isGuarded(by: ["locateFile"], source),
                isTried: reach == .tried)
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
                let isCompared =
                    isComparison(offset + 3, source)
                    && names("location", in: offset + 4..<offset + 8, source)
                    || isComparison(at(-1, "new", source) ? -2 : -4, source)
                        && names("location", in: -8..<(-2), source)
                note(
                    JavaScriptReference(
                        .urlOrigin, range: range, expression: range,
                        detail: isCompared ? "compared" : "",
                        isGuarded: isGuarded(by: [], triesCount: true, source)))
            }
            return
        }
    }

    /// Whether the current `new URL(…)` is assigned to a variable whose request may fail: `fetch(u)
    /// .catch(() => null)`.
    private mutating func isRequestGuarded(_ source: Span<UInt8>) -> Bool {
        guard at(-1, "new", source), let variable = assigned(before: -2, source) else {
            return false
        }
        for offset in 4..<120 where at(offset, "fetch", source) && at(offset + 1, "(", source) {
            guard isSame(window[offset + 2], window[variable], source) else { continue }
            return reach(callAt: offset + 1, source) == .guarded
        }
        return false
    }

    /// The start of the call whose first argument is the current `new URL(…)`.
    ///
    /// With a relative `base`, Vite writes `new Worker("" + new URL(…).href)` and `new Worker(new
    /// URL("" + new URL(…).href, import.meta.url))`.
    private func callAround(_ source: Span<UInt8>) -> Int? {
        guard at(-1, "new", source) else { return nil }
        if at(-2, "(", source) { return -2 }
        guard at(-2, "+", source), window[-3].kind == .string,
            window[-3].content(in: source).isEmpty, at(-4, "(", source)
        else { return nil }
        let isNested =
            at(-5, "URL", source) && at(-6, "new", source) && at(-7, "(", source)
        return isNested ? -7 : -4
    }

    /// Whether a name is the page's `fetch`.
    private func isFetch(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        guard at(offset, "fetch", source), ownFetches.isEmpty else { return false }
        guard at(offset - 1, ".", source) else { return true }
        return at(offset - 2, "window", source) || at(offset - 2, "self", source)
            || at(offset - 2, "globalThis", source)
    }

    func isComparison(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        at(offset, "===", source) || at(offset, "==", source) || at(offset, "!==", source)
            || at(offset, "!=", source)
    }

    private func names(
        _ name: StaticString, in offsets: Range<Int>, _ source: Span<UInt8>
    ) -> Bool {
        for offset in offsets where at(offset, name, source) { return true }
        return false
    }

    /// Whether an argument is exactly the page's address: `location.href`, `document.baseURI`.
    private func isPageAddress(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        var start = offset
        if at(start, "window", source) || at(start, "self", source), at(start + 1, ".", source) {
            start += 2
        }
        if at(start, "location", source) {
            return at(start + 1, ")", source)
                || at(start + 1, ".", source) && at(start + 3, ")", source)
                    && (at(start + 2, "href", source) || at(start + 2, "origin", source))
        }
        return at(start, "document", source) && at(start + 1, ".", source)
            && at(start + 3, ")", source)
            && (at(start + 2, "baseURI", source) || at(start + 2, "URL", source))
    }

    /// `import("…")`; declarations are recognised by their literal.
    mutating func importWord(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, "(", source), token.start >= mapEnd else { return }
        guard isAddress(2, source) || composed(2, source) != nil else {
            return at(-1, ".", source) ? () : unreadCall(token, "import()", source)
        }
        let reach = reach(
            callAt: 1,
            words: ["process", "require", "IN_NODE", "ENVIRONMENT_IS_NODE", "isNode", "Deno"],
            countsAny: isNodeModule(2, source), source)
        note(
            .dynamicImport, from: token.start, argument: 2, source,
            detail: at(3, ",", source) && at(4, "{", source) ? importType(6, source) : "",
            isGuarded: reach == .guarded, isTried: reach == .tried)
        olderPreloadDependencies(source)
    }

    /// Whether the literal at an offset is the name of a module that only Node.js has.
    ///
    /// A condition around its import is one on the environment, also if a minifier named it `N`.
    private func isNodeModule(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        guard isLiteral(offset) else { return false }
        let name = value(window[offset], source)
        return name.starts(with: "node:".utf8)
            || Self.nodeModules.contains { name.elementsEqual($0.utf8) }
    }

    /// Modules of Node.js, imported by libraries for both environments.
    private static let nodeModules: Set<String> = [
        "assert", "buffer", "child_process", "crypto", "dns", "events", "fs", "fs/promises", "http",
        "https", "module", "net", "os", "path", "perf_hooks", "process", "readline", "stream",
        "tls",
        "tty", "url", "util", "v8", "vm", "worker_threads", "ws", "zlib",
    ]

    /// `import.meta.resolve("…")`.
    mutating func metaResolve(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, "(", source), at(-1, ".", source), at(-2, "meta", source), isLiteral(2) else {
            return
        }
        note(.moduleURL, from: window[-2].start, argument: 2, source)
    }

    /// `importScripts("…", …)`: every argument.
    mutating func importScripts(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if at(1, ".", source), at(2, "apply", source), at(3, "(", source), at(5, ",", source),
            at(6, "[", source)
        {
            var offset = 7
            while offset < 66, window[offset].kind == .string {
                note(.importScripts, from: token.start, argument: offset, source)
                guard at(offset + 1, ",", source) else { return }
                offset += 2
            }
            return
        }
        guard at(1, "(", source) else { return }
        var offset = 2
        while offset < 66, isLiteral(offset), extent(at: offset, source) == .whole {
            note(.importScripts, from: token.start, argument: offset, source)
            guard at(offset + 1, ",", source) else { return }
            offset += 2
        }
        if offset == 2 {
            note(.importScripts, from: token.start, argument: 2, source)
            unreadCall(token, "importScripts", source)
        }
    }
}
