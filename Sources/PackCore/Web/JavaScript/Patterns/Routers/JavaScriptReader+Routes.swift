/// Tables of routes.
extension JavaScriptReader {
    /// The keys beside the pattern of a route.
    private static let routeKeys: Set<JavaScriptName> = [
        .element, .Component, .component, .components, .lazy, .children, .loader, .redirect,
        .redirectTo, .loadChildren, .loadComponent, .render, .getParentRoute, .exact, .beforeEnter,
        .parentId, .errorElement, .routes,
    ]

    /// What the object around a pattern contains.
    private struct RouteObject {
        var isRoute = false
        var component: String?
        var redirects = false
        var isExact = false
        /// Whether no other key precedes or follows.
        var isAlone = true
    }

    /// The key `path` of an object.
    mutating func route(_ id: ID, _ source: Span<UInt8>) {
        let object = tree.parent(id)
        let value = tree.second(id)
        guard tree.kind(object) == .object,
            tree[id].flags.isDisjoint(with: [.shorthand, .isMethod])
        else { return }
        var found = RouteObject()
        for other in tree.children(object) where other != id && tree.kind(other) == .property {
            guard bundle.routeBudget > 0 else { break }
            bundle.routeBudget -= 1
            readKey(other, into: &found, source)
        }
        // preact-router: `h(Home, {path: "/"})`
        let call = tree.parent(object)
        let component = tree.argument(call, 0)
        let isProperty =
            found.isAlone && tree.kind(value) == .string && tree.kind(call) == .call
            && tree.argument(call, 1) == object && tree.next(object) == 0
            && (tree.kind(component) == .identifier || tree.kind(component) == .member)
        guard found.isRoute || isProperty else { return }
        guard tree.kind(value) == .string else {
            if isUnread(value) { result.router.unreadRoutes += 1 }
            return
        }
        addRoute(value, found, .object, source)
    }

    /// Whether the pattern is computed, or the member of an object of constants.
    ///
    /// A name and `route.path` also occur in the code of routers.
    private func isUnread(_ value: ID) -> Bool {
        switch tree.kind(value) {
        case .template: return true
        case .member:
            let name = tree.memberName(value)
            return name != .path && name != .pathname
        case .call:
            var name = value
            while tree.kind(name) == .call || tree.kind(name) == .member { name = tree.first(name) }
            return tree.kind(name) == .identifier || tree.kind(name) == .string
        case .binary where tree.symbol(value) == .add:
            let first = firstOperand(of: value)
            return tree.kind(first) != .number && tree.kind(first) != .template
        default: return false
        }
    }

    /// `"/users/[id]": [4, [2]]` of SvelteKit, and `"/about": e` of other code.
    mutating func routeKey(_ id: ID, _ source: Span<UInt8>) {
        let property = tree.parent(id)
        let content = tree.content(id)
        guard tree.kind(property) == .property, !content.isEmpty, content.count < 200,
            source[content.lowerBound] == UInt8(ascii: "/"),
            !tree[property].flags.contains(.isMethod)
        else { return }
        let target = tree.second(property)
        switch tree.kind(target) {
        case .array where tree.kind(tree.first(target)) == .number:
            addRoute(id, RouteObject(), .numbered, source)
        case .identifier, .functionExpression: addRoute(id, RouteObject(), .key, source)
        case .arrowFunction where tree.first(tree.first(target)) == 0:
            addRoute(id, RouteObject(), .key, source)
        default: break
        }
    }

    private mutating func addRoute(
        _ literal: ID, _ object: RouteObject, _ form: RouterCode.Route.Form, _ source: Span<UInt8>
    ) {
        let pattern = tree.text(literal, source)
        // Paths of drawings and of files have other characters.
        guard pattern.count < 200,
            !pattern.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: ",") })
        else { return }
        guard result.router.routes.count < RouterCode.mostRoutes else {
            result.router.unreadRoutes += 1
            return
        }
        result.router.routes.append(
            RouterCode.Route(
                pattern: pattern, range: tree.content(literal), component: object.component,
                redirects: object.redirects, isExact: object.isExact, form: form,
                objects: form == .object ? objects(around: literal) : []))
    }

    /// The positions of the innermost objects and blocks around a node, the nearest last.
    private func objects(around id: ID) -> [Int] {
        var found: [Int] = []
        var node = tree.parent(id)
        while node != 0, found.count < 12 {
            if tree.kind(node) == .object { found.append(tree.start(node)) }
            node = tree.parent(node)
        }
        return found.reversed()
    }

    private mutating func readKey(
        _ property: ID, into object: inout RouteObject, _ source: Span<UInt8>
    ) {
        guard !tree[property].flags.contains(.shorthand) else { return }
        object.isAlone = false
        let key = tree.first(property)
        let name =
            tree.kind(key) == .string
            ? JavaScriptNames.known(tree.text(key, source).span) : tree.name(key)
        guard let name, Self.routeKeys.contains(name) else { return }
        object.isRoute = true
        let value = tree.second(property)
        switch name {
        case .exact: object.isExact = !isFalse(value, source)
        case .redirect, .redirectTo: object.redirects = true
        case .element: readElement(value, into: &object, source)
        case .children where object.component == nil: readElement(value, into: &object, source)
        case .component, .Component:
            if tree.kind(value) == .identifier { object.component = text(value, source) }
        default: break
        }
    }

    /// `(0, e.jsx)(Page, {to: "/"})`: the components, and whether the first has an address to open.
    private func readElement(
        _ value: ID, into object: inout RouteObject, _ source: Span<UInt8>
    ) {
        var names: [String] = []
        var open = [value]
        var steps = 0
        while let node = open.popLast(), steps < 120 {
            steps += 1
            if tree.kind(node) == .call {
                var name = tree.argument(node, 0)
                if tree.kind(name) == .member { name = tree.second(name) }
                if tree.kind(name) == .identifier { names.append(text(name, source)) }
            }
            if tree.kind(node) == .property, names.count == 1, tree.name(tree.first(node)) == .to {
                object.redirects = true
            }
            open += Array(tree.children(node)).reversed()
        }
        if !names.isEmpty { object.component = names.joined(separator: " ") }
    }
}
