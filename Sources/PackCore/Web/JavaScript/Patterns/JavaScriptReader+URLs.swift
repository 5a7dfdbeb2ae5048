/// `new URL(…)`: files of a module, of the page, and web origins.
extension JavaScriptReader {
    mutating func newURL(_ id: ID, _ source: Span<UInt8>) {
        let argument = tree.argument(id, 0)
        if written(argument, source) != nil { readURL(id, argument, source) }
        let member = tree.parent(id)
        guard tree.memberName(member) == .origin, tree.first(member) == id else { return }
        let comparison = tree.parent(member)
        var isCompared = false
        switch tree.symbol(comparison) {
        case .same, .equal, .notSame, .notEqual:
            let other =
                tree.first(comparison) == member ? tree.second(comparison) : tree.first(comparison)
            isCompared = mentions([.location], other, source)
        default: break
        }
        note(
            .urlOrigin, at: tree.start(id)..<tree.end(member), detail: isCompared ? "compared" : "",
            isGuarded: isGuarded(id, by: [], triesCount: true, source))
    }

    /// `new URL("…", …)`.
    private mutating func readURL(_ id: ID, _ argument: ID, _ source: Span<UInt8>) {
        let base = tree.next(argument)
        let isModule =
            written(argument, source)?.extent == .whole && tree.memberName(base) == .url
            && tree.kind(tree.first(base)) == .metaProperty
        let call = isModule ? call(with: id, source) : 0
        let callee = tree.first(call)
        let isWorker =
            tree.kind(call) == .new && (isNamed(callee, .Worker) || isNamed(callee, .SharedWorker))
        // `fetch(new URL("a.wasm", import.meta.url))`
        let isRequest = tree.kind(call) == .call && isNamed(callee, .fetch) && isGlobal(callee)
        let reach: Reach? = isRequest ? self.reach(of: call, source) : nil
        // `document.currentScript.src || new URL("index.js", document.baseURI)` names a script that is
        // running.
        let choice = tree.parent(expression(startingWith: id))
        let earlier = tree.first(choice)
        let name = tree.symbol(earlier) == .both ? tree.second(earlier) : earlier
        let isOwnName =
            tree.symbol(choice) == .either && earlier != id
            && tree.memberName(name) == .src
        let isAsset =
            !isModule && !isOwnName && isPageAddress(base, source)
            && written(argument, source)?.values.allSatisfy { namesFile($0.span) } ?? false
        let isGuarded =
            isAsset && (isAssetGuarded(id, source) || isRequestGuarded(id, source))
            || reach == .guarded || isModule && self.isGuarded(id, by: [.locateFile], source)
        note(
            isModule ? (isWorker ? .workerModuleURL : .moduleURL) : isAsset ? .asset : .newURL,
            from: tree.start(id), addressAt: argument, source,
            detail: reach != nil ? JavaScriptReference.requested : base == 0 ? "" : "base",
            isGuarded: isGuarded, isTried: reach == .tried)
    }

    /// The call whose first argument is a `new URL(…)`; 0 if there is none.
    ///
    /// With a relative `base`, Vite writes `new Worker("" + new URL(…).href)` and `new Worker(new
    /// URL("" + new URL(…).href, import.meta.url))`.
    private func call(with id: ID, _ source: Span<UInt8>) -> ID {
        var node = id
        var parent = tree.parent(node)
        if tree.kind(parent) == .member {
            node = parent
            parent = tree.parent(node)
            guard tree.kind(parent) == .binary, tree.symbol(parent) == .add,
                isString(tree.first(parent), "", source)
            else { return 0 }
            node = parent
            parent = tree.parent(node)
            if tree.kind(parent) == .new, tree.name(tree.first(parent)) == .URL,
                tree.argument(parent, 0) == node
            {
                node = parent
                parent = tree.parent(node)
            }
        }
        let isArgument =
            (tree.kind(parent) == .call || tree.kind(parent) == .new)
            && tree.argument(parent, 0) == node
        return isArgument ? parent : 0
    }

    /// Whether an expression is exactly the page's address: `location.href`, `document.baseURI`.
    mutating func isPageAddress(_ id: ID, _ source: Span<UInt8>) -> Bool {
        guard id != 0 else { return false }
        switch value(of: id, source) {
        case .page(.href), .page(.origin), .page(.base), .object(.location): return true
        default: return false
        }
    }

    /// Whether a `new URL(…)` is assigned to a variable whose request may fail: `fetch(u).catch(() =>
    /// null)`.
    private mutating func isRequestGuarded(_ id: ID, _ source: Span<UInt8>) -> Bool {
        let name = assigned(id)
        guard name != 0, let binding = evaluator.scopes.binding(of: name) else { return false }
        for use in evaluator.scopes.uses(of: binding) {
            let argument = expression(startingWith: use)
            let call = tree.parent(argument)
            if tree.kind(call) == .call, tree.argument(call, 0) == argument,
                isNamed(tree.first(call), .fetch)
            {
                return reach(of: call, source) == .guarded
            }
        }
        return false
    }
}
