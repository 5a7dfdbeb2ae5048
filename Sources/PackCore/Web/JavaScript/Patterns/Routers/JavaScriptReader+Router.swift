/// The code of routers: the parts reading the address.
extension JavaScriptReader {
    static let routerPatterns: [JavaScriptPattern] =
        [
            JavaScriptPattern(.property, .path) { $0.route($1, $2) },
            JavaScriptPattern(.property, .pathname) { $0.destructuredLocation($1, $2) },
            JavaScriptPattern(.member, .pathname) { $0.pathName($1, $2) },
            JavaScriptPattern(.member, .usr) { $0.userState($1, $2) },
            JavaScriptPattern(.member, .hash) { $0.fragment($1, $2) },
            JavaScriptPattern(.call, .pushState, .replaceState) { reader, id, source in
                guard reader.tree.kind(reader.tree.first(id)) == .member else { return }
                reader.result.router.marks.insert(.pushes)
                reader.history(id, source)
            },
            // `options.pushState = true`
            JavaScriptPattern(.assignment, .pushState) { reader, id, source in
                let target = reader.tree.first(id)
                guard reader.isNamed(reader.tree.first(target), .options),
                    reader.value(of: reader.tree.second(id), source) == .boolean(true)
                else { return }
                reader.mark(.aurelia, at: reader.tree.range(reader.tree.second(target)))
            },
            JavaScriptPattern(.node(.exportNamed)) { $0.kitHash($1, $2) },
            JavaScriptPattern(.name, .hashMode) { reader, _, _ in
                reader.result.router.marks.insert(.choosesMode)
            },
            // `mode: "history"`, and `t.mode || "hash"` in the library
            JavaScriptPattern(.property, .mode) { reader, id, source in
                guard reader.isString(reader.tree.second(id), "history", source) else { return }
                reader.result.router.marks.insert(.vueHistoryMode)
            },
            JavaScriptPattern(.member, .mode) { reader, id, source in
                let parent = reader.tree.parent(id)
                guard reader.tree.symbol(parent) == .either, reader.tree.first(parent) == id,
                    reader.isString(reader.tree.second(parent), "hash", source)
                else { return }
                reader.mark(.vueModes, at: reader.tree.range(reader.tree.second(id)))
            },
            JavaScriptPattern(.property, .basename, .basepath) { $0.routerBase($1, $2) },
            // `kit.start(app, element)`
            JavaScriptPattern(.call, .start) { reader, id, source in
                guard reader.isNamed(reader.object(ofCall: id), .kit),
                    reader.tree.argument(id, 1) != 0, reader.tree.argument(id, 2) == 0
                else { return }
                let name = reader.tree.second(reader.tree.first(id))
                reader.mark(.kitStart, at: reader.tree.range(name))
            },
            JavaScriptPattern(.name, .onpopstate) { reader, _, _ in
                reader.result.router.marks.insert(.listens)
            },
            JavaScriptPattern(.name, .tanStackIndex) { reader, id, _ in
                reader.mark(.tanStack, at: reader.tree.range(id))
            },
            // The names of libraries' histories, in code that keeps them.
            JavaScriptPattern(.name, .BrowserRouter, .createBrowserRouter, .createWebHistory) {
                reader, id, _ in
                guard reader.isHistoryUsed(id) else { return }
                reader.mark(.namesPath, at: reader.tree.range(id))
            },
            JavaScriptPattern(
                .name, .HashRouter, .MemoryRouter, .createHashRouter, .createMemoryRouter,
                .createWebHashHistory
            ) { reader, id, _ in
                if reader.isHistoryUsed(id) { reader.result.router.marks.insert(.namesOther) }
            },
        ]

    /// Notes the code of a router; the first place in the script is shown.
    private mutating func mark(_ mark: RouterCode.Marks, at range: Range<Int>) {
        result.router.marks.insert(mark)
        if range.lowerBound < result.router.place?.lowerBound ?? .max {
            result.router.place = range
        }
    }

    /// `ReactRouterDOM.HashRouter`, `createHashRouter(…)`, `h(HashRouter, …)`.
    private func isHistoryUsed(_ id: ID) -> Bool {
        let parent = tree.parent(id)
        switch tree.kind(parent) {
        case .member:
            guard tree.second(parent) == id, tree.name(tree.first(parent)) != .exports else {
                return false
            }
            let owner = tree.parent(parent)
            return tree.kind(owner) != .assignment || tree.first(owner) != parent
        case .call:
            return tree.first(parent) == id || tree.argument(parent, 0) == id && tree.next(id) != 0
        default: return false
        }
    }

