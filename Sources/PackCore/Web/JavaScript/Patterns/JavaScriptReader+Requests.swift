/// Requests for data: fetch, XMLHttpRequest, and functions based on them.
extension JavaScriptReader {
    static let requestPatterns: [JavaScriptPattern] =
        [
            JavaScriptPattern(.call, .fetch) { $0.fetch($1, $2) },
            JavaScriptPattern(.new, .Request) { reader, id, source in
                if reader.isRequestUsed(id, source) { reader.fetch(id, source) }
            },
            JavaScriptPattern(.call, .open) { $0.open($1, $2) },
            JavaScriptPattern(.new, .EventSource) { $0.connection(.eventSource, $1, $2) },
            JavaScriptPattern(.new, .WebSocket) { $0.connection(.webSocket, $1, $2) },
            JavaScriptPattern(.assignment, .protocol) { $0.socketProtocol($1, $2) },
            JavaScriptPattern(.call, .sendBeacon) { reader, id, source in
                reader.note(
                    .beacon, from: reader.nameStart(ofCall: id),
                    addressAt: reader.tree.argument(id, 0), source,
                    isGuarded: reader.isSecurityGuarded(id, source))
            },
        ] + libraryPatterns

    static let methods: Set<String> = [
        "GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS",
    ]

    /// The HTTP method in the `method` or `type` property of an object literal.
    func method(of object: ID, _ source: Span<UInt8>) -> String? {
        var place = property(.method, of: object)
        if place == 0 { place = property(.type, of: object) }
        guard tree.kind(place) == .string else { return nil }
        let word = string(tree.text(place, source)).uppercased()
        return Self.methods.contains(word) ? word : nil
    }

    /// `fetch("…", …)` and `new Request("…", …)`.
    fileprivate mutating func fetch(_ id: ID, _ source: Span<UInt8>) {
        let callee = tree.first(id)
        let isNew = tree.kind(id) == .new
        guard isNew || isGlobal(callee), isNew || !isOwnFetch(callee) else { return }
        let argument = tree.argument(id, 0)
        if !isNew, helper(passing: argument, source) { return }
        guard isAddress(argument, source) else { return }
        var method = "GET"
        let options = tree.argument(id, 1)
        if tree.kind(options) == .object {
            method =
                self.method(of: options, source)
                ?? (property(.method, of: options) == 0 ? "GET" : "?")
        } else if options != 0 {
            method = "?"
        }
        let reach = reach(of: id, source)
        note(
            .fetch, from: isNew ? tree.start(callee) : nameStart(ofCall: id), addressAt: argument,
            source, detail: method, isGuarded: reach == .guarded,
            isTried: reach == .tried || isForgotten(id, method))
    }

    /// Whether the result of a call is ignored: it sends something, and is a statement.
    private func isForgotten(_ id: ID, _ method: String) -> Bool {
        method != "GET" && method != "?" && tree.kind(tree.parent(id)) == .expressionStatement
    }

    /// Whether `new Request(…)` can be passed to `fetch`.
    ///
    /// Libraries create one only to test whether the API exists, or which members it has: `try {
    /// new Request("http://www.example.com") }` (Sentry), `new Request(…).headers` (axios).
    private func isRequestUsed(_ id: ID, _ source: Span<UInt8>) -> Bool {
        let argument = tree.argument(id, 0)
        if tree.kind(argument) == .string, tree.content(argument).count < 2 { return false }
        let parent = tree.parent(id)
        switch tree.kind(parent) {
        case .member: return tree.memberName(parent) == .clone
        case .expressionStatement: return false
        case .unary: return tree.symbol(parent) == .await
        case .sequence: return tree.next(id) == 0
        default: return true
        }
    }

    // MARK: - Functions of the script

    /// Whether `fetch` is a function of the script that requests nothing by itself.
    private mutating func isOwnFetch(_ callee: ID) -> Bool {
        guard tree.kind(callee) == .identifier,
            let binding = evaluator.scopes.binding(of: callee)
        else { return false }
        let declared = evaluator.scopes.bindings[binding]
        var function = tree.parent(declared.name)
        if tree.kind(function) == .declarator { function = tree.second(function) }
        guard tree.kind(function).isFunction, declared.kind != .parameter else { return false }
        // A polyfill for old browsers also makes requests.
        let start = tree[function].start
        var node = function
        while node > 0, tree[node].start >= start, steps > 0 {
            if tree.name(node) == .XMLHttpRequest { return false }
            if tree.memberName(node) == .fetch, isGlobal(node) { return false }
            node -= 1
            steps -= 1
        }
        return true
    }

