/// Code that is loaded or made at run time: imports, workers, texts, WebAssembly.
extension JavaScriptReader {
    static let codePatterns: [JavaScriptPattern] = [
        JavaScriptPattern(.node(.importCall)) { $0.importCall($1, $2) },
        JavaScriptPattern(.new, .URL) { $0.newURL($1, $2) },
        JavaScriptPattern(.new, .Worker, .SharedWorker) { $0.worker($1, $2) },
        JavaScriptPattern(.call, .resolve) { reader, id, source in
            // `import.meta.resolve("…")`
            let meta = reader.object(ofCall: id)
            guard reader.tree.kind(meta) == .metaProperty,
                reader.written(reader.tree.argument(id, 0), source) != nil
            else { return }
            reader.note(
                .moduleURL, from: reader.tree.start(reader.tree.second(meta)),
                addressAt: reader.tree.argument(id, 0), source)
        },
        JavaScriptPattern(.call, .importScripts) { reader, id, source in
            let callee = reader.tree.first(id)
            let isMember = reader.tree.kind(callee) == .member
            reader.importScripts(
                isMember ? reader.tree.second(callee) : callee,
                from: reader.tree.argument(id, 0), of: id, source)
        },
        JavaScriptPattern(.call, .apply) { reader, id, source in
            let name = reader.object(ofCall: id)
            let list = reader.tree.argument(id, 1)
            guard reader.isNamed(name, .importScripts), reader.tree.kind(list) == .array else {
                return
            }
            reader.importScripts(
                reader.tree.kind(name) == .member ? reader.tree.second(name) : name,
                from: reader.tree.first(list), of: 0, source)
        },
        JavaScriptPattern(.name, .eval) { reader, id, source in
            // `eval(…)`, `(0, eval)(…)`
            let parent = reader.tree.parent(id)
            let isEnclosed =
                reader.tree.kind(parent) == .sequence || reader.isGlobal(parent)
            let callee = isEnclosed ? parent : id
            let call = reader.tree.parent(callee)
            guard reader.tree.kind(call) == .call, reader.tree.first(call) == callee else { return }
            reader.codeFromString(call, named: id, source)
        },
        JavaScriptPattern(.call, .Function) { $0.code($1, $2) },
        JavaScriptPattern(.new, .Function) { $0.code($1, $2) },
        JavaScriptPattern(.call, .setTimeout, .setInterval) { reader, id, source in
            if reader.written(reader.tree.argument(id, 0), source) != nil {
                reader.code(id, source)
            }
        },
        JavaScriptPattern(.call, .AsyncFunction, .GeneratorFunction, .AsyncGeneratorFunction) {
            reader, id, source in
            if reader.tree.kind(reader.tree.argument(id, 0)) == .string {
                reader.code(id, source, any: true)
            }
        },
        JavaScriptPattern(.new, .AsyncFunction, .GeneratorFunction, .AsyncGeneratorFunction) {
            $0.code($1, $2, any: true)
        },
        JavaScriptPattern(.member, .constructor) { $0.functionConstructor($1, $2) },
        JavaScriptPattern(.member, .compile, .compileStreaming, .instantiate, .instantiateStreaming)
        {
            reader, id, source in
            let call = reader.tree.parent(id)
            if reader.tree.kind(call) == .call, reader.tree.first(call) == id {
                reader.webAssembly(id, call, source)
            }
        },
        JavaScriptPattern(.new, .Module, .Instance) { reader, id, source in
            reader.webAssembly(reader.tree.first(id), id, source)
        },
        JavaScriptPattern(.new, .Memory) { reader, id, source in
            // `new WebAssembly.Memory({…, shared: true})`
            let object = reader.tree.argument(id, 0)
            let shared = reader.property(.shared, of: object)
            guard reader.isNamed(reader.tree.first(reader.tree.first(id)), .WebAssembly),
                shared != 0, reader.tree.symbol(reader.tree.parent(id)) != .missing,
                reader.tree.kind(shared) == .true || reader.tree.symbol(shared) == .not
            else { return }
            let key = reader.tree.first(reader.tree.parent(shared))
            reader.shared(reader.tree.range(key), "shared", id, source)
        },
        JavaScriptPattern(.name, .SharedArrayBuffer) { reader, id, source in
            reader.sharedArrayBuffer(id, source)
        },
        JavaScriptPattern(.name, .GODOT_THREADS_ENABLED) { reader, id, source in
            let parent = reader.tree.parent(id)
            guard reader.tree.first(parent) == id,
                reader.tree.kind(reader.tree.second(parent)) == .true
            else { return }
            reader.shared(reader.tree.range(id), "threads", id, source)
        },
    ]

