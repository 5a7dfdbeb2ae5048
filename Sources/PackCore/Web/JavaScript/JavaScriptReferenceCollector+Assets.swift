/// Code that loads the file at a given address.
extension JavaScriptReferenceCollector {
    /// `x.src = "…"`, and `src: "…"` among an element's properties.
    mutating func source(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if at(1, "=", source) {
            guard at(-1, ".", source) else { return }
            if scriptAddress(source) { return }
            if isAddress(2, source) || composed(2, source) != nil {
                asset(token, argument: 2, source)
            } else {
                blobSource(token, source)
                unreadElement(token, source)
            }
            return
        }
        guard at(1, ":", source), token.traits.contains(.isMemberName) else { return }
        if isLiteral(2), isElementProperty(source) {
            asset(token, argument: 2, source)
        } else if at(2, "[", source), at(-1, "{", source) {
            // `new Howl({src: ["a.webm", "a.mp3"]})`: the first format that the engine can play.
            guard at(-3, "Howl", source), window[3].kind == .string else { return }
            asset(token, argument: 3, source)
        }
    }

    /// `x.srcset = "…"`: each candidate.
    mutating func sourceSet(_ token: JavaScriptToken, argument: Int, _ source: Span<UInt8>) {
        let literal = window[argument]
        guard literal.kind == .string, extent(at: argument, source) == .whole,
            !literal.traits.contains(.escaped)
        else { return }
        claim(to: literal.end)
        let content = literal.content(in: source)
        let isGuarded = isAssetGuarded(source)
        for candidate in SrcsetCandidate.parse(value(literal, source)) where candidate.isValid {
            let range =
                content.lowerBound &+ candidate.url.lowerBound..<content.lowerBound
                &+ candidate.url.upperBound
            note(
                JavaScriptReference(
                    .asset, range: range, expression: token.start..<literal.end,
                    value: range.map { source[$0] }, extent: .whole, detail: "srcset",
                    isGuarded: isGuarded))
        }
    }

