/// Requests for data: fetch, XMLHttpRequest, and libraries based on them.
extension JavaScriptReferenceCollector {
    static let methods: Set<String> = [
        "GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS",
    ]

    /// The HTTP method in the `method` or `type` member of an object literal.
    func method(ofObjectAt open: Int, _ source: Span<UInt8>) -> String? {
        let place =
            member("method", ofObjectAt: open, source) ?? member("type", ofObjectAt: open, source)
        guard let place, window[place].kind == .string else { return nil }
        let word = String(decoding: value(window[place], source), as: UTF8.self).uppercased()
        return Self.methods.contains(word) ? word : nil
    }

    /// `fetch("…", …)` and `new Request("…", …)`.
    mutating func fetch(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if isOwnFunction(0, source) { return ownFetch(source) }
        guard at(1, "(", source), isGlobal(source) || at(-1, "new", source),
            ownFetches.isEmpty || at(-1, ".", source) || at(-1, "new", source)
        else { return }
        // A call without a literal, or a definition, has no address.
        let isComposed = composed(2, source) != nil
        if !isComposed, joined(2, source) == nil, constantPrefix(token, source) { return }
        guard isComposed || isAddress(2, source) else { return requestHelper(source) }
        // `fetch("m" === t ? a : b)`
        if isLiteral(2), isOperand(2, source) { return }
        if at(-1, "new", source) || at(-3, "new", source), !isRequestUsed(source) { return }
        var method = "GET"
        if let options = argument(2, ofCallAt: 1, source), at(options, "{", source) {
            method =
                self.method(ofObjectAt: options, source)
                ?? (member("method", ofObjectAt: options, source) == nil ? "GET" : "?")
        } else if argument(2, ofCallAt: 1, source) != nil {
            method = "?"
        }
        let reach = reach(callAt: 1, source)
        note(
            .fetch, from: token.start, argument: 2, source, detail: method,
            isGuarded: reach == .guarded,
            isTried: reach == .tried || isForgotten(method, source))
    }

    /// Whether the result of the current call is ignored: it sends something, and is a statement.
    private func isForgotten(_ method: String, _ source: Span<UInt8>) -> Bool {
        let first = at(-1, ".", source) ? -2 : 0
        guard method != "GET", method != "?", window[first].traits.contains(.startsStatement),
            let close = closing(1, source)
        else { return false }
        return at(close + 1, ";", source) || at(close + 1, "}", source)
            || window[close + 1].kind == .end
    }

    /// `fetch(base + path)` and `` fetch(`${base}/${path}`) `` with a known base.
    private mutating func constantPrefix(_ token: JavaScriptToken, _ source: Span<UInt8>) -> Bool {
        let isTemplate = window[2].kind == .templateStart && window[2].content(in: source).isEmpty
        let place = isTemplate ? 3 : 2
        guard !constants.isEmpty, window[place].kind == .identifier,
            isTemplate || at(place + 1, "+", source),
            let known = constants[window[place].range.map { source[$0] }]
        else { return false }
        var value = known
        if isTemplate, window[4].kind == .templateContinuation {
            value += self.value(window[4], source)
        } else if window[place + 2].kind == .string {
            value += self.value(window[place + 2], source)
        }
        let reach = reach(callAt: 1, source)
        note(
            JavaScriptReference(
                .fetch, range: window[place].range, expression: token.start..<window[place].end,
                value: value, extent: .prefix, detail: "?", isGuarded: reach == .guarded,
                isTried: reach == .tried, isJoined: true))
        return true
    }