    // MARK: - Imports and workers

    /// `import("…")`.
    private mutating func importCall(_ id: ID, _ source: Span<UInt8>) {
        let argument = tree.argument(id, 0)
        guard isAddress(argument, source) else { return unreadCall(id, "import()", source) }
        let reach = reach(
            of: id, call: id,
            words: [.process, .require, .IN_NODE, .ENVIRONMENT_IS_NODE, .isNode, .Deno],
            countsAny: isNodeModule(argument, source), source)
        let attributes = tree.next(argument)
        note(
            .dynamicImport, from: tree.start(id), addressAt: argument, reach, source,
            detail: tree.kind(attributes) == .object ? importType(attributes, source) : "")
    }

    /// Whether a literal is the name of a module that only Node.js has.
    ///
    /// A condition around its import is one on the environment, also if a minifier named it `N`.
    private func isNodeModule(_ id: ID, _ source: Span<UInt8>) -> Bool {
        guard let name = written(id, source)?.values.first else { return false }
        return name.starts(with: "node:".utf8) || Self.nodeModules.contains(string(name))
    }

    /// Modules of Node.js, imported by libraries for both environments.
    private static let nodeModules: Set<String> = [
        "assert", "buffer", "child_process", "crypto", "dns", "events", "fs", "fs/promises", "http",
        "https", "module", "net", "os", "path", "perf_hooks", "process", "readline", "stream",
        "tls", "tty", "url", "util", "v8", "vm", "worker_threads", "ws", "zlib",
    ]

    /// `importScripts("…", …)`: every argument.
    private mutating func importScripts(
        _ name: ID, from first: ID, of call: ID, _ source: Span<UInt8>
    ) {
        var argument = first
        while argument != 0, let address = written(argument, source), address.extent == .whole {
            note(.importScripts, from: tree.start(name), addressAt: argument, source)
            argument = tree.next(argument)
        }
        guard argument == first, call != 0 else { return }
        note(.importScripts, from: tree.start(name), addressAt: first, source)
        unreadCall(call, "importScripts", source)
    }

    /// `new Worker("…")`, `new SharedWorker("…")`.
    private mutating func worker(_ id: ID, _ source: Span<UInt8>) {
        let argument = tree.argument(id, 0)
        // Read with the URL.
        if tree.kind(argument) == .new, tree.name(tree.first(argument)) == .URL { return }
        let callee = tree.first(id)
        let name = tree.kind(callee) == .member ? tree.second(callee) : callee
        let isBlob = isObjectURL(argument)
        let isOther = isOfOther(callee)
        if !isBlob, !isOther, !isAddress(argument, source) {
            unreadCall(id, "new " + text(name, source), source)
        }
        let reach = reach(
            of: id, call: id, object: assigned(id), words: [.Worker, .SharedWorker], source)
        note(
            .worker, from: tree.start(id), addressAt: argument, source,
            detail: isBlob ? "blob" : text(name, source), isGuarded: reach == .guarded || isOther,
            isTried: reach == .tried)
    }

    /// Whether a name is a member of an object other than the global one.
    ///
    /// For example, the result of `require("worker_threads")` also has a `Worker`.
    private func isOfOther(_ callee: ID) -> Bool {
        guard tree.kind(callee) == .member else { return false }
        switch tree.name(tree.first(callee)) {
        case .window, .self, .globalThis, .top, .parent: return false
        default: return true
        }
    }

    // MARK: - Texts as code

    private mutating func code(_ id: ID, _ source: Span<UInt8>, any: Bool = false) {
        let callee = tree.first(id)
        guard any || isGlobal(callee) else { return }
        codeFromString(
            id, named: tree.kind(callee) == .member ? tree.second(callee) : callee, source)
    }

