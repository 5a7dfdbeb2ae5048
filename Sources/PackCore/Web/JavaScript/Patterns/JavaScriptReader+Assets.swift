/// Code that loads the file at a given address.
extension JavaScriptReader {
    static let assetPatterns: [JavaScriptPattern] =
        [
            JavaScriptPattern(.assignment, .src, .poster) { $0.elementSource($1, $2) },
            JavaScriptPattern(.assignment, .srcset) { reader, id, source in
                guard reader.tree.kind(reader.tree.first(id)) == .member,
                    reader.tree.symbol(id) == .assign
                else { return }
                let name = reader.tree.second(reader.tree.first(id))
                reader.sourceSet(
                    reader.tree.second(id), of: id, from: reader.tree.start(name), source)
            },
            JavaScriptPattern(.assignment, .href) { $0.hypertextReference($1, $2) },
            JavaScriptPattern(.property, .src, .poster) { $0.elementProperty($1, $2) },
            JavaScriptPattern(.call, .setAttribute, .attr, .prop) { $0.setAttribute($1, $2) },
            JavaScriptPattern(.new, .Audio) { reader, id, source in
                let name = reader.tree.first(id)
                guard reader.tree.kind(name) == .identifier else { return }
                reader.asset(reader.tree.argument(id, 0), named: name, of: id, call: id, source)
            },
            JavaScriptPattern(.call, .addModule) { reader, id, source in
                let object = reader.object(ofCall: id)
                guard object != 0 else { return }
                let name = reader.tree.second(reader.tree.first(id))
                reader.asset(
                    reader.tree.argument(id, 0), named: name, of: id, object: object, source)
            },
            JavaScriptPattern(.call, .loadAnimation) { reader, id, source in
                let path = reader.property(.path, of: reader.tree.argument(id, 0))
                guard reader.isLiteral(path) else { return }
                let callee = reader.tree.first(id)
                let isMember = reader.tree.kind(callee) == .member
                reader.asset(
                    path, named: isMember ? reader.tree.second(callee) : callee, of: id, source)
            },
        ] + markupPatterns

    /// `x.src = "…"`.
    private mutating func elementSource(_ id: ID, _ source: Span<UInt8>) {
        let target = tree.first(id)
        guard tree.kind(target) == .member, tree.symbol(id) == .assign else { return }
        if scriptAddress(id, source) { return }
        let value = tree.second(id)
        if isAddress(value, source) {
            asset(
                value, named: tree.second(target), of: id, object: tree.first(target), source)
        } else {
            blobSource(id, source)
            unreadElement(id, source)
        }
    }

    /// `x.srcset = "…"`: each candidate.
    private mutating func sourceSet(
        _ literal: ID, of id: ID, from start: Int, _ source: Span<UInt8>
    ) {
        guard tree.kind(literal) == .string, !tree[literal].flags.contains(.escaped) else { return }
        claim(literal)
        let content = tree.content(literal)
        let isGuarded = isAssetGuarded(id, source)
        for candidate in SrcsetCandidate.parse(tree.text(literal, source)) where candidate.isValid {
            let range =
                content.lowerBound &+ candidate.url.lowerBound..<content.lowerBound
                &+ candidate.url.upperBound
            note(
                JavaScriptReference(
                    .asset, range: range, expression: start..<tree.end(literal),
                    value: range.map { source[$0] }, extent: .whole, detail: "srcset",
                    isGuarded: isGuarded))
        }
    }

    /// `link.href = "….css"`; other objects with this property are links and URLs.
    private mutating func hypertextReference(_ id: ID, _ source: Span<UInt8>) {
        let target = tree.first(id)
        guard tree.kind(target) == .member, tree.symbol(id) == .assign,
            !isNamed(tree.first(target), .location)
        else { return }
        let value = tree.second(id)
        guard let address = written(value, source) else { return unreadElement(id, source) }
        guard address.values.allSatisfy({ Self.hasEnding($0, ["css"]) }) else { return }
        asset(value, named: tree.second(target), of: id, object: tree.first(target), source)
    }

    /// `setAttribute("src", "…")`, and `attr` and `prop` of jQuery.
    private mutating func setAttribute(_ id: ID, _ source: Span<UInt8>) {
        let object = object(ofCall: id)
        let attribute = tree.argument(id, 0)
        let value = tree.next(attribute)
        guard object != 0, tree.kind(attribute) == .string, value != 0 else { return }
        let name = tree.second(tree.first(id))
        let text = string(tree.text(attribute, source))
        if text == "style", tree.name(name) == .setAttribute {
            let range = tree.start(name)..<tree.end(attribute)
            return note(.styleByScript, at: range, detail: "setAttribute('style')")
        }
        guard let address = written(value, source) else { return }
        switch text {
        case "src", "poster", "xlink:href":
            asset(value, named: name, of: id, object: object, source)
        case "href":
            guard address.values.allSatisfy({ Self.hasEnding($0, ["css"]) }) else { return }
            asset(value, named: name, of: id, object: object, source)
        case "srcset": sourceSet(value, of: id, from: tree.start(name), source)
        default: break
        }
    }

    /// Records an address as that of a loaded file.
    ///
    /// An address without a file extension may be generated by a server, so it is recorded as a
    /// literal.
    ///
    /// - Parameters:
    ///   - name: The name of the member or the function.
    ///   - call: The call that may have a handler of failures; 0 if there is none.
    ///   - object: The element, which can have a handler; 0 if unknown.
    mutating func asset(
        _ argument: ID, named name: ID, of id: ID, call: ID = 0, object: ID = 0,
        handlers: ID = 0, _ source: Span<UInt8>
    ) {
        guard isFile(argument, source) || isPartOfFile(argument, source) else { return }
        let element = tree.kind(object) == .member ? tree.second(object) : object
        var reach = reach(of: id, call: call, object: element, source)
        if reach == .needed { reach = chainedHandler(object, source) }
        if reach == .needed, handlers != 0 { reach = siblingHandler(handlers) }
        note(
            .asset, from: tree.start(name), addressAt: argument, reach, source,
            detail: text(name, source))
    }

