/// The values of names, their members and their calls in conditions.
extension JavaScriptReferenceCollector {
    /// A name or literal with its members and calls.
    func chain(_ cursor: inout Cursor, _ source: Span<UInt8>) -> JavaScriptValue {
        let start = cursor.offset
        var value = primary(&cursor, source)
        // Whether the value is an element created by the script.
        var isMade = false
        if at(start, "$", source) || at(start, "jQuery", source), value == .unknown,
            at(start + 1, "(", source), window[start + 2].kind == .string,
            at(start + 3, ")", source), at(start + 5, "length", source), start + 5 < cursor.end
        {
            // `$("#map").length`
            cursor.offset = start + 6
            return .unlikely
        }
        while cursor.offset < cursor.end {
            if at(cursor.offset, ".", source) || at(cursor.offset, "?.", source) {
                let name = window[cursor.offset + 1]
                guard cursor.offset + 1 < cursor.end else { return .unknown }
                cursor.offset += 2
                if at(cursor.offset, "(", source), cursor.offset < cursor.end {
                    isMade = value == .object && name.is("createElement", in: source)
                    value = call(name, of: value, &cursor, source)
                } else if isMade {
                    // `document.createElement("canvas").getContext`
                    isMade = false
                    let presence = JavaScriptSurroundings.presence(
                        of: source.extracting(name.range))
                    value = presence == .present ? .object : .unknown
                } else {
                    value = member(name, of: value, source)
                }
            } else if at(cursor.offset, "(", source) || at(cursor.offset, "[", source) {
                guard skip(&cursor, source) != nil else { return .unknown }
                value = .unknown
            } else {
                return value
            }
        }
        return value
    }

