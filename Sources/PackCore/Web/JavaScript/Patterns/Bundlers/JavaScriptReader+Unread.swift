/// Loaders of code whose addresses are composed at run time and not understood.
extension JavaScriptReader {
    /// `import(x)`, `new Worker(x)`, `importScripts(x)`.
    mutating func unreadCall(_ id: ID, _ name: String, _ source: Span<UInt8>) {
        let argument = tree.argument(id, 0)
        guard argument != 0, !isReadElsewhere(argument, source),
            reach(of: id, source) != .guarded
        else { return }
        let range =
            tree.kind(id) == .new
            ? tree.range(lastName(of: tree.first(id)))
            : nameStart(ofCall: id)..<nameEnd(ofCall: id)
        note(.unread, at: range, detail: name, pattern: pattern(of: argument, source))
    }

    private func lastName(of callee: ID) -> ID {
        tree.kind(callee) == .member ? tree.second(callee) : callee
    }

    private func nameEnd(ofCall id: ID) -> Int {
        tree.kind(id) == .importCall
            ? tree.start(id) + 6 : tree.end(lastName(of: tree.first(id)))
    }

    /// Whether an argument contains an address read elsewhere, or needs no file.
    ///
    /// `"" + new URL("a.js", import.meta.url)`, `n.p + n.u(7)`, `URL.createObjectURL(x)`, `"data:…"`
    private func isReadElsewhere(_ id: ID, _ source: Span<UInt8>) -> Bool {
        if let address = written(id, source), address.values[0].starts(with: "data:".utf8) {
            return true
        }
        let start = tree[id].start
        var node = id
        while node > 0, tree[node].start >= start {
            switch tree.kind(node) {
            case .new: if isNamed(tree.first(node), .URL) { return true }
            case .member:
                if tree.memberName(node) == .u || tree.memberName(node) == .p { return true }
            default: break
            }
            if tree.name(node) == .createObjectURL || tree.name(node) == .Blob { return true }
            node -= 1
        }
        return false
    }

    /// `x.src = y` of a script element, and `x.href = y` of a style sheet, both made by the script.
    mutating func unreadElement(_ id: ID, _ source: Span<UInt8>) {
        let target = tree.first(id)
        guard tree.kind(target) == .member, tree.kind(tree.first(target)) == .identifier,
            tree.kind(tree.second(id)) != .string, tree.symbol(id) == .assign,
            let kind = madeElement(tree.first(target), before: id, source)
        else { return }
        let isSource = tree.memberName(target) == .src
        if isSource ? kind != "script" : kind != "link" { return }
        // Icons and preloads are not needed; Vite's helper, which decides between a style sheet and a
        // preload, is read elsewhere.
        if !isSource, !namesSheet(tree.functionScope(of: id), source) { return }
        guard reach(of: id, call: 0, source) != .guarded else { return }
        note(
            .unread, at: tree.range(tree.second(target)),
            detail: isSource ? "script.src" : "link.href",
            pattern: pattern(of: tree.second(id), source))
    }

    private func namesSheet(_ function: ID, _ source: Span<UInt8>) -> Bool {
        let start = tree[function].start
        var node = function
        while node > 0, tree[node].start >= start {
            if isString(node, "stylesheet", source), tree.kind(tree.parent(node)) != .conditional {
                return true
            }
            node -= 1
        }
        return false
    }

    /// The element assigned to a name: `x = document.createElement("script")`.
    private mutating func madeElement(
        _ name: ID, before use: ID, _ source: Span<UInt8>
    ) -> String? {
        var values: [ID] = []
        let text = tree.nameID(name)
        if let binding = evaluator.scopes.binding(of: name) {
            let declarator = tree.parent(evaluator.scopes.bindings[binding].name)
            if tree.kind(declarator) == .declarator { values.append(tree.second(declarator)) }
            let uses = evaluator.scopes.uses(of: binding)
            steps -= uses.count
            guard steps > 0 else { return nil }
            for write in uses where tree.isWritten(write) {
                if let value = tree.plainValue(writtenTo: write) { values.append(value) }
            }
        } else {
            let scope = tree.range(tree.functionScope(of: use))
            let uses = evaluator.scopes.occurrences(of: text, in: scope)
            steps -= uses.count
            guard steps > 0 else { return nil }
            for write in uses {
                if let value = tree.plainValue(writtenTo: write) { values.append(value) }
            }
        }
        let made = values.last { tree.start($0) < tree.start(use) && tree.kind($0) != .absent }
        guard let made, tree.kind(made) == .call, isNamed(tree.first(made), .createElement),
            tree.kind(tree.argument(made, 0)) == .string
        else { return nil }
        return string(tree.text(tree.argument(made, 0), source))
    }

    /// Removes the loaders of a runtime whose tables have been read.
    mutating func finishUnread() {
        let isRead =
            !bundle.maps.isEmpty
            || result.references.contains { $0.form == .parcel || $0.form == .vite }
        guard isRead else { return }
        result.references.removeAll { $0.kind == .unread }
    }
}