    /// `link.href = "….css"`; other objects with this property are links and URLs.
    mutating func hypertextReference(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, ".", source), at(1, "=", source), !at(-2, "location", source) else { return }
        guard isLiteral(2) else { return unreadElement(token, source) }
        guard hasEnding(window[2], ["css"], source) else { return }
        asset(token, argument: 2, source)
    }

    /// `setAttribute("src", "…")`, and `attr` and `prop` of jQuery.
    mutating func setAttribute(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, ".", source), at(1, "(", source), window[2].kind == .string,
            at(3, ",", source)
        else { return }
        if token.is("setAttribute", in: source),
            value(window[2], source).elementsEqual("style".utf8)
        {
            return styleAttribute(token, source)
        }
        guard isLiteral(4) else { return }
        let name = source.extracting(window[2].content(in: source))
        switch name.count {
        case 3 where name.holds("src", at: 0), 6 where name.holds("poster", at: 0):
            asset(token, argument: 4, source)
        case 4 where name.holds("href", at: 0):
            if hasEnding(window[4], ["css"], source) { asset(token, argument: 4, source) }
        case 6 where name.holds("srcset", at: 0):
            sourceSet(token, argument: 4, source)
        case 10 where name.holds("xlink:href", at: 0): asset(token, argument: 4, source)
        default: break
        }
    }

    /// `new Audio("…")`, `audioWorklet.addModule("…")`.
    mutating func assetCall(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, "(", source), isLiteral(2) else { return }
        asset(token, argument: 2, source)
    }

    /// `lottie.loadAnimation({path: "…"})`.
    mutating func animation(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, "(", source), let path = member("path", ofObjectAt: 2, source), isLiteral(path)
        else { return }
        asset(token, argument: path, source)
    }

    /// Whether the current literal follows an attribute's name in a list.
    ///
    /// Angular compiles its templates to such lists: `["alt", "", "src", "assets/logo.png"]`.
    func isAttributeValue(_ source: Span<UInt8>) -> Bool {
        guard at(-1, ",", source), window[-2].kind == .string, window[0].kind == .string,
            at(1, ",", source) || at(1, "]", source),
            at(-3, ",", source) || at(-3, "[", source)
        else { return false }
        let name = source.extracting(window[-2].content(in: source))
        guard
            name.count == 3 && name.holds("src", at: 0)
                || name.count == 6 && name.holds("poster", at: 0)
        else { return false }
        return opening(from: -2, limit: 48, source).map { at($0, "[", source) } ?? false
    }

    mutating func listedAttribute(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        asset(token, argument: 0, source)
    }

    /// Records the literal at an offset as a loaded file.
    ///
    /// An address without a file extension may be generated by a server, so it is recorded as a
    /// literal.
    mutating func asset(
        _ token: JavaScriptToken, argument: Int, _ source: Span<UInt8>
    ) {
        let literal = window[argument]
        guard literal.start >= mapEnd, isFile(argument, source) else { return }
        // `x.src = …`, `x.setAttribute("src", …)`: the element can have a handler.
        let isMember = at(-1, ".", source)
        var reach = reach(
            callAt: at(1, "(", source) && !isMember ? 1 : nil, object: isMember ? -2 : nil, source)
        if reach == .needed { reach = isMember ? chainedHandler(source) : siblingHandler(source) }
        note(
            .asset, from: token.start, argument: argument, source, detail: text(token, source),
            isGuarded: reach == .guarded, isTried: reach == .tried)
    }

    /// The handler among the properties of the current element: `{src: "…", onError: …}`, and
    /// `attrs: {src: "…"}, on: {error: …}` of Vue 2.
    private func siblingHandler(_ source: Span<UInt8>) -> Reach {
        guard at(1, ":", source), let brace = opening(from: -1, limit: 96, source),
            at(brace, "{", source)
        else { return .needed }
        for name in ["onError", "onerror"] as [StaticString] {
            if let start = member(name, ofObjectAt: brace, source) { return handler(start, source) }
        }
        guard at(brace - 1, ":", source), let outer = opening(from: brace - 1, limit: 96, source),
            let events = member("on", ofObjectAt: outer, source),
            let start = member("error", ofObjectAt: events, source)
        else { return .needed }
        return handler(start, source)
    }

    /// The handler in the call before the current one: `$(x).on("error", …).attr("src", …)`.
    private func chainedHandler(_ source: Span<UInt8>) -> Reach {
        guard at(-2, ")", source), let open = opening(from: -3, limit: 200, source),
            Self.isAny(window[open - 1], ["on", "one", "bind"], source),
            window[open + 1].kind == .string, at(open + 2, ",", source),
            value(window[open + 1], source).elementsEqual("error".utf8)
        else { return .needed }
        return handler(open + 3, source)
    }

    /// Whether an argument is the complete address of a file, or an image as `data:` URL.
    mutating func isFile(_ argument: Int, _ source: Span<UInt8>) -> Bool {
        if let composed = composed(argument, source) {
            return composed.values.allSatisfy { namesFile($0.span) }
        }
        if isJoined(argument, source) { return true }
        let content = window[argument].content(in: source)
        return isLiteral(argument) && extent(at: argument, source) == .whole
            && (namesFile(source.extracting(content))
                || source.holds("data:image/", at: content.lowerBound))
    }

    /// Whether the last component of a path has an extension.
    func namesFile(_ bytes: Span<UInt8>) -> Bool {
        var hasEnding = false
        for index in 0..<bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "/"): hasEnding = false
            case UInt8(ascii: "."):
                // A period at the end of a sentence starts no extension.
                hasEnding = index &+ 1 < bytes.count && bytes[index &+ 1].isASCIIAlphanumeric
            case UInt8(ascii: "?"), UInt8(ascii: "#"): return hasEnding
            default: break
            }
        }
        return hasEnding
    }

    /// Whether a literal's path has one of several extensions.
    func hasEnding(
        _ token: JavaScriptToken, _ endings: [StaticString], _ source: Span<UInt8>
    ) -> Bool {
        let content = token.content(in: source)
        var end = content.lowerBound
        while end < content.upperBound, source[end] != UInt8(ascii: "?"),
            source[end] != UInt8(ascii: "#")
        { end &+= 1 }
        for ending in endings {
            let start = end &- ending.utf8CodeUnitCount
            if start > content.lowerBound, source[start &- 1] == UInt8(ascii: "."),
                source.holds(ending, at: start)
            {
                return true
            }
        }
        return false
    }

    /// Whether the current member belongs to the properties of a new element.
    ///
    /// For example `jsx("img", {src: …})`, `attrs: {src: …}`, `$("#x").attr({src: …})`.
    private func isElementProperty(_ source: Span<UInt8>) -> Bool {
        guard let brace = opening(from: -1, limit: 96, source), at(brace, "{", source) else {
            return false
        }
        switch true {
        case at(brace - 1, ":", source):
            return at(brace - 2, "attrs", source) || at(brace - 2, "props", source)
                || at(brace - 2, "domProps", source)
        case at(brace - 1, "(", source):
            return at(brace - 2, "attr", source) || at(brace - 2, "prop", source)
        case at(brace - 1, ",", source):
            guard let call = opening(from: brace - 1, limit: 48, source), at(call, "(", source)
            else { return false }
            if window[call + 1].kind == .string { return isElement(window[call + 1], source) }
            return at(call - 1, "assign", source)
                && (at(call + 1, "new", source) || at(call + 1, "document", source))
        default: return false
        }
    }

    /// The offset of the innermost open bracket around an offset, among the tokens before it.
    func opening(from start: Int, limit: Int, _ source: Span<UInt8>) -> Int? {
        var depth = 0
        var offset = start
        while offset > start - limit {
            let token = window[offset]
            if token.kind == .end { return nil }
            if token.kind == .punctuator {
                switch source[token.start] {
                case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth += 1
                case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                    if depth == 0 { return offset }
                    depth -= 1
                default: break
                }
            }
            offset -= 1
        }
        return nil
    }

    private func isElement(_ token: JavaScriptToken, _ source: Span<UInt8>) -> Bool {
        let name = source.extracting(token.content(in: source))
        for element in Self.elements
        where name.count == element.utf8CodeUnitCount && name.holds(element, at: 0) {
            return true
        }
        return false
    }

    private static let elements: [StaticString] = [
        "img", "script", "source", "video", "audio", "iframe", "embed", "track", "input", "image",
    ]

    // MARK: - Literals

    /// The use of a literal that looks like an address, by its surroundings.
    func use(ofLiteral token: JavaScriptToken, _ source: Span<UInt8>) -> LiteralUse {
        if isOperand(0, source) { return .compared }
        let before = window[-1]
        guard before.kind == .punctuator || before.kind == .keyword else { return .unknown }
        if before.is("(", in: source) { return use(asArgumentOf: window[-2], token, source) }
        if before.is(",", in: source) {
            guard let call = opening(from: -1, limit: 24, source), at(call, "(", source),
                Self.isAny(window[call - 1], Self.keepingText, source)
            else { return .unknown }
            return .compared
        }
        if before.is("+", in: source), isPublicPath(source) { return .publicAsset }
        if before.is("+", in: source), followsPublicPathCall(source) { return .afterPublicPath }
        let isCompared =
            before.is("===", in: source) || before.is("==", in: source)
            || before.is("!==", in: source) || before.is("!=", in: source)
            || before.is("case", in: source)
        return isCompared ? .compared : .unknown
    }

    enum LiteralUse {
        case unknown
        /// Compared, searched or joined, so not loaded in this form.
        case compared
        /// The text after the public path of the bundle: `n.p + "static/media/a.png"`.
        case publicAsset
        /// The text after a function that returns the public path.
        case afterPublicPath
        /// The argument of a function named as a loader: `loadScript("…")`.
        case loaded
    }

    private func use(
        asArgumentOf callee: JavaScriptToken, _ literal: JavaScriptToken, _ source: Span<UInt8>
    ) -> LiteralUse {
        guard callee.kind == .identifier else { return .unknown }
        if Self.isAny(callee, Self.keepingText, source) { return .compared }
        // `@scope/package/index.css` and `~package/a.css` name a package, which the loader finds.
        let first = literal.content(in: source).lowerBound
        guard hasEnding(literal, ["js", "css", "mjs"], source), callee.end &- callee.start >= 6,
            source[first] != UInt8(ascii: "@"), source[first] != UInt8(ascii: "~")
        else { return .unknown }
        let name = text(callee, source).lowercased()
        let loads = ["load", "inject", "insert", "append", "add", "include", "require"].contains {
            name.contains($0)
        }
        let isLoader =
            loads
            && (name.contains("script") || name.contains("css") || name.contains("style")
                || name.hasSuffix("js"))
        return isLoader ? .loaded : .unknown
    }

    /// Functions that take a path as text.
    private static let keepingText: [StaticString] = [
        "endsWith", "startsWith", "indexOf", "lastIndexOf", "includes", "match", "replace",
        "replaceAll", "split", "search", "test", "concat", "join", "register", "require", "define",
        "Error", "TypeError", "log", "warn", "error", "info", "debug", "writeFile", "readFile",
        "mkdir", "localeCompare", "equal",
    ]
}
