/// Loaders of modules by name: RequireJS and SystemJS.
extension JavaScriptReader {
    static let loaderPatterns: [JavaScriptPattern] = [
        JavaScriptPattern(.call, .require, .requirejs) { $0.requireCall($1, $2) },
        // `require.config({…})`
        JavaScriptPattern(.call, .config) { reader, id, source in
            switch reader.tree.name(reader.object(ofCall: id)) {
            case .require, .requirejs: break
            default: return
            }
            let object = reader.tree.argument(id, 0)
            if reader.tree.kind(object) == .object {
                reader.configuration(object, call: id, source)
            } else {
                reader.result.amd.isOpen = true
            }
        },
        // `require = {baseUrl: "js"}`, and `var require = …`
        JavaScriptPattern(.assignment, .require, .requirejs) { reader, id, source in
            let target = reader.tree.first(id)
            guard
                reader.tree.kind(target) == .identifier
                    || reader.tree.name(reader.tree.first(target)) == .window
            else { return }
            reader.globalConfiguration(reader.tree.second(id), source)
        },
        JavaScriptPattern(.name, .require, .requirejs) { reader, id, source in
            let declarator = reader.tree.parent(id)
            guard reader.tree.kind(declarator) == .declarator,
                reader.tree.first(declarator) == id
            else { return }
            reader.globalConfiguration(reader.tree.second(declarator), source)
        },
        JavaScriptPattern(.call, .define) { $0.defineCall($1, $2) },
        JavaScriptPattern(.call, .import, .register) { $0.systemCall($1, $2) },
    ]

    // MARK: - RequireJS

    private mutating func globalConfiguration(_ object: ID, _ source: Span<UInt8>) {
        guard
            property(.baseUrl, of: object) != 0 || property(.paths, of: object) != 0
                || property(.deps, of: object) != 0
        else { return }
        configuration(object, call: 0, source)
    }

    /// `require(["a"], …)`, `require({…}, ["a"])`.
    private mutating func requireCall(_ id: ID, _ source: Span<UInt8>) {
        guard tree.kind(tree.first(id)) == .identifier else { return }
        let first = tree.argument(id, 0)
        if tree.kind(first) == .object {
            configuration(first, call: id, source)
            dependencies(tree.next(first), call: id, source)
        } else {
            dependencies(first, call: id, source)
        }
    }

    /// `define(["a"], …)`, `define("name", ["a"], …)`.
    private mutating func defineCall(_ id: ID, _ source: Span<UInt8>) {
        guard tree.kind(tree.first(id)) == .identifier else { return }
        let first = tree.argument(id, 0)
        guard tree.kind(first) == .string else { return dependencies(first, call: id, source) }
        guard tree.next(first) != 0, result.amd.names.count < AMDCode.most else { return }
        result.amd.names.insert(tree.text(first, source))
        dependencies(tree.next(first), call: id, source)
    }

    /// The names in a list, up to the first that is not a literal.
    private mutating func dependencies(_ list: ID, call: ID, _ source: Span<UInt8>) {
        guard tree.kind(list) == .array else { return }
        var found: [AMDCode.Dependency] = []
        for element in tree.children(list) {
            guard tree.kind(element) == .string else { break }
            guard found.count < AMDCode.most else { return }
            found.append(
                .init(name: tree.text(element, source), range: tree.content(element)))
        }
        let isDefinition = tree.name(tree.first(call)) == .define
        guard !found.isEmpty, result.amd.dependencies.count + found.count <= AMDCode.most,
            call == 0 || reach(of: call, source) != .guarded,
            // A function for errors follows the one for the modules.
            isDefinition || call == 0 || tree.kind(list) == .array && tree.argument(call, 2) == 0
        else { return }
        result.amd.dependencies += found
    }

    /// The object with the loader's settings.
    private mutating func configuration(_ object: ID, call: ID, _ source: Span<UInt8>) {
        result.amd.hasConfiguration = true
        // Dojo's loader has modules in a `cache`.
        for name in [.map, .bundles, .packages, .cache] as [JavaScriptName]
        where property(name, of: object) != 0 {
            result.amd.isOpen = true
        }
        let base = property(.baseUrl, of: object)
        if base != 0 {
            if tree.kind(base) == .string {
                result.amd.baseURL = tree.text(base, source)
            } else {
                result.amd.isOpen = true
            }
        }
        dependencies(property(.deps, of: object), call: call, source)
        let paths = property(.paths, of: object)
        if paths != 0, !readPaths(paths, source) { result.amd.isOpen = true }
    }

    /// Reads the `paths` of a configuration.
    ///
    /// - Returns: Whether the whole object could be read.
    private mutating func readPaths(_ object: ID, _ source: Span<UInt8>) -> Bool {
        guard tree.kind(object) == .object else { return false }
        for path in tree.children(object) {
            let key = tree.first(path)
            guard tree.kind(path) == .property, !tree[path].flags.contains(.computed),
                !tree[path].flags.contains(.shorthand),
                tree.kind(key) == .string || tree.kind(key) == .identifier,
                result.amd.paths.count < AMDCode.most
            else { return false }
            let value = tree.second(path)
            result.amd.paths.updateValue(
                tree.kind(value) == .string ? tree.text(value, source) : nil,
                forKey: evaluator.keyText(key, source))
        }
        return true
    }

    // MARK: - SystemJS

    /// `System.import("@shop/cart")`, `System.register(["react"], …)`: addresses, or names for an import
    /// map.
    private mutating func systemCall(_ id: ID, _ source: Span<UInt8>) {
        guard tree.name(object(ofCall: id)) == .System else { return }
        let first = tree.argument(id, 0)
        if tree.memberName(tree.first(id)) == .import {
            if tree.kind(first) == .string { addSystemName(first, source) }
            if isLiteral(first) { asset(first, named: object(ofCall: id), of: id, source) }
        } else if tree.kind(first) == .array {
            for name in tree.children(first) {
                guard tree.kind(name) == .string else { return }
                addSystemName(name, source)
            }
        }
    }

    private mutating func addSystemName(_ literal: ID, _ source: Span<UInt8>) {
        guard result.systemNames.count < AMDCode.most else { return }
        result.systemNames.insert(tree.text(literal, source))
    }
}
