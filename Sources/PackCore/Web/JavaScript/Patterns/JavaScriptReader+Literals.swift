/// Strings, templates and regular expressions that no pattern has read.
extension JavaScriptReader {
    mutating func literal(_ id: ID, _ source: Span<UInt8>) {
        switch tree.kind(id) {
        case .regularExpression: regularExpression(id, source)
        case .template:
            guard !isClaimed(id) else { return }
            let first = tree.first(id)
            let isMarkup = piece(first, of: id, source)
            markup(ofTemplate: id, readsFirst: isMarkup, source)
        default:
            guard !isClaimed(id) else { return }
            let parent = tree.parent(id)
            switch tree.kind(parent) {
            case .importDeclaration, .exportAll, .exportNamed: return declaration(id, source)
            case .property, .method, .field:
                if tree.first(parent) == id, !tree[parent].flags.contains(.computed) {
                    return key(id, source)
                }
            default: break
            }
            if piece(id, of: id, source) { markup(ofString: id, source) }
        }
    }

    /// `import … from "x"`, `export … from "x"`.
    private mutating func declaration(_ id: ID, _ source: Span<UInt8>) {
        guard let address = written(id, source) else { return }
        let attributes = tree.next(id)
        note(
            .staticImport, from: tree.start(id), address,
            detail: attributes == 0 ? "" : importType(attributes, source))
    }

    /// The detail of an import with attributes: `"typed"`, or nothing for `{type: "css"}`, which WebKit
    /// refuses.
    func importType(_ attributes: ID, _ source: Span<UInt8>) -> String {
        let given = property(.with, of: attributes)
        var type = property(.type, of: given == 0 ? attributes : given)
        if type == 0, tree.kind(tree.first(tree.first(attributes))) == .string {
            type = tree.second(tree.first(attributes))
        }
        return isString(type, "css", source) ? "" : "typed"
    }

    /// The name of a property in quotes.
    private mutating func key(_ id: ID, _ source: Span<UInt8>) {
        let parent = tree.parent(id)
        guard tree.kind(parent) == .property else { return }
        let isMethod = tree[parent].flags.contains(.isMethod)
        if !isMethod, !isLiteral(tree.second(parent)),
            JavaScriptLiteralShape.looksLikeAddress(tree.text(id, source).span),
            let address = written(id, source)
        {
            note(
                .literal, from: tree.start(id), address, detail: JavaScriptReference.key,
                place: place(of: id, source))
        }
        routeKey(id, source)
    }

    /// Reads a string, or the first text of a template.
    ///
    /// - Returns: Whether it may be markup.
    private mutating func piece(_ text: ID, of id: ID, _ source: Span<UInt8>) -> Bool {
        let content = tree.content(text)
        let bytes = source.extracting(content)
        routerText(id, bytes, source)
        if content.count >= 4, LibraryAttribute.isMarker(source, content),
            result.libraryMarkers.count < 64
        {
            result.libraryMarkers.insert(tree.text(text, source))
        }
        if tree.kind(id) == .string, content.count > 8 {
            if bytes[0] == UInt8(ascii: "{") || bytes[0] == UInt8(ascii: "[") {
                if parcelManifest(id, source) { return false }
            } else if flightData(id, source) {
                return false
            }
        }
        lazyAttribute(bytes)
        if isComputedHistory(id, bytes) {
            note(
                JavaScriptReference(
                    .history, range: content, expression: tree.range(id), detail: "computed"))
            return false
        }
        bundleText(id, bytes, source)
        guard
            tree[text].flags.contains(.escaped)
                ? JavaScriptLiteralShape.looksLikeAddress(tree.text(text, source).span)
                : JavaScriptLiteralShape.looksLikeAddress(bytes)
        else {
            notePattern(text, of: id, source)
            return true
        }
        address(id, source)
        return false
    }

    /// A string with names in braces, which a library replaces: `"tiles/{z}/{x}/{y}.png"`.
    private mutating func notePattern(_ text: ID, of id: ID, _ source: Span<UInt8>) {
        guard tree.kind(id) == .string else { return }
        let pattern = JavaScriptLiteralShape.pattern(tree.text(text, source))
        guard pattern.count > 1 else { return }
        note(
            JavaScriptReference(
                .literal, range: tree.content(text), expression: tree.range(id),
                value: pattern[0], extent: .prefix, detail: JavaScriptReference.template,
                pattern: pattern))
    }

    /// A literal that looks like an address.
    private mutating func address(_ id: ID, _ source: Span<UInt8>) {
        if isAttributeValue(id, source) { return asset(id, named: id, of: id, source) }
        guard var address = written(id, source) else { return }
        address.extent = extent(of: id, address.extent)
        var detail = ""
        switch use(of: id, source) {
        case .unknown: break
        case .compared: detail = "compared"
        case .loaded(let call, let name):
            let reach = reach(of: call, source)
            return note(
                .asset, from: tree.start(id), addressAt: id, reach, source,
                detail: text(name, source))
        case .publicAsset: return publicAsset(id, source)
        case .afterPublicPath: detail = JavaScriptReference.afterPublicPath
        }
        note(
            .literal, from: tree.start(id), address, detail: detail, place: place(of: id, source))
    }

    /// The part of an address that a literal contains, by the code around it.
    private func extent(
        of id: ID, _ own: JavaScriptReference.Extent
    ) -> JavaScriptReference.Extent {
        let whole = expression(startingWith: id)
        let parent = tree.parent(whole)
        let isLater =
            tree.symbol(parent) == .add && !tree[whole].flags.contains(.parenthesized)
            && (tree.second(parent) == whole || tree.kind(parent) == .unary)
        if isLater { return .part }
        let next = tree.parent(id)
        let isJoined = tree.kind(next) == .member || tree.symbol(next) == .add
        return whole != id && isJoined ? .prefix : own
    }

