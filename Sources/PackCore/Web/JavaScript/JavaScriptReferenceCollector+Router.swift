/// The code of routers: the parts reading the address.
extension JavaScriptReferenceCollector {
    /// A name in the code of routers.
    mutating func router(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        let length = token.end &- token.start
        switch source[token.start] {
        case UInt8(ascii: "p") where length == 4:
            if token.is("path", in: source), at(1, ":", source) { route(source) }
        case UInt8(ascii: "p") where length == 8:
            if token.is("pathname", in: source) { pathName(token, source) }
        case UInt8(ascii: "p") where length == 9:
            if token.is("pushState", in: source) { pushes(source) }
        case UInt8(ascii: "r") where length == 12:
            if token.is("replaceState", in: source) { pushes(source) }
        case UInt8(ascii: "u") where length == 3:
            if token.is("usr", in: source) { userState(token, source) }
        case UInt8(ascii: "h") where length == 4:
            if token.is("hash", in: source) { hash(source) }
        case UInt8(ascii: "h") where length == 8:
            if token.is("hashMode", in: source) { result.router.marks.insert(.choosesMode) }
        case UInt8(ascii: "m") where length == 4:
            if token.is("mode", in: source) { vueMode(source) }
        case UInt8(ascii: "b") where length == 8:
            if token.is("basename", in: source) || token.is("basepath", in: source) {
                routerBase(source)
            }
        case UInt8(ascii: "s") where length == 5:
            if token.is("start", in: source), at(-2, "kit", source), at(1, "(", source),
                at(3, ",", source), at(5, ")", source)
            {
                mark(.kitStart, at: token.range)
            }
        case UInt8(ascii: "o") where length == 10:
            if token.is("onpopstate", in: source) { result.router.marks.insert(.listens) }
        case UInt8(ascii: "_") where length == 11:
            if token.is("__TSR_index", in: source) { mark(.tanStack, at: token.range) }
        case UInt8(ascii: "B"), UInt8(ascii: "H"), UInt8(ascii: "M"), UInt8(ascii: "c"):
            if length >= 10 { namedHistory(token, source) }
        default: break
        }
    }

    private mutating func mark(_ mark: RouterCode.Marks, at range: Range<Int>) {
        result.router.marks.insert(mark)
        if result.router.place == nil { result.router.place = range }
    }

    /// A string in the code of routers.
    mutating func routerText(_ bytes: Span<UInt8>, _ source: Span<UInt8>) {
        switch bytes.count {
        case 1:
            if bytes[0] == UInt8(ascii: "/"), at(-1, "[", source), at(1, "]", source) {
                result.router.marks.insert(.selectsRoot)
            }
        case 8:
            guard bytes.holds("popstate", at: 0) else { return }
            if at(-1, "(", source), at(-2, "addEventListener", source) {
                result.router.marks.insert(.listens)
            } else if at(1, ",", source), window[2].kind == .string,
                source.extracting(window[2].content(in: source)).holds("pushState", at: 0)
            {
                mark(.wouter, at: window[0].range)
            }
        case 10, 11:
            guard bytes.holds("index.html", at: bytes.count &- 10) else { return }
            if isEquality(-1, source) || isEquality(1, source) {
                result.router.marks.insert(.stripsIndex)
            }
        case 45...:
            if bytes.holds("https://github.com/elm/core/blob/1.0.0/hints/", at: 0) {
                mark(.elm, at: window[0].range)
            }
        default: break
        }
    }

    private func isEquality(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        at(offset, "===", source) || at(offset, "==", source) || at(offset, "!==", source)
            || at(offset, "!=", source)
    }

