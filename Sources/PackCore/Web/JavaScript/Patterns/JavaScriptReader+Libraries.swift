/// Requests of libraries: jQuery, axios, Angular's client.
extension JavaScriptReader {
    static let libraryPatterns: [JavaScriptPattern] = [
        JavaScriptPattern(.call, .ajax) { $0.jQueryAjax($1, $2) },
        JavaScriptPattern(.call, .get, .getJSON, .getScript, .post) { $0.jQueryShorthand($1, $2) },
        JavaScriptPattern(.call, .load) { $0.jQueryLoad($1, $2) },
        JavaScriptPattern(.call, .get, .post, .put, .patch, .delete, .head) { $0.client($1, $2) },
        JavaScriptPattern(.call, .axios) { $0.axios($1, $2) },
        JavaScriptPattern(.call, .request) { reader, id, source in
            guard reader.tree.name(reader.object(ofCall: id)) == .axios else { return }
            reader.options(
                reader.tree.argument(id, 0), of: id,
                from: reader.tree.start(reader.object(ofCall: id)), source)
        },
        JavaScriptPattern(.assignment, .baseURL) { reader, id, source in
            let target = reader.tree.first(id)
            guard let base = reader.base(reader.tree.second(id), from: target, source) else {
                return
            }
            if reader.tree.memberName(reader.tree.first(target)) == .defaults, base.extent == .whole
            {
                reader.axiosBase = base.values.first
            }
        },
        JavaScriptPattern(.property, .baseURL) { reader, id, source in
            _ = reader.base(reader.tree.second(id), from: reader.tree.first(id), source)
        },
    ]

    // MARK: - jQuery

    private func isJQuery(_ id: ID) -> Bool { isNamed(id, .dollar) || isNamed(id, .jQuery) }

    /// `$.ajax("…")`, `$.ajax({url: "…"})`.
    private mutating func jQueryAjax(_ id: ID, _ source: Span<UInt8>) {
        guard object(ofCall: id) != 0 else { return }
        let first = tree.argument(id, 0)
        let start = nameStart(ofCall: id)
        guard isAddress(first, source) else {
            return self.options(first, of: id, from: start, source)
        }
        let options = tree.next(first)
        note(
            .ajax, from: start, addressAt: first, requestReach(id, options, source), source,
            detail: method(of: options, source) ?? "GET",
            isSynchronous: isFalse(property(.async, of: options), source))
    }

