/// Calls of known functions, of methods of texts, and of functions of the script.
extension JavaScriptEvaluator {
    mutating func call(_ id: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        let callee = tree.first(id)
        switch tree.kind(callee) {
        case .member: return method(id, callee, source)
        case .identifier:
            guard scopes.binding(of: callee) == nil else { break }
            switch tree.name(callee) {
            case .Boolean: return resolved(value(of: tree.argument(id, 0), source)).truth
            case .String:
                let text = value(of: tree.argument(id, 0), source)
                return text.text.map { .texts([$0]) } ?? text
            case .encodeURI, .encodeURIComponent, .decodeURIComponent:
                // Names of files rarely have characters that need it.
                let text = value(of: tree.argument(id, 0), source)
                guard let plain = text.text, plain.allSatisfy({ JavaScriptByte.isName($0) }) else {
                    return .unknown
                }
                return text
            default: return .unknown
            }
        default: break
        }
        guard case .function(let function) = value(of: callee, source) else { return .unknown }
        return result(of: function, arguments(of: id, source), source)
    }

    private mutating func arguments(of call: ID, _ source: Span<UInt8>) -> [JavaScriptValue] {
        var arguments: [JavaScriptValue] = []
        var argument = tree.argument(call, 0)
        while argument != 0, arguments.count < 8 {
            arguments.append(value(of: argument, source))
            argument = tree.next(argument)
        }
        return arguments
    }

    /// The expression that a function returns, if it does nothing else.
    func returned(by function: ID) -> ID? {
        let body = tree.last(function)
        guard tree.kind(body) == .block else { return body }
        let statement = tree.first(body)
        guard tree.kind(statement) == .returnStatement,
            tree.kind(tree.first(statement)) != .absent
        else { return nil }
        return tree.first(statement)
    }

    /// The result of a function whose body is an expression, or consists of `if (…) return …` and
    /// `return …`.
    mutating func result(ofBody function: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        let body = tree.last(function)
        guard tree.kind(body) == .block else { return value(of: body, source) }
        var statement = tree.first(body)
        while statement != 0, budget > 0 {
            var next = tree.next(statement)
            switch tree.kind(statement) {
            case .emptyStatement: break
            case .returnStatement:
                let result = tree.first(statement)
                return tree.kind(result) == .absent ? .undefined : value(of: result, source)
            case .block:
                guard next == 0 else { return .unknown }
                next = tree.first(statement)
            case .ifStatement:
                let then = tree.second(statement)
                let other = tree.next(then)
                guard
                    case .boolean(let isTrue) = resolved(value(of: tree.first(statement), source))
                        .truth
                else { return .unknown }
                let taken = isTrue ? then : tree.kind(other) == .absent ? 0 : other
                guard taken != 0 else { break }
                let result = tree.kind(taken) == .block ? tree.first(taken) : taken
                guard tree.kind(result) == .returnStatement || tree.kind(result) == .ifStatement
                else { return .unknown }
                // Nothing follows that statement: it has the other branch, or it leaves.
                next = result
            default: return .unknown
            }
            statement = next
        }
        return budget > 0 ? .undefined : .unknown
    }

    /// The result of calling a function of the script.
    mutating func result(
        of function: ID, _ arguments: [JavaScriptValue], _ source: Span<UInt8>
    ) -> JavaScriptValue {
        guard tree.kind(function).isFunction, let expression = returned(by: function) else {
            return .unknown
        }
        let parameters =
            tree.kind(function) == .arrowFunction ? tree.first(function) : tree.second(function)
        let outer = assumed
        defer { assumed = outer }
        var parameter = tree.first(parameters)
        var index = 0
        while parameter != 0, index < 8 {
            let hasDefault = tree.kind(parameter) == .assignment
            let name = hasDefault ? tree.first(parameter) : parameter
            if let binding = scopes.binding(of: name) {
                var value = index < arguments.count ? arguments[index] : .undefined
                if hasDefault, value == .undefined {
                    value = self.value(of: tree.second(parameter), source)
                }
                assumed[binding] = value
            }
            parameter = tree.next(parameter)
            index += 1
        }
        return value(of: expression, source)
    }