    /// A pattern for removing `index.html`: `/\/index.html$/`, `/(?:\/index)?\.html$/`; or the
    /// start of a fragment, in wouter's history of the fragment.
    mutating func routerPattern(_ bytes: Span<UInt8>) {
        if bytes.count == 6, bytes.holds(#"^#?\/?"#, at: 0) {
            result.router.marks.insert(.fragment)
        }
        guard (10...40).contains(bytes.count), bytes[bytes.count &- 1] == UInt8(ascii: "$") else {
            return
        }
        var hasIndex = false
        for index in 0..<bytes.count {
            if bytes.holds("index", at: index) { hasIndex = true }
            if hasIndex, bytes.holds("html", at: index) {
                result.router.marks.insert(.stripsIndex)
                return
            }
        }
    }

    private mutating func pushes(_ source: Span<UInt8>) {
        if at(-1, ".", source), at(1, "(", source) { result.router.marks.insert(.pushes) }
        if at(-2, "options", source), at(1, "=", source), isTrue(2, source) {
            mark(.aurelia, at: window[0].range)
        }
    }

    private func isTrue(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        if at(offset, "true", source) { return true }
        let number = window[offset + 1]
        return at(offset, "!", source) && number.kind == .number
            && number.end &- number.start == 1 && source[number.start] == UInt8(ascii: "0")
    }

    // MARK: - The path

    /// The forms in which histories read the path.
    private mutating func pathName(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if at(-1, "{", source) { return destructuredLocation(token, source) }
        guard at(-1, ".", source) else { return }
        let isLocation = at(-2, "location", source)
        if at(1, "+", source), at(4, "search", source) {
            if isLocation, at(5, ":", source), window[6].kind == .string {
                // Vue Router: `location.host ? base || location.pathname + location.search : ""`
                result.router.marks.insert(.fragment)
            } else if at(5, "+", source), at(8, "hash", source) {
                joinedLocation(token, source)
            }
        } else if at(1, "||", source), window[2].kind == .string, at(3, ")", source),
            at(4, "+", source)
        {
            // preact-router: `(url.pathname || "") + (url.search || "")`
            result.router.marks.insert(.readsPath)
        }
        guard isLocation, !isAssignment(1, source) else { return }
        result.router.marks.insert(.readsPath)
        if result.router.place == nil { result.router.place = token.range }
        let start = isGlobalObject(-4, source) && at(-3, ".", source) ? -5 : -3
        if at(start, "[", source) && at(1, "]", source)
            || isEquality(1, source) || isEquality(start, source)
            || at(start, "(", source) && at(start - 1, "switch", source)
        {
            result.router.marks.insert(.selectsByPath)
        }
    }

    private func isGlobalObject(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        at(offset, "window", source) || at(offset, "document", source)
            || at(offset, "self", source)
    }

    /// Vue Router: `const {pathname: n, search: o, hash: r} = t, a = e.indexOf("#")`.
    private mutating func destructuredLocation(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard let close = (1...14).first(where: { at($0, "}", source) }), at(close + 1, "=", source)
        else { return }
        for offset in close + 2...close + 14 where at(offset, "indexOf", source) {
            let text = window[offset + 2]
            if text.kind == .string, text.end &- text.start == 3,
                source[text.start &+ 1] == UInt8(ascii: "#")
            {
                return mark(.vue, at: token.range)
            }
        }
    }

    /// `i = window.location, a = i.pathname + i.search + i.hash`, of `history` 4.
    private mutating func joinedLocation(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        var readsState = false
        for offset in 2...24 {
            if at(-offset, "state", source), at(-offset - 1, ".", source) { readsState = true }
        }
        guard (2...24).contains(where: { at(-$0, "location", source) }) else { return }
        if readsState {
            mark(.history4, at: token.range)
        } else {
            result.router.marks.insert(.readsPath)
        }
    }