    private mutating func codeFromString(_ id: ID, named name: ID, _ source: Span<UInt8>) {
        let argument = tree.argument(id, 0)
        guard argument != 0 else { return }
        note(
            .codeFromString, from: tree.start(name), addressAt: argument, source,
            detail: text(name, source), isGuarded: isGuarded(id, by: [], triesCount: true, source))
    }

    /// `(async () => {}).constructor("…")`, `[].constructor.constructor("…")`, and a variable with such a
    /// constructor.
    private mutating func functionConstructor(_ id: ID, _ source: Span<UInt8>) {
        let object = tree.first(id)
        let isOfFunction =
            tree.memberName(object) == .constructor || tree.kind(object) == .call
            || tree[object].flags.contains(.parenthesized)
        guard isOfFunction else { return }
        let call = tree.parent(id)
        if tree.kind(call) == .call || tree.kind(call) == .new, tree.first(call) == id {
            guard written(tree.argument(call, 0), source) != nil else { return }
            return codeFromString(call, named: tree.second(id), source)
        }
        // `const F = Object.getPrototypeOf(async function () {}).constructor`
        let made = tree.kind(object) == .call ? tree.argument(object, 0) : object
        let name = assigned(id)
        guard name != 0, tree.kind(made).isFunction,
            let binding = evaluator.scopes.binding(of: name)
        else { return }
        for use in evaluator.scopes.uses(of: binding) {
            let call = tree.parent(use)
            guard tree.first(call) == use,
                tree.kind(call) == .new && tree.argument(call, 0) != 0
                    || tree.kind(call) == .call && written(tree.argument(call, 0), source) != nil
            else { continue }
            codeFromString(call, named: use, source)
        }
    }

    // MARK: - WebAssembly and shared memory

    /// `WebAssembly.instantiate(…)`, `new WebAssembly.Module(…)`.
    private mutating func webAssembly(_ member: ID, _ call: ID, _ source: Span<UInt8>) {
        let object = tree.first(member)
        guard tree.kind(member) == .member, isNamed(object, .WebAssembly), isGlobal(object) else {
            return
        }
        let name = text(tree.second(member), source)
        let isGuarded =
            isGuarded(call, by: [], triesCount: true, source)
            || name.hasSuffix("Streaming") && acceptsAnyType(call, source)
        let start = tree.start(tree.kind(object) == .member ? tree.second(object) : object)
        note(
            .webAssembly, at: start..<tree.end(member), detail: "WebAssembly.\(name)",
            isGuarded: isGuarded)
    }

    /// Whether the code around a streaming call works for a file of any MIME type.
    ///
    /// It handles the rejection, as Emscripten's does, or names the type that it compares with that
    /// of the response, as those of Vite, webpack and wasm-bindgen do.
    private mutating func acceptsAnyType(_ call: ID, _ source: Span<UInt8>) -> Bool {
        if reach(of: call, source) == .guarded { return true }
        let start = max(0, tree.start(call) &- 900)
        let end = min(source.count, tree.end(call) &+ 900)
        return source.extracting(start..<end).contains("application/wasm")
    }

    /// `new SharedArrayBuffer(…)`, and `x instanceof SharedArrayBuffer`.
    private mutating func sharedArrayBuffer(_ id: ID, _ source: Span<UInt8>) {
        let parent = tree.parent(id)
        if tree.kind(parent) == .new, tree.first(parent) == id {
            return shared(tree.range(id), "new", parent, source)
        }
        guard tree.symbol(parent) == .instanceof, tree.second(parent) == id else { return }
        let isOfMemory =
            isNamed(tree.first(parent), .buffer)
            && result.references.contains { $0.kind == .sharedMemory && $0.detail == "shared" }
        shared(tree.range(id), isOfMemory ? "memory" : "instanceof", parent, source)
    }

    private mutating func shared(
        _ range: Range<Int>, _ detail: String, _ id: ID, _ source: Span<UInt8>
    ) {
        note(
            .sharedMemory, at: range, detail: detail,
            isGuarded: isGuarded(
                id, by: [.SharedArrayBuffer, .crossOriginIsolated, .Atomics, .ENVIRONMENT_IS_NODE],
                triesCount: true, source))
    }
}
