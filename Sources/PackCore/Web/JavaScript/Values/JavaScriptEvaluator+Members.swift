/// Members of objects, elements of lists.
extension JavaScriptEvaluator {
    mutating func member(_ id: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        let object = tree.first(id)
        let name = tree.second(id)
        // The public path, which webpack 4 writes before the name of a chunk.
        if chunk != nil, tree.name(name) == .p, tree.kind(object) == .identifier {
            return .texts([[]])
        }
        if isPageBase(object, source), tree.name(name) == .href { return .page(.base) }
        if tree.name(name) == .length, isSelection(object, source) { return .unlikely }
        if tree.kind(object) == .metaProperty {
            // `import.meta.hot`, of a development server.
            return tree.name(name) == .hot ? .undefined : .unknown
        }
        let owner = value(of: object, source)
        return member(name, of: owner, source)
    }

    private mutating func member(_ name: ID, of owner: JavaScriptValue, _ source: Span<UInt8>)
        -> JavaScriptValue
    {
        let known = tree.name(name)
        switch owner {
        case .undefined: return .undefined
        case .withheld, .unlikely: return owner
        case .record(let object):
            if chunk == nil { isLikely = true }
            return property(tree.bytes(name, source), of: object, source).map {
                value(of: $0, source)
            } ?? .unknown
        case .list(let list) where known == .length:
            guard !hasSpread(list) else { return .unknown }
            return .number(tree.children(list).reduce(0) { count, _ in count + 1 })
        case .unknown:
            // `process.versions.node`, which no bundler defines.
            let isNode =
                known == .node && tree.memberName(tree.first(tree.parent(name))) == .versions
            return isNode ? .undefined : .unknown
        case .object(let object):
            let bytes = tree.bytes(name, source)
            switch object {
            case .location: return known.flatMap { Self.pages[$0] }.map { .page($0) } ?? .unknown
            case .window:
                if let known, let object = Self.objects[known] { return .object(object) }
                if known == .isSecureContext {
                    return surroundings.isSecure.map { .boolean($0) } ?? .unknown
                }
                return presence(of: bytes, name)
            case .navigator, .document:
                if object == .document {
                    if known == .location { return .object(.location) }
                    if known == .URL { return .page(.href) }
                    if known == .baseURI { return .page(.base) }
                } else if known == .userAgent || known == .platform || known == .appVersion {
                    return .agent(surroundings.engine)
                }
                let value = Self.value(of: surroundings.presence(of: bytes.span))
                return value == .unlikely ? .unknown : value
            case .createElement:
                // A member of an element that the script makes.
                return surroundings.presence(of: bytes.span) == .present
                    ? .object(nil) : .unknown
            // `Array.prototype.flat`, `Object.assign`: WebKit has all members that builds polyfill.
            case .Object: return .object(.Object)
            default: return known == .prototype ? .object(.Object) : .unknown
            }
        default: return .unknown
        }
    }

    private static let pages: [JavaScriptName: JavaScriptValue.Page] = [
        .href: .href, .origin: .origin, .protocol: .protocol, .host: .host, .hostname: .hostname,
        .port: .port, .pathname: .pathname, .search: .search, .hash: .hash,
    ]

    /// `document.querySelector("base")`, whose address the page's files are relative to.
    func isPageBase(_ id: ID, _ source: Span<UInt8>) -> Bool {
        guard tree.kind(id) == .call, tree.memberName(tree.first(id)) == .querySelector else {
            return false
        }
        let selector = tree.argument(id, 0)
        return tree.kind(selector) == .string
            && tree.text(selector, source).elementsEqual("base".utf8)
    }

    /// `$("#map")`.
    private func isSelection(_ id: ID, _ source: Span<UInt8>) -> Bool {
        guard tree.kind(id) == .call, tree.kind(tree.argument(id, 0)) == .string else {
            return false
        }
        let name = tree.name(tree.first(id))
        return name == .dollar || name == .jQuery
    }

    /// The value of a property of an object literal.
    mutating func property(_ name: [UInt8], of object: ID, _ source: Span<UInt8>) -> ID? {
        if let table = records[object] { return table[name] }
        var table: [[UInt8]: ID] = [:]
        var child = tree.first(object)
        while child != 0 {
            if tree.kind(child) == .property, !tree[child].flags.contains(.computed),
                !tree[child].flags.contains(.isAccessor)
            {
                let key = keyText(tree.first(child), source)
                table[key] = tree.second(child)
                if key.elementsEqual("__proto__".utf8) { openRecords.insert(object) }
            } else {
                openRecords.insert(object)
            }
            child = tree.next(child)
        }
        budget -= table.count
        records[object] = table
        return table[name]
    }

    /// The text of a property's key.
    func keyText(_ key: ID, _ source: Span<UInt8>) -> [UInt8] {
        switch tree.kind(key) {
        case .string: tree.text(key, source)
        case .number: number(key, source).text ?? tree.bytes(key, source)
        default: tree.bytes(key, source)
        }
    }

    /// `a[b]`.
    mutating func element(_ id: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        let owner = value(of: tree.first(id), source)
        let index = value(of: tree.second(id), source)
        switch owner {
        case .record(let object):
            if chunk == nil { isLikely = true }
            _ = property([], of: object, source)
            if openRecords.contains(object) { return .unknown }
            if case .texts(let names) = index, names.count > 1 {
                return names.reduce(nil as JavaScriptValue?) { all, name in
                    let one =
                        property(name, of: object, source).map { value(of: $0, source) }
                        ?? .undefined
                    return all?.or(one) ?? one
                } ?? .unknown
            }
            guard let name = index.text else { return webTable(object, index, source) }
            return property(name, of: object, source).map { value(of: $0, source) } ?? .undefined
        case .list(let list):
            if chunk == nil { isLikely = true }
            guard !hasSpread(list) else { return .unknown }
            guard case .number(let number) = index else { return texts(of: list, source) }
            var child = tree.first(list)
            guard (0..<10_000).contains(number) else { return .unknown }
            for _ in 0..<number { child = tree.next(child) }
            return child == 0 ? .undefined : value(of: child, source)
        case .object(.location), .object(.window), .object(.document), .object(.navigator):
            guard tree.kind(tree.second(id)) == .string else { return .unknown }
            let name = JavaScriptNames.known(tree.text(tree.second(id), source).span)
            guard owner == .object(.location) else { return .unknown }
            return name.flatMap { Self.pages[$0] }.map { .page($0) } ?? .unknown
        default: return .unknown
        }
    }

    /// `{"http:": "ws:", "https:": "wss:"}[location.protocol]`, which is undefined in an app's page.
    private mutating func webTable(_ object: ID, _ index: JavaScriptValue, _ source: Span<UInt8>)
        -> JavaScriptValue
    {
        guard case .page = index, let name = resolved(index).text else { return .unknown }
        return property(name, of: object, source).map { value(of: $0, source) } ?? .undefined
    }

    private func hasSpread(_ list: ID) -> Bool {
        tree.children(list).contains { tree.kind($0) == .spread }
    }

    /// One of the elements of a list, if all are texts.
    mutating func texts(of list: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        var all: [[UInt8]] = []
        var child = tree.first(list)
        while child != 0 {
            guard all.count < JavaScriptValue.mostTexts, let text = value(of: child, source).text
            else { return .unknown }
            all.append(text)
            child = tree.next(child)
        }
        return all.isEmpty ? .unknown : .texts(all)
    }
}