    /// The range inside the bracket at the cursor, which moves past it.
    func skip(_ cursor: inout Cursor, _ source: Span<UInt8>) -> Range<Int>? {
        let open = cursor.offset
        var depth = 0
        while cursor.offset < cursor.end {
            let token = window[cursor.offset]
            cursor.offset += 1
            guard token.kind == .punctuator else { continue }
            switch source[token.start] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return open + 1..<cursor.offset - 1 }
            default: break
            }
        }
        return nil
    }

    private func primary(_ cursor: inout Cursor, _ source: Span<UInt8>) -> JavaScriptValue {
        guard cursor.offset < cursor.end else { return .unknown }
        let token = window[cursor.offset]
        switch token.kind {
        case .string:
            cursor.offset += 1
            return .text(value(token, source), isWhole: true)
        case .number:
            cursor.offset += 1
            return Int(text(token, source)).map { .number($0) } ?? .unknown
        case .regularExpression:
            cursor.offset += 1
            let content = token.content(in: source)
            guard content.count <= 400, content.upperBound < token.end else { return .unknown }
            let flags = content.upperBound + 1..<token.end
            return .pattern(
                content.map { source[$0] },
                ignoresCase: flags.contains { source[$0] == UInt8(ascii: "i") })
        case .identifier, .keyword:
            cursor.offset += 1
            return named(token, &cursor, source)
        case .punctuator:
            if at(cursor.offset, "(", source) {
                let depth = cursor.depth
                guard let inner = skip(&cursor, source) else { return .unknown }
                return condition(inner, depth: depth + 1, source)
            }
            guard at(cursor.offset, "[", source), let inner = skip(&cursor, source) else {
                return .unknown
            }
            var texts: [[UInt8]] = []
            for offset in inner {
                if window[offset].kind == .string {
                    texts.append(value(window[offset], source))
                } else if !at(offset, ",", source) {
                    return .unknown
                }
            }
            return .texts(texts)
        default: return .unknown
        }
    }

    private func named(
        _ token: JavaScriptToken, _ cursor: inout Cursor, _ source: Span<UInt8>
    ) -> JavaScriptValue {
        if token.is("true", in: source) { return .boolean(true) }
        if token.is("false", in: source) { return .boolean(false) }
        if token.is("undefined", in: source) || token.is("null", in: source) { return .undefined }
        if token.is("Boolean", in: source), at(cursor.offset, "(", source),
            cursor.offset < cursor.end
        {
            let depth = cursor.depth
            guard let inner = skip(&cursor, source) else { return .unknown }
            return condition(inner, depth: depth + 1, source).truth
        }
        if token.is("import", in: source) {
            // `import.meta.hot`, `import.meta.env.DEV` of a development server.
            guard at(cursor.offset, ".", source), at(cursor.offset + 1, "meta", source),
                at(cursor.offset + 2, ".", source), at(cursor.offset + 3, "hot", source)
            else { return .unknown }
            cursor.offset += 4
            return .undefined
        }
        guard token.kind == .identifier else { return .unknown }
        if sawFlagMembers, at(cursor.offset, ".", source), cursor.offset + 1 < cursor.end {
            let member = window[cursor.offset + 1]
            let path =
                token.range.map { source[$0] } + [UInt8(ascii: ".")]
                + member.range.map { source[$0] }
            if let known = flags[path] {
                cursor.offset += 2
                return known
            }
        }
        if let known = flags[token.range.map { source[$0] }] {
            if at(cursor.offset, "(", source), cursor.offset < cursor.end {
                guard skip(&cursor, source) != nil else { return .unknown }
            }
            return known
        }
        return global(token, isBare: true, source)
    }

    /// A member of the window.
    private func global(
        _ token: JavaScriptToken, isBare: Bool, _ source: Span<UInt8>
    ) -> JavaScriptValue {
        if token.is("isSecureContext", in: source) {
            return surroundings.isSecure.map { .boolean($0) } ?? .unknown
        }
        switch surroundings.framework {
        case .capacitor where token.is("Capacitor", in: source): return .object
        case .cordova where token.is("cordova", in: source): return .object
        default: break
        }
        let presence = JavaScriptSurroundings.presence(of: source.extracting(token.range))
        // A short name is a variable.
        if presence == .unlikely, isBare, !isTyped(token, source) { return .unknown }
        return Self.value(of: presence)
    }

    /// Whether `typeof` precedes the name, so that it may be undefined.
    private func isTyped(_ token: JavaScriptToken, _ source: Span<UInt8>) -> Bool {
        guard token.end &- token.start > 2, token.start > 7 else { return false }
        var end = token.start
        while end > 0, source[end &- 1] <= 0x20 { end &-= 1 }
        return end >= 6 && source.holds("typeof", at: end &- 6)
    }

    private func member(
        _ name: JavaScriptToken, of value: JavaScriptValue, _ source: Span<UInt8>
    ) -> JavaScriptValue {
        // `process.versions.node`, which no bundler defines.
        if value == .unknown, name.is("node", in: source),
            owner(of: name, source).is("versions", in: source)
        {
            return .undefined
        }
        // The preceding object is identified by its name.
        switch value {
        case .object: break
        case .undefined: return .undefined
        case .withheld, .unlikely: return value
        default: return .unknown
        }
        let owner = owner(of: name, source)
        if owner.is("location", in: source) { return location(name, source) }
        if owner.is("navigator", in: source) {
            for text in ["userAgent", "platform", "appVersion"] as [StaticString]
            where name.is(text, in: source) {
                return .agent
            }
        }
        if owner.is("window", in: source) || owner.is("self", in: source)
            || owner.is("globalThis", in: source)
        {
            return global(name, isBare: false, source)
        }
        // `Array.prototype.flat`, `Object.assign`: WebKit has all members that builds polyfill.
        let owned = JavaScriptSurroundings.presence(of: source.extracting(name.range))
        if owner.is("document", in: source) || owner.is("navigator", in: source) {
            return owned == .unlikely ? .unknown : Self.value(of: owned)
        }
        for text in ["Object", "Array", "String", "Number", "Promise", "Symbol", "prototype"]
            as [StaticString]
        where owner.is(text, in: source) {
            return .object
        }
        return name.is("prototype", in: source) ? .object : .unknown
    }

    /// The name before a member's dot.
    private func owner(of name: JavaScriptToken, _ source: Span<UInt8>) -> JavaScriptToken {
        var end = name.start
        while end > 0, source[end &- 1] <= 0x20 { end &-= 1 }
        guard end > 1, source[end &- 1] == UInt8(ascii: ".") else { return name }
        end &-= 1
        if source[end &- 1] == UInt8(ascii: "?") { end &-= 1 }
        while end > 0, source[end &- 1] <= 0x20 { end &-= 1 }
        var start = end
        while start > 0, end &- start < 40, JavaScriptByte.isName(source[start &- 1]) {
            start &-= 1
        }
        return JavaScriptToken(.identifier, start, end)
    }

    /// `location.protocol` and the other parts of the page's address.
    private func location(_ name: JavaScriptToken, _ source: Span<UInt8>) -> JavaScriptValue {
        let scheme = surroundings.scheme
        let host = surroundings.host
        if name.is("protocol", in: source) {
            return scheme.map { .text($0 + [UInt8(ascii: ":")], isWhole: true) } ?? .unknown
        }
        if name.is("port", in: source) {
            return scheme == nil ? .unknown : .text([], isWhole: true)
        }
        if name.is("hostname", in: source) || name.is("host", in: source) {
            return host.map { .text($0, isWhole: true) } ?? .unknown
        }
        guard name.is("href", in: source) || name.is("origin", in: source), let scheme else {
            return .unknown
        }
        return .text(scheme + Array("://".utf8) + (host ?? []), isWhole: false)
    }

    private func call(
        _ name: JavaScriptToken, of value: JavaScriptValue, _ cursor: inout Cursor,
        _ source: Span<UInt8>
    ) -> JavaScriptValue {
        let depth = cursor.depth
        guard let inner = skip(&cursor, source), depth < Self.deepestCondition else {
            return .unknown
        }
        if surroundings.framework == .capacitor, inner.isEmpty {
            if name.is("isNativePlatform", in: source) { return .boolean(true) }
            if name.is("getPlatform", in: source) {
                return .text(Array("ios".utf8), isWhole: true)
            }
        }
        if value == .object, owner(of: name, source).is("document", in: source),
            name.is("querySelector", in: source) || name.is("getElementById", in: source)
        {
            // The page may have no such element.
            return .unlikely
        }
        if name.is("toLowerCase", in: source) {
            guard case .text(let text, let isWhole) = value else { return value }
            return .text(JavaScriptValue.lowercased(text), isWhole: isWhole)
        }
        let argument = condition(inner, depth: depth + 1, source)
        switch (value, argument) {
        case (.pattern(let pattern, let ignoresCase), let text) where name.is("test", in: source):
            return text.matches(pattern, ignoresCase: ignoresCase)
        case (_, .pattern(let pattern, let ignoresCase)) where name.is("match", in: source):
            return value.matches(pattern, ignoresCase: ignoresCase)
        case (_, .pattern(let pattern, let ignoresCase)) where name.is("search", in: source):
            return value.matches(pattern, ignoresCase: ignoresCase) == .boolean(false)
                ? .number(-1) : .unknown
        case (.texts(let texts), .text(let text, true)):
            let found = texts.firstIndex(of: text)
            if name.is("includes", in: source) { return .boolean(found != nil) }
            return name.is("indexOf", in: source) ? .number(found ?? -1) : .unknown
        case (_, .text(let text, true)):
            if name.is("startsWith", in: source) { return value.passes(.start, text) }
            if name.is("endsWith", in: source) { return value.passes(.end, text) }
            if name.is("includes", in: source) { return value.passes(.inside, text) }
            guard name.is("indexOf", in: source) else { return .unknown }
            switch value.passes(.inside, text) {
            case .boolean(false): return .number(-1)
            case .boolean(true):
                if value.passes(.start, text) == .boolean(true) { return .number(0) }
                return value == .agent ? .unknown : .number(1)
            case .withheld: return .withheld
            default:
                return value.passes(.start, text) == .boolean(false) ? .unknown : .unknown
            }
        default: return .unknown
        }
    }
}