    private mutating func method(_ id: ID, _ callee: ID, _ source: Span<UInt8>) -> JavaScriptValue {
        let name = tree.name(tree.second(callee))
        let first = tree.argument(id, 0)
        if name == .h, first == 0, let hash = chunk?.buildHash { return .texts([hash]) }
        if surroundings.framework == .capacitor, first == 0 {
            if name == .isNativePlatform { return .boolean(true) }
            if name == .getPlatform {
                return .text(surroundings.engine == .webKit ? "ios" : "android")
            }
        }
        if name == .getAttribute, isPageBase(tree.first(callee), source) { return .page(.base) }
        let object = value(of: tree.first(callee), source)
        switch (object, name) {
        // The page may have no such element.
        case (.object(.document), .querySelector), (.object(.document), .getElementById):
            return .unlikely
        case (.object(.document), .createElement): return .object(.createElement)
        case (_, .concat):
            guard object.text != nil || Self.isComposed(object) else { return .unknown }
            var result = object
            var argument = first
            while argument != 0 {
                result = result.joined(value(of: argument, source))
                argument = tree.next(argument)
            }
            return result
        case (.list(let list), .join): return join(list, separator: first, source)
        case (_, .toString), (_, .valueOf), (_, .trim):
            return first == 0 && (object.text != nil || Self.isPage(object)) ? object : .unknown
        case (.page(let page), .replace): return replaced(page, first, source)
        case (_, .toLowerCase):
            return resolved(object).lowercased
        case (.record(let record), _):
            guard let name = property(tree.bytes(tree.second(callee), source), of: record, source),
                tree.kind(name).isFunction
            else { return .unknown }
            return result(of: name, arguments(of: id, source), source)
        default: return test(resolved(object), name, first, source)
        }
    }

    private static func isComposed(_ value: JavaScriptValue) -> Bool {
        switch value {
        case .composed, .page: true
        default: false
        }
    }

    private static func isPage(_ value: JavaScriptValue) -> Bool {
        if case .page = value { true } else { false }
    }

    /// `location.origin.replace("http", "ws")`, which changes nothing in a page with another scheme.
    private mutating func replaced(
        _ page: JavaScriptValue.Page, _ wanted: ID, _ source: Span<UInt8>
    ) -> JavaScriptValue {
        let text = resolved(.page(page == .base ? .href : page))
        let found: JavaScriptValue
        switch value(of: wanted, source) {
        case .pattern(let pattern, let ignoresCase):
            found = text.matches(pattern, ignoresCase: ignoresCase)
        case .texts(let texts): found = text.passes(.inside, texts[0])
        default: return .unknown
        }
        return found == .boolean(false) || found == .withheld ? .page(page) : .unknown
    }

    private mutating func join(_ list: ID, separator: ID, _ source: Span<UInt8>) -> JavaScriptValue
    {
        let between: JavaScriptValue = separator == 0 ? .text(",") : value(of: separator, source)
        var result: JavaScriptValue?
        var child = tree.first(list)
        while child != 0 {
            let next = value(of: child, source)
            result = result.map { $0.joined(between).joined(next) } ?? next
            child = tree.next(child)
        }
        return result ?? .texts([[]])
    }

    /// A test of a text: `startsWith`, `indexOf`, `test`, `match`.
    private mutating func test(
        _ object: JavaScriptValue, _ name: JavaScriptName?, _ first: ID, _ source: Span<UInt8>
    ) -> JavaScriptValue {
        guard let name, first != 0 else { return .unknown }
        switch name {
        case .test, .match, .search, .includes, .indexOf, .startsWith, .endsWith, .replace: break
        default: return .unknown
        }
        let argument = resolved(value(of: first, source))
        switch (object, argument) {
        case (.pattern(let pattern, let ignoresCase), _) where name == .test:
            return argument.matches(pattern, ignoresCase: ignoresCase)
        case (_, .pattern(let pattern, let ignoresCase)):
            let found = object.matches(pattern, ignoresCase: ignoresCase)
            if name == .match { return found }
            return name == .search && found == .boolean(false) ? .number(-1) : .unknown
        case (.list(let list), .texts):
            guard let text = argument.text, case .texts(let texts) = texts(of: list, source) else {
                return .unknown
            }
            let found = texts.firstIndex(of: text)
            if name == .includes { return .boolean(found != nil) }
            return name == .indexOf ? .number(found ?? -1) : .unknown
        default:
            guard case .texts = argument, let text = argument.text else { return .unknown }
            return test(object, name, text, source)
        }
    }

    private func test(
        _ object: JavaScriptValue, _ name: JavaScriptName, _ text: [UInt8], _ source: Span<UInt8>
    ) -> JavaScriptValue {
        switch name {
        case .startsWith: return object.passes(.start, text)
        case .endsWith: return object.passes(.end, text)
        case .includes: return object.passes(.inside, text)
        case .indexOf:
            switch object.passes(.inside, text) {
            case .boolean(false): return .number(-1)
            case .boolean(true):
                if object.passes(.start, text) == .boolean(true) { return .number(0) }
                return object.isAgent ? .unknown : .number(1)
            case .withheld: return .withheld
            default: return .unknown
            }
        default: return .unknown
        }
    }
}
