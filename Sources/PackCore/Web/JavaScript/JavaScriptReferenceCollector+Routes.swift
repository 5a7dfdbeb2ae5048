/// Tables of routes.
extension JavaScriptReferenceCollector {
    /// The keys beside the pattern of a route.
    private static let routeKeys: [StaticString] = [
        "element", "Component", "component", "components", "lazy", "children", "loader", "redirect",
        "redirectTo", "loadChildren", "loadComponent", "render", "getParentRoute", "exact",
        "beforeEnter", "parentId", "errorElement", "routes",
    ]

    /// The largest distance between a pattern and another key, in tokens.
    private static let farthestKey = 240

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
    mutating func route(_ source: Span<UInt8>) {
        guard at(-1, "{", source) || at(-1, ",", source) else { return }
        var object = RouteObject()
        readKeys(before: -1, into: &object, source)
        let isLiteral =
            window[2].kind == .string && (at(3, ",", source) || at(3, "}", source))
        readKeys(after: isLiteral ? 3 : 2, into: &object, source)
        // preact-router: `h(Home, {path: "/"})`
        let isProperty =
            object.isAlone && isLiteral && at(-1, "{", source) && at(-2, ",", source)
            && window[-3].kind == .identifier && at(4, ")", source) && isCallee(-4, source)
        guard object.isRoute || isProperty else { return }
        guard isLiteral else {
            if isUnread(source) { result.router.unreadRoutes += 1 }
            return
        }
        addRoute(
            value(window[2], source), window[2].content(in: source), object, .object,
            source)
    }

    /// Whether the pattern is computed, or the member of an object of constants.
    ///
    /// A name and `route.path` also occur in the code of routers.
    private func isUnread(_ source: Span<UInt8>) -> Bool {
        if window[2].kind == .templateStart { return true }
        guard window[2].kind == .identifier else { return window[2].kind == .string }
        var end = 3
        while end < 11, at(end, ".", source) || at(end, "?.", source) { end += 2 }
        if at(end, "(", source) || at(end, "+", source) { return true }
        return end > 3 && !at(end - 1, "path", source) && !at(end - 1, "pathname", source)
            && (at(end, ",", source) || at(end, "}", source))
    }

    /// Whether `(` at the offset opens the arguments of a call, with the component as the first.
    private func isCallee(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        at(offset, "(", source)
            || at(offset, ".", source) && window[offset - 1].kind == .identifier
                && at(offset - 2, "(", source)
    }

    /// `"/users/[id]": [4, [2]]` of SvelteKit, `"/about": e` of other code, and a quoted `"path"`.
    mutating func routeKey(_ bytes: Span<UInt8>, _ source: Span<UInt8>) {
        guard bytes.count > 0, at(1, ":", source) else { return }
        if bytes.count == 4, bytes.holds("path", at: 0) { return route(source) }
        guard bytes[0] == UInt8(ascii: "/"), bytes.count < 200 else { return }
        let target = window[2]
        let isNumbered = at(2, "[", source) && window[3].kind == .number
        let isNamed =
            target.kind == .identifier && (at(3, ",", source) || at(3, "}", source))
        let isFunction =
            at(2, "(", source) && at(3, ")", source) && at(4, "=>", source)
            || at(2, "function", source)
        guard isNumbered || isNamed || isFunction else { return }
        addRoute(
            value(window[0], source), window[0].content(in: source), RouteObject(),
            isNumbered ? .numbered : .key, source)
    }

