/// Calls of AMD loaders.
extension JavaScriptReferenceCollector {
    /// `require.config({…})`, `require(["a"], …)`, `var require = {baseUrl: "js"}`.
    mutating func requireName(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if at(1, "=", source), at(2, "{", source) {
            guard !at(-1, ".", source) || at(-2, "window", source),
                member("baseUrl", ofObjectAt: 2, source) != nil
                    || member("paths", ofObjectAt: 2, source) != nil
                    || member("deps", ofObjectAt: 2, source) != nil
            else { return }
            return configuration(2, source)
        }
        guard !at(-1, ".", source), !at(-1, "function", source) else { return }
        if at(1, ".", source), at(2, "config", source), at(3, "(", source) {
            return at(4, "{", source) ? configuration(4, source) : (result.amd.isOpen = true)
        }
        guard at(1, "(", source) else { return }
        if at(2, "{", source) {
            configuration(2, source)
            if let list = argument(2, ofCallAt: 1, source) { dependencies(list, callAt: 1, source) }
        } else {
            dependencies(2, callAt: 1, source)
        }
    }

    /// `define(["a"], …)`, `define("name", ["a"], …)`.
    mutating func defineName(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, "(", source), !at(-1, ".", source), !at(-1, "function", source) else { return }
        guard window[2].kind == .string else { return dependencies(2, callAt: 1, source) }
        guard at(3, ",", source), result.amd.names.count < AMDCode.most else { return }
        result.amd.names.insert(value(window[2], source))
        dependencies(4, callAt: 1, source)
    }

    /// The names in the list at an offset, up to the first that is not a literal.
    private mutating func dependencies(_ list: Int, callAt open: Int, _ source: Span<UInt8>) {
        guard at(list, "[", source) else { return }
        var found: [AMDCode.Dependency] = []
        var place = list + 1
        while window[place].kind == .string, place < list + 400 {
            found.append(
                .init(
                    name: value(window[place], source), range: window[place].content(in: source)))
            if at(place + 1, "]", source) { break }
            guard at(place + 1, ",", source) else { return }
            place += 2
        }
        guard !found.isEmpty, result.amd.dependencies.count + found.count <= AMDCode.most,
            reach(callAt: open, source) != .guarded,
            // A function for errors follows the one for the modules.
            at(-1 + open, "define", source) || argument(3, ofCallAt: open, source) == nil
        else { return }
        result.amd.dependencies += found
    }

    /// The object with the loader's settings at an offset.
    private mutating func configuration(_ object: Int, _ source: Span<UInt8>) {
        result.amd.hasConfiguration = true
        for name in ["map", "bundles", "packages"] as [StaticString]
        where member(name, ofObjectAt: object, source) != nil {
            result.amd.isOpen = true
        }
        if let base = member("baseUrl", ofObjectAt: object, source) {
            if window[base].kind == .string, extent(at: base, source) == .whole {
                result.amd.baseURL = value(window[base], source)
            } else {
                result.amd.isOpen = true
            }
        }
        if let list = member("deps", ofObjectAt: object, source) {
            dependencies(list, callAt: object - 1, source)
        }
        guard let paths = member("paths", ofObjectAt: object, source) else {
            // A long object is not read to its end.
            if closing(object, source) == nil { result.amd.isOpen = true }
            return
        }
        if !readPaths(paths, source) { result.amd.isOpen = true }
    }

    /// Reads the `paths` of a configuration.
    ///
    /// - Returns: Whether the whole object could be read.
    private mutating func readPaths(_ object: Int, _ source: Span<UInt8>) -> Bool {
        guard at(object, "{", source) else { return false }
        var place = object + 1
        while place < object + 480, !at(place, "}", source) {
            let name = window[place]
            guard name.kind == .string || name.kind == .identifier, at(place + 1, ":", source),
                result.amd.paths.count < AMDCode.most
            else { return false }
            let key = name.kind == .string ? value(name, source) : name.range.map { source[$0] }
            let isLiteral =
                window[place + 2].kind == .string
                && (at(place + 3, ",", source) || at(place + 3, "}", source))
            result.amd.paths.updateValue(
                isLiteral ? value(window[place + 2], source) : nil, forKey: key)
            let end = expressionEnd(from: place + 2, limit: 64, source)
            place = at(end, ",", source) ? end + 1 : end
            if end == place, !at(place, "}", source) { return false }
        }
        return at(place, "}", source)
    }
}