    // MARK: - Literals

    /// A string in the code of routers.
    mutating func routerText(_ id: ID, _ bytes: Span<UInt8>, _ source: Span<UInt8>) {
        let parent = tree.parent(id)
        switch bytes.count {
        case 1:
            if bytes[0] == UInt8(ascii: "/"), tree.kind(parent) == .index, tree.second(parent) == id
            {
                result.router.marks.insert(.selectsRoot)
            }
        case 8:
            guard bytes.holds("popstate", at: 0) else { return }
            if tree.kind(parent) == .call, isNamed(tree.first(parent), .addEventListener),
                tree.argument(parent, 0) == id
            {
                result.router.marks.insert(.listens)
            } else if isString(tree.next(id), "pushState", source) {
                mark(.wouter, at: tree.range(id))
            }
        case 10, 11:
            guard bytes.holds("index.html", at: bytes.count &- 10), isEquality(parent) else {
                return
            }
            result.router.marks.insert(.stripsIndex)
        case 45...:
            if bytes.holds("https://github.com/elm/core/blob/1.0.0/hints/", at: 0) {
                mark(.elm, at: tree.range(id))
            }
        default: break
        }
    }

    private func isEquality(_ id: ID) -> Bool {
        switch tree.symbol(id) {
        case .same, .equal, .notSame, .notEqual: tree.kind(id) == .binary
        default: false
        }
    }

    /// A pattern for removing `index.html`: `/\/index.html$/`, `/(?:\/index)?\.html$/`; or the start of
    /// a fragment, in wouter's history of the fragment.
    mutating func routerPattern(_ id: ID, _ source: Span<UInt8>) {
        let literal = tree.bytes(id, source)
        guard let slash = literal.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return }
        let text = literal[1..<slash]
        if text.elementsEqual(#"^#?\/?"#.utf8) { result.router.marks.insert(.fragment) }
        guard (10...40).contains(text.count), text.last == UInt8(ascii: "$"),
            let index = text.firstRange(of: Array("index".utf8)),
            text[index.upperBound...].firstRange(of: Array("html".utf8)) != nil
        else { return }
        result.router.marks.insert(.stripsIndex)
    }

    // MARK: - The path

    private func isLocation(_ id: ID) -> Bool { isNamed(id, .location) }

    /// The forms in which histories read the path.
    private mutating func pathName(_ id: ID, _ source: Span<UInt8>) {
        let object = tree.first(id)
        let parent = tree.parent(id)
        let isFirst = tree.first(parent) == id
        if isFirst, tree.symbol(parent) == .add, tree.memberName(tree.second(parent)) == .search {
            joinedLocation(parent, object, source)
        } else if isFirst, tree.symbol(parent) == .either,
            tree.kind(tree.second(parent)) == .string,
            tree.symbol(tree.parent(parent)) == .add
        {
            // preact-router: `(url.pathname || "") + (url.search || "")`
            result.router.marks.insert(.readsPath)
        }
        guard isLocation(object), tree.kind(parent) != .assignment || !isFirst else { return }
        mark(.readsPath, at: tree.range(tree.second(id)))
        // The location of the page, not of a router.
        var isPage = tree.kind(object) == .identifier
        switch tree.name(tree.first(object)) {
        case .window, .document, .self: isPage = true
        default: break
        }
        let isSelector =
            tree.kind(parent) == .index && !isFirst
            || tree.kind(parent) == .switchStatement && isFirst
        if isPage && isSelector || isEquality(parent) && (isPage || isFirst) {
            result.router.marks.insert(.selectsByPath)
        }
    }

    /// `location.pathname + location.search`, perhaps with the fragment.
    private mutating func joinedLocation(_ sum: ID, _ object: ID, _ source: Span<UInt8>) {
        let parent = tree.parent(sum)
        if tree.symbol(parent) == .add, tree.first(parent) == sum,
            tree.memberName(tree.second(parent)) == .hash
        {
            // `i = window.location, a = i.pathname + i.search + i.hash`, of `history` 4.
            let function = tree.functionScope(of: sum)
            guard isLocation(object) || contains(.location, in: function) else { return }
            if containsMember(.state, in: function, before: tree[sum].start) {
                mark(.history4, at: tree.range(tree.next(object)))
            } else if isLocation(object) || isLocation(declared(object)) {
                result.router.marks.insert(.readsPath)
            }
            return
        }
        // Vue Router: `location.host ? base || location.pathname + location.search : ""`
        var node = sum
        while tree.symbol(tree.parent(node)) == .either { node = tree.parent(node) }
        let choice = tree.parent(node)
        if isLocation(object), tree.kind(choice) == .conditional, tree.second(choice) == node,
            tree.kind(tree.third(choice)) == .string
        {
            result.router.marks.insert(.fragment)
        }
    }