    /// The state of React Router's histories: `state.usr`.
    ///
    /// The code before it reads either `location.pathname`, or a part of `location.hash`.
    private mutating func userState(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, ".", source), at(1, "||", source) else { return }
        var readsPath = false
        for offset in 2...110 {
            if at(-offset, "hash", source), at(1 - offset, ".", source),
                at(2 - offset, "substr", source) || at(2 - offset, "substring", source)
                    || at(2 - offset, "slice", source)
            {
                result.router.marks.insert(.fragment)
                return
            }
            if at(-offset, "pathname", source) { readsPath = true }
        }
        if readsPath { mark(.react, at: token.range) }
    }

    private mutating func hash(_ source: Span<UInt8>) {
        if at(-1, "as", source), window[-2].kind == .identifier {
            return kitHash(window[-2], source)
        }
        guard at(-1, ".", source), at(-2, "location", source), at(1, ".", source) else { return }
        if at(2, "split", source), window[4].kind == .string,
            value(window[4], source) == [UInt8(ascii: "#")]
        {
            result.router.marks.insert([.splitsFragment, .readsFragment])
        } else if at(2, "slice", source) || at(2, "substr", source) || at(2, "substring", source)
            || at(2, "replace", source)
        {
            result.router.marks.insert(.readsFragment)
        }
    }

    /// SvelteKit's client: `Jt = !0, …; export {…, Jt as hash, …}`.
    private mutating func kitHash(_ name: JavaScriptToken, _ source: Span<UInt8>) {
        for offset in 3...400 where at(-offset, "=", source) {
            let before = window[-offset - 1]
            guard before.kind == .identifier,
                before.range.elementsEqual(name.range, by: { source[$0] == source[$1] })
            else { continue }
            if isTrue(1 - offset, source) { result.router.marks.insert(.kitFragment) }
            return
        }
    }

    /// `mode: "history"`, and `t.mode || "hash"` in the library.
    private mutating func vueMode(_ source: Span<UInt8>) {
        guard window[2].kind == .string else { return }
        let text = source.extracting(window[2].content(in: source))
        if at(1, ":", source), text.count == 7, text.holds("history", at: 0) {
            result.router.marks.insert(.vueHistoryMode)
        } else if at(1, "||", source), text.count == 4, text.holds("hash", at: 0) {
            mark(.vueModes, at: window[0].range)
        }
    }

    private mutating func routerBase(_ source: Span<UInt8>) {
        guard at(1, ":", source), at(-1, "{", source) || at(-1, ",", source) else { return }
        if window[2].kind == .string, !at(3, "+", source) {
            let text = value(window[2], source)
            if !text.isEmpty, text != [UInt8(ascii: "/")] { result.router.base = text }
            return
        }
        // A name has the value of a constant, and no constant is the name of the launch page.
        guard window[2].kind == .identifier else { return }
        var end = 3
        while end < 11, at(end, ".", source) || at(end, "?.", source) { end += 2 }
        if at(end, "(", source) || at(end, "||", source) || at(end, "??", source) {
            result.router.hasUnreadBase = true
        }
    }

    // MARK: - Named histories

    private static let pathHistories: [StaticString] = [
        "BrowserRouter", "createBrowserRouter", "createWebHistory",
    ]
    private static let otherHistories: [StaticString] = [
        "HashRouter", "MemoryRouter", "createHashRouter", "createMemoryRouter",
        "createWebHashHistory",
    ]

    /// A use of a library's name, in code with its names kept: `ReactRouterDOM.HashRouter`,
    /// `createHashRouter(…)`.
    private mutating func namedHistory(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        let isMember = at(-1, ".", source) && !at(1, "=", source) && !at(-2, "exports", source)
        let isCall = at(1, "(", source) && !at(-1, "function", source) && !at(-1, ".", source)
        let isElement = at(-1, "(", source) && at(1, ",", source)
        guard isMember || isCall || isElement, !token.traits.contains(.isMemberName) else { return }
        if Self.pathHistories.contains(where: { token.is($0, in: source) }) {
            mark(.namesPath, at: token.range)
        } else if Self.otherHistories.contains(where: { token.is($0, in: source) }) {
            result.router.marks.insert(.namesOther)
        }
    }
}