    private mutating func addRoute(
        _ pattern: [UInt8], _ range: Range<Int>, _ object: RouteObject,
        _ form: RouterCode.Route.Form, _ source: Span<UInt8>
    ) {
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
                pattern: pattern, range: range, component: object.component,
                redirects: object.redirects, isExact: object.isExact, form: form,
                objects: form == .object ? openBraces(source) : []))
    }

    /// The positions of the innermost braces around the current token.
    private func openBraces(_ source: Span<UInt8>) -> [Int] {
        brackets.filter { source[$0] == UInt8(ascii: "{") }.suffix(12)
    }

    /// Reads the keys behind an offset, up to the end of the object.
    private func readKeys(
        after start: Int, into object: inout RouteObject, _ source: Span<UInt8>
    ) {
        var depth = 0
        var offset = start
        while offset < start + Self.farthestKey {
            let token = window[offset]
            if token.kind == .end { return }
            if isOpening(offset, source) {
                depth += 1
            } else if isClosing(offset, source) {
                if depth == 0 { return }
                depth -= 1
            } else if depth == 0, at(offset, ",", source) {
                readKey(offset + 1, into: &object, source)
            }
            offset += 1
        }
    }

    /// Reads the keys in front of an offset, back to the start of the object.
    private func readKeys(
        before end: Int, into object: inout RouteObject, _ source: Span<UInt8>
    ) {
        var depth = 0
        var offset = end
        while offset > end - Self.farthestKey {
            let token = window[offset]
            if token.kind == .end { return }
            if isClosing(offset, source) {
                depth += 1
            } else if isOpening(offset, source) {
                if depth == 0 {
                    if at(offset, "{", source), offset < end {
                        readKey(offset + 1, into: &object, source)
                    }
                    return
                }
                depth -= 1
            } else if depth == 0, at(offset, ",", source), offset < end {
                readKey(offset + 1, into: &object, source)
            }
            offset -= 1
        }
    }

    private func isOpening(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        at(offset, "{", source) || at(offset, "(", source) || at(offset, "[", source)
            || window[offset].kind == .templateStart
                && !window[offset].traits.contains(.endsTemplate)
    }

    private func isClosing(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        at(offset, "}", source) || at(offset, ")", source) || at(offset, "]", source)
            || window[offset].kind == .templateContinuation
                && window[offset].traits.contains(.endsTemplate)
    }

    private func readKey(
        _ offset: Int, into object: inout RouteObject, _ source: Span<UInt8>
    ) {
        let key = window[offset]
        guard at(offset + 1, ":", source) || at(offset + 1, "(", source) else { return }
        object.isAlone = false
        let name: Range<Int> = key.kind == .string ? key.content(in: source) : key.range
        let text = source.extracting(name)
        guard
            let known = Self.routeKeys.first(where: {
                text.count == $0.utf8CodeUnitCount && text.holds($0, at: 0)
            })
        else { return }
        object.isRoute = true
        switch known.utf8CodeUnitCount {
        case 5 where text.holds("exact", at: 0):
            object.isExact = !at(offset + 2, "false", source) && !isOne(offset + 3, source)
        case 7 where text.holds("element", at: 0): readElement(offset + 2, into: &object, source)
        case 8 where text.holds("redirect", at: 0): object.redirects = true
        case 8 where text.holds("children", at: 0) && object.component == nil:
            readElement(offset + 2, into: &object, source)
        case 9 where text.holds("omponent", at: 1):
            let end = offset + 3
            if window[offset + 2].kind == .identifier,
                at(end, ",", source) || at(end, "}", source)
            {
                object.component = self.text(window[offset + 2], source)
            }
        case 10 where text.holds("redirectTo", at: 0): object.redirects = true
        default: break
        }
    }

    /// The number of `!1`.
    private func isOne(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        let number = window[offset]
        return number.kind == .number && number.end &- number.start == 1
            && source[number.start] == UInt8(ascii: "1")
    }

    /// `(0, e.jsx)(Page, {to: "/"})`: the components, and whether the first has an address to open.
    private func readElement(
        _ start: Int, into object: inout RouteObject, _ source: Span<UInt8>
    ) {
        var depth = 0
        var names: [String] = []
        for offset in start..<start + 80 {
            if isOpening(offset, source) {
                depth += 1
                guard at(offset, "(", source), window[offset + 1].kind == .identifier else {
                    continue
                }
                var end = offset + 2
                while at(end, ".", source), end < offset + 8 { end += 2 }
                if at(end, ",", source) || at(end, ")", source) {
                    names.append(text(window[end - 1], source))
                }
            } else if isClosing(offset, source) {
                if depth == 0 { break }
                depth -= 1
            } else if depth == 0, at(offset, ",", source) {
                break
            } else if names.count == 1, at(offset, "to", source), at(offset + 1, ":", source) {
                object.redirects = true
            }
        }
        if !names.isEmpty { object.component = names.joined(separator: " ") }
    }
}