    /// `xhr.open("GET", …)`, or `window.open("…")`.
    mutating func open(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, "(", source), at(-1, ".", source) || at(-1, "?.", source) else { return }
        if isMember(of: "window", source) {
            let target = argument(2, ofCallAt: 1, source)
            let isHere =
                target.map { window[$0].kind == .string && opensHere(window[$0], source) } ?? false
            return note(
                isHere ? .navigation : .windowOpen, from: token.start, argument: 2, source)
        }
        if window[2].kind == .identifier, at(3, ",", source), window[4].kind == .string,
            namesFile(source.extracting(window[4].content(in: source)))
        {
            // The method is in a variable. An object as third argument belongs to another API:
            // Angular's `snackBar.open(message, "Close.", {duration: 5000})`.
            if let third = argument(3, ofCallAt: 1, source), at(third, "{", source) { return }
            let reach = reach(callAt: 1, object: -2, source)
            return note(
                .request, from: token.start, argument: 4, source, detail: "?",
                isGuarded: reach == .guarded, isTried: reach == .tried)
        }
        guard isLiteral(2) else {
            // `function get(u, m = "GET") { … r.open(m, u, true) … }`
            if at(3, ",", source), at(-1, ".", source) { requestHelper(at: 4, source) }
            return
        }
        let method = String(decoding: value(window[2], source), as: UTF8.self).uppercased()
        if window[4].kind == .identifier, at(3, ",", source) { requestHelper(at: 4, source) }
        guard Self.methods.contains(method), at(3, ",", source) else { return }
        let isSynchronous =
            argument(3, ofCallAt: 1, source).map { isFalse($0, source) } ?? false
        let reach = reach(callAt: 1, isAwaited: !isSynchronous, object: -2, source)
        note(
            .request, from: token.start, argument: 4, source, detail: method,
            isSynchronous: isSynchronous,
            isGuarded: reach == .guarded || isSynchronous && isForWorkers(method, source),
            isTried: reach == .tried)
    }

    private func opensHere(_ target: JavaScriptToken, _ source: Span<UInt8>) -> Bool {
        let name = source.extracting(target.content(in: source))
        return name.count == 5 && name.holds("_self", at: 0)
            || name.count == 4 && name.holds("_top", at: 0)
            || name.count == 7 && name.holds("_parent", at: 0)
    }

    /// Whether a synchronous request is one that a page cannot make or does not need.
    ///
    /// With an `arraybuffer` it throws in a page, so the code is a worker's (Emscripten, PDF.js).
    /// FileSaver requests the head of a file on another host, inside `try`.
    private mutating func isForWorkers(_ method: String, _ source: Span<UInt8>) -> Bool {
        if isLiteral(4) { return isSecurityGuarded(source) }
        if method == "HEAD" { return true }
        for offset in 4..<120 {
            let token = window[offset]
            if token.kind == .end { break }
            if token.kind == .string,
                source.extracting(token.content(in: source)).holds("arraybuffer", at: 0)
            {
                return true
            }
        }
        return isGuarded(
            by: ["ENVIRONMENT_IS_WORKER", "WorkerGlobalScope", "importScripts"], source)
    }

    /// `const get = u => fetch(u)`, `async function getJSON(url) { const r = await fetch(url) … }`.
    ///
    /// A function that calls such a function is one as well.
    ///
    /// - Parameter place: The offset of the argument: `u`, or `new URL(u, document.baseURI)`.
    private mutating func requestHelper(at place: Int = 2, _ source: Span<UInt8>) {
        if at(place, "new", source), at(place + 1, "URL", source), at(place + 2, "(", source) {
            guard at(place + 4, ",", source), at(place + 5, "document", source),
                at(place + 7, "baseURI", source)
            else { return }
            return requestHelper(at: place + 3, source)
        }
        let argument = window[place]
        guard argument.kind == .identifier,
            at(place + 1, ")", source) || at(place + 1, ",", source),
            requestHelpers.count < 32
        else { return }
        for offset in stride(from: -1, to: -40, by: -1) {
            let token = window[offset]
            guard token.kind == .identifier, token.range.count == argument.range.count,
                zip(token.range, argument.range).allSatisfy({ source[$0] == source[$1] })
            else { continue }
            var name: Int?
            if at(offset - 1, "=", source), at(offset + 1, "=>", source) {
                name = offset - 2
            } else if at(offset - 1, "(", source) {
                if at(offset - 3, "function", source) { name = offset - 2 }
                if at(offset - 2, "=", source) { name = offset - 3 }
                if at(offset - 2, "async", source), at(offset - 3, "=", source) {
                    name = offset - 4
                }
            }
            guard let name, window[name].kind == .identifier, !at(name - 1, ".", source) else {
                continue
            }
            let text = window[name].range.map { source[$0] }
            if constants.takes(text) { requestHelpers.insert(text) }
            return
        }
    }

    /// `getJSON("data/a.json")`.
    mutating func helperCall(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, "(", source), !at(-1, ".", source), !at(-1, "function", source),
            requestHelpers.contains(token.range.map { source[$0] })
        else { return }
        guard window[2].kind == .string, isJoined(2, source) || extent(at: 2, source) == .whole
        else {
            // Its function handles failures itself.
            if reach(callAt: 1, source) == .needed { requestHelper(source) }
            return
        }
        let reach = reach(callAt: 1, source)
        note(
            .fetch, from: token.start, argument: 2, source, detail: "?",
            isGuarded: reach == .guarded, isTried: reach == .tried)
    }

    /// The handling of a failed request; `error: function …` in its options also handles it.
    mutating func requestReach(
        callAt open: Int, options: Int?, _ source: Span<UInt8>
    ) -> Reach {
        let reach = reach(callAt: open, source)
        guard reach == .needed, let options,
            let error = member("error", ofObjectAt: options, source)
        else { return reach }
        return handler(error, source)
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
        guard let url, isAddress(url, source) else {
            if isSynchronous {
                note(
                    JavaScriptReference(
                        kind, range: start..<window[object].end,
                        expression: start..<window[object].end, detail: method,
                        isSynchronous: true))
            }
            return
        }
        let reach = requestReach(callAt: object - 1, options: object, source)
        note(
            kind, from: start, argument: url, source, detail: method,
            isSynchronous: isSynchronous, isGuarded: reach == .guarded, isTried: reach == .tried)
    }

    // MARK: - axios

    /// `axios.get("…")`, `axios("…")`, `axios({url: "…"})`.
    mutating func axios(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if at(1, ".", source), at(2, "request", source), at(3, "(", source) {
            return options(.ajax, from: token.start, object: 4, source)
        }
        if at(1, ".", source), at(3, "(", source) {
            guard let method = Self.verb(window[2], source), isAddress(4, source) else { return }
            if let base = instances[Array("axios".utf8)] {
                return request(
                    below: base, argument: 4, from: token.start, method, source)
            }
            let reach = reach(callAt: 3, source)
            note(
                .ajax, from: token.start, argument: 4, source, detail: method,
                isGuarded: reach == .guarded, isTried: reach == .tried)
        } else if at(1, "(", source) {
            if at(2, "{", source) {
                options(.ajax, from: token.start, object: 2, source)
            } else if isAddress(2, source) {
                let reach = reach(callAt: 1, source)
                note(
                    .ajax, from: token.start, argument: 2, source, detail: "GET",
                    isGuarded: reach == .guarded, isTried: reach == .tried)
            }
        }
    }

    private static func verb(_ token: JavaScriptToken, _ source: Span<UInt8>) -> String? {
        if token.is("get", in: source) { return "GET" }
        if token.is("post", in: source) { return "POST" }
        if token.is("put", in: source) { return "PUT" }
        if token.is("patch", in: source) { return "PATCH" }
        if token.is("delete", in: source) { return "DELETE" }
        return token.is("head", in: source) ? "HEAD" : nil
    }

    /// `const api = axios.create({baseURL: "/api"})`: remembered for `api.get("/x")`.
    mutating func instance(_ source: Span<UInt8>) {
        guard at(-1, ".", source), at(1, "(", source),
            let base = member("baseURL", ofObjectAt: 2, source), window[base].kind == .string,
            extent(at: base, source) == .whole
        else { return }
        var offset = -1
        while offset > -8,
            at(offset, ".", source) || window[offset].kind == .identifier
                || window[offset].traits.contains(.isMemberName)
        { offset -= 1 }
        guard at(offset, "=", source), window[offset - 1].kind == .identifier,
            !at(offset - 2, ".", source)
        else { return }
        instances.set(
            window[offset - 1].range.map { source[$0] }, value(window[base], source))
    }

    /// `api.get("/x")` of an instance with a known base.
    mutating func instanceCall(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard !instances.isEmpty, at(-1, ".", source), !at(-2, "axios", source), at(1, "(", source),
            let method = Self.verb(token, source),
            let base = instances[window[-2].range.map { source[$0] }]
        else { return }
        request(below: base, argument: 2, from: token.start, method, source)
    }

    /// `this.http.get("/api/users")` of Angular's client, recognised by the usual name of the
    /// member.
    ///
    /// An interceptor may prepend the server to every request, so it is at most a warning.
    mutating func clientCall(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, ".", source), at(1, "(", source), isLiteral(2),
            at(-2, "$http", source)
                || at(-3, ".", source)
                    && (at(-2, "http", source) || at(-2, "httpClient", source)),
            let method = Self.verb(token, source)
        else { return }
        let path = source.extracting(window[2].content(in: source))
        // A header's name, or a route pattern, is not an address.
        guard path.count > 1, !path.holds("//", at: 0),
            path.indices.contains(where: { path[$0] == UInt8(ascii: "/") }),
            !path.indices.contains(where: { path[$0] <= 0x20 || path[$0] == UInt8(ascii: ":") })
        else { return }
        let reach = reach(callAt: 1, source)
        note(
            .ajax, from: token.start, argument: 2, source, detail: method,
            isGuarded: reach == .guarded, isTried: true)
    }

    /// Records a request for a path below the base of an instance.
    private mutating func request(
        below base: [UInt8], argument: Int, from start: Int, _ method: String,
        _ source: Span<UInt8>
    ) {
        let literal = window[argument]
        guard literal.kind == .string, extent(at: argument, source) == .whole else { return }
        let path = value(literal, source)
        guard !path.contains(UInt8(ascii: ":")), !path.starts(with: "//".utf8) else { return }
        let slash = UInt8(ascii: "/")
        let trimmed = base.last == slash ? base.dropLast() : base[...]
        claim(to: literal.end)
        let reach = reach(callAt: argument - 1, source)
        note(
            JavaScriptReference(
                .ajax, range: literal.content(in: source), expression: start..<literal.end,
                value: Array(trimmed) + [slash] + path.drop { $0 == slash }, extent: .whole,
                detail: method, isGuarded: reach == .guarded, isTried: reach == .tried,
                isJoined: true))
    }
}