    /// The expression that starts with a literal: `"a" + b` of `"a"`.
    func expression(startingWith id: ID) -> ID {
        var node = id
        for _ in 0..<Self.longestChain {
            let parent = tree.parent(node)
            guard tree.first(parent) == node else { return node }
            switch tree.kind(parent) {
            case .binary, .member, .call, .index, .conditional: node = parent
            default: return node
            }
        }
        return node
    }

    /// The most links of a chain of operators or calls around a literal that are looked at.
    static let longestChain = 400

    private func isComputedHistory(_ id: ID, _ bytes: Span<UInt8>) -> Bool {
        guard
            bytes.count == 9 && bytes.holds("pushState", at: 0)
                || bytes.count == 12 && bytes.holds("replaceState", at: 0)
        else { return false }
        // `history[replace ? "replaceState" : "pushState"](…)`
        let parent = tree.parent(id)
        switch tree.kind(parent) {
        case .index: return tree.second(parent) == id
        case .conditional:
            return tree.second(parent) == id || tree.kind(tree.parent(parent)) == .index
        default: return false
        }
    }

    private mutating func regularExpression(_ id: ID, _ source: Span<UInt8>) {
        routerPattern(id, source)
        let literal = tree.range(id)
        let start = literal.lowerBound &+ 1
        let parent = tree.parent(id)
        guard tree.memberName(parent) == .test,
            source.holds("^http", at: start) || source.holds("^(http", at: start)
                || source.holds("^(?:http", at: start)
        else { return }
        note(JavaScriptReference(.absoluteTest, range: literal, expression: literal))
    }

    // MARK: - Uses

    private enum Use {
        case unknown
        /// Compared, searched or joined, so not loaded in this form.
        case compared
        /// The text after the public path of the bundle: `n.p + "static/media/a.png"`.
        case publicAsset
        /// The text after a function that returns the public path.
        case afterPublicPath
        /// The argument of a function named as a loader: `loadScript("…")`.
        case loaded(call: ID, name: ID)
    }

    /// Functions that take a path as text.
    private static let keepingText: Set<JavaScriptName> = [
        .endsWith, .startsWith, .indexOf, .lastIndexOf, .includes, .match, .replace, .replaceAll,
        .split, .search, .test, .concat, .join, .register, .require, .define, .Error, .TypeError,
        .log, .warn, .error, .info, .debug, .writeFile, .readFile, .mkdir, .localeCompare, .equal,
    ]

    /// The use of a literal that looks like an address.
    private mutating func use(of id: ID, _ source: Span<UInt8>) -> Use {
        let parent = tree.parent(id)
        if tree.symbol(parent) == .add, tree.second(parent) == id {
            if isPublicPath(id, source) { return .publicAsset }
            if followsPublicPathCall(id, source) { return .afterPublicPath }
        }
        if isCompared(id) { return .compared }
        let argument = expression(startingWith: id)
        let call = tree.parent(argument)
        guard tree.kind(call) == .call || tree.kind(call) == .new, tree.first(call) != argument
        else { return .unknown }
        let callee = tree.first(call)
        let name = tree.kind(callee) == .member ? tree.second(callee) : callee
        if let known = tree.name(name), Self.keepingText.contains(known) { return .compared }
        guard tree.argument(call, 0) == argument, tree.kind(name) == .identifier,
            isLoader(name, id, source)
        else { return .unknown }
        return .loaded(call: call, name: name)
    }

    /// Whether a literal is a part of the operand of a comparison, or of a condition.
    private func isCompared(_ id: ID) -> Bool {
        var node = id
        for _ in 0..<Self.longestChain {
            let parent = tree.parent(node)
            let isFirst = tree.first(parent) == node
            switch tree.kind(parent) {
            case .binary:
                switch tree.symbol(parent) {
                case .same, .equal, .notSame, .notEqual: return true
                case .less, .greater, .lessOrEqual, .greaterOrEqual, .in, .both:
                    return isFirst && node == id
                case .add: break
                default: return false
                }
            case .conditional: return isFirst && node == id
            case .switchCase: return isFirst
            case .member, .call: guard isFirst else { return false }
            default: return false
            }
            node = parent
        }
        return false
    }

    private func isLoader(_ name: ID, _ literal: ID, _ source: Span<UInt8>) -> Bool {
        // `@scope/package/index.css` and `~package/a.css` name a package, which the loader finds.
        guard let path = written(literal, source)?.values.first, let first = path.first,
            Self.hasEnding(path, ["js", "css", "mjs"]), tree.range(name).count >= 6,
            first != UInt8(ascii: "@"), first != UInt8(ascii: "~")
        else { return false }
        let text = text(name, source).lowercased()
        let loads = ["load", "inject", "insert", "append", "add", "include", "require"].contains {
            text.contains($0)
        }
        return loads
            && (text.contains("script") || text.contains("css") || text.contains("style")
                || text.hasSuffix("js"))
    }

    /// Whether a literal follows an attribute's name in a list.
    ///
    /// Angular compiles its templates to such lists: `["alt", "", "src", "assets/logo.png"]`.
    private func isAttributeValue(_ id: ID, _ source: Span<UInt8>) -> Bool {
        let list = tree.parent(id)
        guard tree.kind(id) == .string, tree.kind(list) == .array else { return false }
        var before = tree.first(list)
        var count = 0
        while before != 0, tree.next(before) != id, count < 48 {
            before = tree.next(before)
            count += 1
        }
        return tree.next(before) == id
            && (isString(before, "src", source) || isString(before, "poster", source))
    }
}