    /// The expression that a name is declared with; 0 if there is none.
    private mutating func declared(_ id: ID) -> ID {
        guard let binding = evaluator.scopes.binding(of: id) else { return 0 }
        return evaluator.scopes.value(of: binding) ?? 0
    }

    private func containsMember(_ name: JavaScriptName, in id: ID, before end: UInt32) -> Bool {
        let start = tree[id].start
        var node = id
        while node > 0, tree[node].start >= start {
            if tree[node].start < end, tree.memberName(node) == name { return true }
            node -= 1
        }
        return false
    }

    /// Vue Router: `const {pathname: n, search: o, hash: r} = t, a = e.indexOf("#")`.
    private mutating func destructuredLocation(_ id: ID, _ source: Span<UInt8>) {
        let declarator = tree.parent(tree.parent(id))
        guard tree.kind(declarator) == .declarator, tree.first(declarator) == tree.parent(id) else {
            return
        }
        var next = tree.next(declarator)
        if next == 0 { next = tree.first(tree.next(tree.parent(declarator))) }
        let call = tree.second(next)
        guard tree.kind(call) == .call, tree.memberName(tree.first(call)) == .indexOf,
            isString(tree.argument(call, 0), "#", source)
        else { return }
        mark(.vue, at: tree.range(tree.first(id)))
    }

    /// The state of React Router's histories: `state.usr`.
    ///
    /// The function around it reads either `location.pathname`, or a part of `location.hash`.
    private mutating func userState(_ id: ID, _ source: Span<UInt8>) {
        // `history.state && history.state.usr || null`
        var value = id
        if tree.symbol(tree.parent(id)) == .both { value = tree.parent(id) }
        guard tree.symbol(tree.parent(value)) == .either, tree.first(tree.parent(value)) == value
        else { return }
        let function = tree.functionScope(of: id)
        let start = tree[function].start
        var readsPath = false
        var node = function
        while node > 0, tree[node].start >= start {
            if tree.memberName(node) == .hash {
                switch tree.memberName(tree.parent(node)) {
                case .substr, .substring, .slice:
                    result.router.marks.insert(.fragment)
                    return
                default: break
                }
            }
            if tree.name(node) == .pathname, tree[node].start < tree[id].start { readsPath = true }
            node -= 1
        }
        if readsPath { mark(.react, at: tree.range(tree.second(id))) }
    }

    /// `location.hash.slice(1)`.
    private mutating func fragment(_ id: ID, _ source: Span<UInt8>) {
        let member = tree.parent(id)
        guard isLocation(tree.first(id)), tree.kind(member) == .member, tree.first(member) == id
        else { return }
        switch tree.memberName(member) {
        case .split:
            guard isString(tree.argument(tree.parent(member), 0), "#", source) else { return }
            result.router.marks.insert([.splitsFragment, .readsFragment])
        case .slice, .substr, .substring, .replace: result.router.marks.insert(.readsFragment)
        default: break
        }
    }

    /// SvelteKit's client: `Jt = !0, …; export {…, Jt as hash, …}`.
    private mutating func kitHash(_ id: ID, _ source: Span<UInt8>) {
        for specifier in tree.children(id)
        where tree.kind(specifier) == .exportSpecifier && tree.name(tree.second(specifier)) == .hash
        {
            if value(of: declared(tree.first(specifier)), source) == .boolean(true) {
                result.router.marks.insert(.kitFragment)
            }
        }
    }

    private mutating func routerBase(_ id: ID, _ source: Span<UInt8>) {
        let value = tree.second(id)
        if tree.kind(value) == .string {
            let text = tree.text(value, source)
            if !text.isEmpty, text != [UInt8(ascii: "/")] { result.router.base = text }
            return
        }
        // A name has the value of a constant, and no constant is the name of the launch page.
        var name = value
        while tree.first(name) != 0, !tree.kind(name).isFunction { name = tree.first(name) }
        guard tree.kind(name) == .identifier else { return }
        while name != value, tree.kind(tree.parent(name)) == .member { name = tree.parent(name) }
        guard name != value else { return }
        let parent = tree.parent(name)
        let symbol = tree.symbol(parent)
        if tree.kind(parent) == .call || symbol == .either || symbol == .missing {
            result.router.hasUnreadBase = true
        }
    }
}