    /// Whether a request passes on the first parameter of a function, whose calls are then requests.
    ///
    /// `const get = u => fetch(u)`, `async function getJSON(url) { const r = await fetch(url) … }`
    private mutating func helper(passing argument: ID, _ source: Span<UInt8>) -> Bool {
        var argument = argument
        // `new URL(u, document.baseURI)`
        if tree.kind(argument) == .new, tree.name(tree.first(argument)) == .URL,
            tree.memberName(tree.argument(argument, 1)) == .baseURI
        {
            argument = tree.argument(argument, 0)
        }
        guard tree.kind(argument) == .identifier,
            let binding = evaluator.scopes.binding(of: argument)
        else { return false }
        let declared = evaluator.scopes.bindings[binding]
        var parameter = declared.name
        if tree.kind(tree.parent(parameter)) == .assignment { parameter = tree.parent(parameter) }
        let parameters = tree.parent(parameter)
        guard declared.kind == .parameter, tree.kind(parameters) == .parameters,
            tree.first(parameters) == parameter, helpers.count < 64,
            // `url = getURL(url)`
            !evaluator.scopes.uses(of: binding).contains(where: { tree.isWritten($0) }),
            let name = evaluator.binding(ofFunction: tree.parent(parameters))
        else { return false }
        guard helpers.insert(name).inserted else { return true }
        for use in evaluator.scopes.uses(of: name) {
            let call = tree.parent(use)
            guard tree.kind(call) == .call, tree.first(call) == use else { continue }
            let argument = tree.argument(call, 0)
            let reach = reach(of: call, source)
            // A function that handles failures itself is none.
            if isParameter(argument) {
                if reach == .needed { _ = helper(passing: argument, source) }
                continue
            }
            guard let address = address(of: argument, source), address.extent == .whole,
                // A name for messages.
                !address.values.contains(where: { $0.contains(UInt8(ascii: " ")) })
            else { continue }
            note(.fetch, from: tree.start(call), addressAt: argument, reach, source, detail: "?")
        }
        return true
    }

    private mutating func isParameter(_ id: ID) -> Bool {
        guard tree.kind(id) == .identifier, let binding = evaluator.scopes.binding(of: id) else {
            return false
        }
        return evaluator.scopes.bindings[binding].kind == .parameter
    }

    // MARK: - XMLHttpRequest

    /// `xhr.open("GET", …)`, or `window.open("…")`.
    fileprivate mutating func open(_ id: ID, _ source: Span<UInt8>) {
        let object = object(ofCall: id)
        guard object != 0 else { return }
        let start = nameStart(ofCall: id)
        let first = tree.argument(id, 0)
        let second = tree.next(first)
        if isNamed(object, .window) {
            let target = tree.kind(second) == .string ? string(tree.text(second, source)) : ""
            let isHere = ["_self", "_top", "_parent"].contains(target)
            return note(isHere ? .navigation : .windowOpen, from: start, addressAt: first, source)
        }
        if tree.kind(first) == .identifier, tree.kind(second) == .string,
            namesFile(tree.text(second, source).span)
        {
            // The method is in a variable. An object as third argument belongs to another API:
            // Angular's `snackBar.open(message, "Close.", {duration: 5000})`.
            if tree.kind(tree.next(second)) == .object { return }
            let reach = reach(of: id, call: id, object: object, source)
            return note(.request, from: start, addressAt: second, reach, source, detail: "?")
        }
        guard isLiteral(first) else {
            // `function get(u, m = "GET") { … r.open(m, u, true) … }`
            if second != 0 { _ = helper(passing: second, source) }
            return
        }
        let method =
            tree.kind(first) == .string ? string(tree.text(first, source)).uppercased() : ""
        guard second != 0 else { return }
        let isHelper = helper(passing: second, source)
        guard Self.methods.contains(method) else { return }
        let isSynchronous = isFalse(tree.next(second), source)
        let reach = reach(of: id, call: id, isAwaited: !isSynchronous, object: object, source)
        if isHelper, !isSynchronous {
            // The addresses are those of the calls.
            let range = start..<tree.start(second)
            return note(
                JavaScriptReference(
                    .request, range: range, expression: range, detail: method,
                    isGuarded: reach == .guarded, isTried: reach == .tried))
        }
        note(
            .request, from: start, addressAt: second, source, detail: method,
            isSynchronous: isSynchronous,
            isGuarded: reach == .guarded || isSynchronous && isForWorkers(id, method, source),
            isTried: reach == .tried)
    }

    /// Whether a synchronous request is one that a page cannot make or does not need.
    ///
    /// With an `arraybuffer` it throws in a page, so the code is a worker's (Emscripten, PDF.js).
    /// FileSaver requests the head of a file on another host, inside `try`.
    private mutating func isForWorkers(_ id: ID, _ method: String, _ source: Span<UInt8>) -> Bool {
        if isLiteral(tree.argument(id, 1)) { return isSecurityGuarded(id, source) }
        if method == "HEAD" { return true }
        let near = tree.end(id)..<min(source.count, tree.end(id) &+ 600)
        if source.extracting(near).contains("arraybuffer") { return true }
        return isGuarded(
            id, by: [.ENVIRONMENT_IS_WORKER, .WorkerGlobalScope, .importScripts], source)
    }

    /// `new WebSocket("…")`, `new EventSource("…")`.
    private mutating func connection(
        _ kind: JavaScriptReference.Kind, _ id: ID, _ source: Span<UInt8>
    ) {
        let reach = reach(
            of: id, call: id, isAwaited: kind != .webSocket, object: assigned(id), source)
        let isOfPage = kind == .webSocket && hasPageScheme(id, source)
        let name =
            tree.kind(tree.first(id)) == .member ? tree.second(tree.first(id)) : tree.first(id)
        note(
            kind, from: tree.start(id), addressAt: tree.argument(id, 0), reach, source,
            detail: isOfPage ? JavaScriptReference.pageScheme : text(name, source))
    }
}