    /// `$.get("…")`, `$.post("…")`, `$.getJSON("…")`, `$.getScript("…")`.
    ///
    /// `$(…).get(0)` is an element, and other libraries have a `$(…).get("…")`.
    private mutating func jQueryShorthand(_ id: ID, _ source: Span<UInt8>) {
        guard isJQuery(object(ofCall: id)) else { return }
        let first = tree.argument(id, 0)
        let start = nameStart(ofCall: id)
        guard isAddress(first, source) else { return options(first, of: id, from: start, source) }
        let method = tree.memberName(tree.first(id)) == .post ? "POST" : "GET"
        let reach = reach(of: id, source)
        // Minifiers use `$` for any name, and `$.get("title")` is more often a map lookup than a request.
        let isWord =
            tree.kind(first) == .string
            && tree.text(first, source).allSatisfy {
                $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "?")
            }
        note(
            .ajax, from: start, addressAt: first, source, detail: method,
            isGuarded: reach == .guarded || isWord, isTried: reach == .tried)
    }

    /// `$("#x").load("page.html #part")`: the selector after the address is not requested.
    private mutating func jQueryLoad(_ id: ID, _ source: Span<UInt8>) {
        let literal = tree.argument(id, 0)
        let selection = object(ofCall: id)
        guard tree.kind(literal) == .string, tree.kind(selection) == .call,
            isJQuery(tree.first(selection))
        else { return }
        claim(literal)
        let content = tree.content(literal)
        var end = content.lowerBound
        while end < content.upperBound, source[end] > 0x20 { end &+= 1 }
        guard end > content.lowerBound, !tree[literal].flags.contains(.escaped) else { return }
        let range = content.lowerBound..<end
        note(
            JavaScriptReference(
                .ajax, range: range, expression: nameStart(ofCall: id)..<tree.end(literal),
                value: range.map { source[$0] }, extent: .whole, detail: "GET"))
    }

    /// The handling of a failed request; `error: function …` in its options also handles it.
    private mutating func requestReach(_ id: ID, _ options: ID, _ source: Span<UInt8>) -> Reach {
        let reach = reach(of: id, source)
        let error = property(.error, of: options)
        return reach == .needed && error != 0 ? handler(error) : reach
    }

    /// `$.ajax({url: "…", type: "POST", async: false})`.
    private mutating func options(
        _ object: ID, of id: ID, from start: Int, _ source: Span<UInt8>
    ) {
        guard tree.kind(object) == .object else { return }
        let method = method(of: object, source) ?? "GET"
        let isSynchronous = isFalse(property(.async, of: object), source)
        let url = property(.url, of: object)
        guard isAddress(url, source) else {
            guard isSynchronous else { return }
            let range = start..<tree.start(object) &+ 1
            return note(
                JavaScriptReference(
                    .ajax, range: range, expression: range, detail: method, isSynchronous: true))
        }
        note(
            .ajax, from: start, addressAt: url, requestReach(id, object, source), source,
            detail: method, isSynchronous: isSynchronous)
    }

    // MARK: - Clients with methods

    private static let verbs: [JavaScriptName: String] = [
        .get: "GET", .post: "POST", .put: "PUT", .patch: "PATCH", .delete: "DELETE", .head: "HEAD",
    ]

    /// `axios("…")`, `axios({url: "…"})`.
    private mutating func axios(_ id: ID, _ source: Span<UInt8>) {
        guard tree.kind(tree.first(id)) == .identifier else { return }
        let first = tree.argument(id, 0)
        let start = nameStart(ofCall: id)
        if tree.kind(first) == .object { return options(first, of: id, from: start, source) }
        guard isAddress(first, source) else { return }
        note(.ajax, from: start, addressAt: first, reach(of: id, source), source, detail: "GET")
    }

    /// `axios.get("…")`, `api.get("/x")` of an instance with a known base, `this.http.get("/x")`.
    private mutating func client(_ id: ID, _ source: Span<UInt8>) {
        let callee = tree.first(id)
        guard let name = tree.memberName(callee), let method = Self.verbs[name] else { return }
        let object = tree.first(callee)
        let first = tree.argument(id, 0)
        if isNamed(object, .axios) {
            guard isAddress(first, source) else { return }
            let start = tree.start(tree.kind(object) == .member ? tree.second(object) : object)
            if let base = axiosBase {
                return request(first, below: base, from: start, id, method, source)
            }
            return note(
                .ajax, from: start, addressAt: first, reach(of: id, source), source,
                detail: method)
        }
        if let base = instanceBase(object, source) {
            return request(first, below: base, from: nameStart(ofCall: id), id, method, source)
        }
        angular(id, object, method, source)
    }

    /// The base of `const api = axios.create({baseURL: "/api"})`.
    private mutating func instanceBase(_ object: ID, _ source: Span<UInt8>) -> [UInt8]? {
        let name = tree.kind(object) == .member ? tree.second(object) : object
        guard tree.kind(name) == .identifier,
            let binding = evaluator.scopes.binding(of: name),
            let call = evaluator.scopes.value(of: binding), tree.kind(call) == .call,
            tree.memberName(tree.first(call)) == .create
        else { return nil }
        let base = property(.baseURL, of: tree.argument(call, 0))
        return tree.kind(base) == .string ? tree.text(base, source) : nil
    }

    /// Records a request for a path below the base of an instance.
    private mutating func request(
        _ argument: ID, below base: [UInt8], from start: Int, _ id: ID, _ method: String,
        _ source: Span<UInt8>
    ) {
        guard tree.kind(argument) == .string else { return }
        let path = tree.text(argument, source)
        guard !path.contains(UInt8(ascii: ":")), !path.starts(with: "//".utf8) else { return }
        let slash = UInt8(ascii: "/")
        let trimmed = base.last == slash ? base.dropLast() : base[...]
        let reach = reach(of: id, source)
        var address = Address(
            values: [Array(trimmed) + [slash] + path.drop { $0 == slash }],
            range: tree.content(argument), start: start, end: tree.end(argument))
        address.isJoined = true
        address.literals = [argument]
        note(
            .ajax, from: start, address, detail: method, isGuarded: reach == .guarded,
            isTried: reach == .tried)
    }

    /// `this.http.get("/api/users")` of Angular's client, recognised by the usual name of the
    /// member.
    ///
    /// An interceptor may prepend the server to every request, so it is at most a warning.
    private mutating func angular(
        _ id: ID, _ object: ID, _ method: String, _ source: Span<UInt8>
    ) {
        let argument = tree.argument(id, 0)
        let isClient =
            isNamed(object, .dollarHTTP) || tree.memberName(object) == .http
            || tree.memberName(object) == .httpClient
        guard isClient, let address = written(argument, source), let path = address.values.first
        else { return }
        // A header's name, or a route pattern, is not an address.
        guard path.count > 1, !path.starts(with: "//".utf8), path.contains(UInt8(ascii: "/")),
            !path.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: ":") })
        else { return }
        let reach = reach(of: id, source)
        note(
            .ajax, from: nameStart(ofCall: id), addressAt: argument, source, detail: method,
            isGuarded: reach == .guarded, isTried: true)
    }

    /// `baseURL: "…"` of an HTTP library.
    private mutating func base(_ value: ID, from key: ID, _ source: Span<UInt8>) -> Address? {
        guard let base = written(value, source), tree.kind(value) != .conditional else {
            return nil
        }
        let start = tree.kind(key) == .member ? tree.start(tree.second(key)) : tree.start(key)
        note(.ajaxBase, from: start, base)
        return base
    }
}