    /// The handler among the properties of the current element: `{src: "…", onError: …}`, and
    /// `attrs: {src: "…"}, on: {error: …}` of Vue 2.
    private mutating func siblingHandler(_ object: ID) -> Reach {
        for name in [JavaScriptName.onError, .onerror] {
            let value = property(name, of: object)
            if value != 0 { return handler(value) }
        }
        let outer = tree.parent(tree.parent(object))
        let error = property(.error, of: property(.on, of: outer))
        return tree.kind(tree.parent(object)) == .property && error != 0 ? handler(error) : .needed
    }

    /// The handler in the call before the current one: `$(x).on("error", …).attr("src", …)`.
    private mutating func chainedHandler(_ object: ID, _ source: Span<UInt8>) -> Reach {
        guard tree.kind(object) == .call else { return .needed }
        let callee = tree.first(object)
        switch tree.kind(callee) == .member ? tree.memberName(callee) : tree.name(callee) {
        case .on, .one, .bind: break
        default: return .needed
        }
        guard isString(tree.argument(object, 0), "error", source) else { return .needed }
        return handler(tree.argument(object, 1))
    }

    // MARK: - Properties of elements

    private static let elements: Set<String> = [
        "img", "script", "source", "video", "audio", "iframe", "embed", "track", "input", "image",
    ]

    /// `{src: "…"}` among the properties of a new element.
    private mutating func elementProperty(_ id: ID, _ source: Span<UInt8>) {
        let key = tree.first(id)
        let value = tree.second(id)
        let object = tree.parent(id)
        guard tree.kind(key) == .identifier, tree.kind(object) == .object else { return }
        if written(value, source) != nil {
            guard isElement(object, source) else { return }
            asset(value, named: key, of: id, handlers: object, source)
        } else if tree.kind(value) == .array, tree.name(tree.first(tree.parent(object))) == .Howl {
            // `new Howl({src: ["a.webm", "a.mp3"]})`: the first format that the engine can play.
            let first = tree.first(value)
            if tree.kind(first) == .string { asset(first, named: key, of: id, source) }
        }
    }

    /// Whether an object has the properties of a new element.
    ///
    /// For example `jsx("img", {src: …})`, `attrs: {src: …}`, `$("#x").attr({src: …})`.
    private func isElement(_ object: ID, _ source: Span<UInt8>) -> Bool {
        let parent = tree.parent(object)
        switch tree.kind(parent) {
        case .property:
            switch tree.name(tree.first(parent)) {
            case .attrs, .props, .domProps: return true
            default: return false
            }
        case .call:
            let callee = tree.first(parent)
            let name = tree.kind(callee) == .member ? tree.memberName(callee) : tree.name(callee)
            let first = tree.argument(parent, 0)
            if first == object { return name == .attr || name == .prop }
            if tree.kind(first) == .string {
                return Self.elements.contains(string(tree.text(first, source)))
            }
            return name == .assign
                && (tree.kind(first) == .new || source.holds("document", at: tree.start(first)))
        default: return false
        }
    }

    // MARK: - Files made by the script

    /// Whether an expression is an object URL, or a variable with one.
    mutating func isObjectURL(_ id: ID) -> Bool {
        if tree.kind(id) == .call {
            return tree.memberName(tree.first(id)) == .createObjectURL
        }
        guard tree.kind(id) == .identifier, let binding = evaluator.scopes.binding(of: id) else {
            return false
        }
        let name = evaluator.scopes.bindings[binding].name
        let declarator = tree.parent(name)
        if tree.kind(declarator) == .declarator, isMadeURL(tree.second(declarator)) { return true }
        return evaluator.scopes.uses(of: binding).contains { use in
            tree.plainValue(writtenTo: use).map { isMadeURL($0) } ?? false
        }
    }

    private func isMadeURL(_ id: ID) -> Bool {
        tree.kind(id) == .call && tree.memberName(tree.first(id)) == .createObjectURL
    }

    /// `img.src = URL.createObjectURL(…)`, by the kind of element.
    private mutating func blobSource(_ id: ID, _ source: Span<UInt8>) {
        let target = tree.first(id)
        let value = tree.second(id)
        guard tree.kind(tree.first(target)) == .identifier, isObjectURL(value),
            let made = madeElement(tree.first(target), source)
        else { return }
        let detail: String
        switch made {
        case "Image", "img": detail = "blob-image"
        case "Audio", "audio", "video": detail = "blob-media"
        case "script": detail = "blob-script"
        default: return
        }
        let first = tree.start(value)
        var end = first
        while end < tree.end(value), JavaScriptByte.isName(source[end]) { end &+= 1 }
        note(
            JavaScriptReference(
                .asset, range: first..<end, expression: tree.start(tree.second(target))..<end,
                value: Array("blob:null/0".utf8), extent: .whole, detail: detail))
    }

    /// The element that a name stands for: `x = document.createElement("script")`, `new Image()`.
    mutating func madeElement(_ name: ID, _ source: Span<UInt8>) -> String? {
        guard let value = lastValue(of: name) else { return nil }
        if tree.kind(value) == .new { return text(tree.first(value), source) }
        let callee = tree.first(value)
        guard tree.kind(value) == .call,
            tree.memberName(callee) == .createElement || tree.name(callee) == .createElement,
            tree.kind(tree.argument(value, 0)) == .string
        else { return nil }
        return string(tree.text(tree.argument(value, 0), source))
    }
}
