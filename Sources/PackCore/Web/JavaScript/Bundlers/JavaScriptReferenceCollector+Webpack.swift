/// The runtime of webpack and Rspack: the chunks and their names.
extension JavaScriptReferenceCollector {
    /// A map of chunks, kept until the whole script is known.
    struct ChunkMap {
        /// The runtime's name for itself: `n` of `n.u = …`.
        let object: [UInt8]
        let map: WebpackChunkMap
        let expression: Range<Int>
        let isStyle: Bool
        /// The chunks that have such a file, if the runtime lists them next to the map.
        var only: Set<[UInt8]>?
    }

    /// The chunks that a runtime requests: webpack omits those merged into others.
    struct ChunkSelection: Sendable {
        let object: [UInt8]
        let ids: Set<[UInt8]>
        let areLoaded: Bool

        func loads(_ id: [UInt8]) -> Bool { ids.contains(id) == areLoaded }
    }

    static let mostCalls = 100_000
    private static let mostSelections = 16
    private static let mostOpenMaps = 16

    /// `n.p = …`, `n.u = …`, `n.f.j = …` and `n.e(…)` of webpack's runtime and chunks.
    mutating func shortName(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard token.end &- token.start == 1, at(-1, ".", source), token.start >= mapEnd else {
            return
        }
        let isAssigned = at(1, "=", source) && window[-2].kind == .identifier
        switch source[token.start] {
        case UInt8(ascii: "e"): chunkCall(source)
        case UInt8(ascii: "u"):
            if isAssigned {
                chunkMap(token, source, isStyle: false)
            } else if at(-3, "+", source), at(-4, "p", source), at(-5, ".", source) {
                // The chunk of a worker: `new URL(n.p + n.u(790), n.b)`.
                chunkCall(source)
            }
        case UInt8(ascii: "p"):
            if isAssigned {
                publicPath(token, source)
            } else if at(1, "+", source), at(-3, "return", source) {
                olderChunkMap(source)
            }
        case UInt8(ascii: "j"):
            if at(1, "=", source), at(-2, "f", source), at(-3, ".", source) {
                selection(source)
            }
        case UInt8(ascii: "l"): remoteEntry(token, source)
        default: break
        }
    }

    /// `n.e(358)`, `n.e("about")`.
    private mutating func chunkCall(_ source: Span<UInt8>) {
        guard at(1, "(", source), at(3, ")", source) || at(3, ",", source),
            window[2].kind == .number || window[2].kind == .string,
            result.chunkCalls.count < Self.mostCalls
        else { return }
        let content = window[2].content(in: source)
        guard content.count <= 128, !content.isEmpty else { return }
        result.chunkCalls.insert(content.map { source[$0] })
    }

    /// `(self.webpackChunk = …).push([[502, 7], {…}])`: the modules of these chunks follow.
    mutating func definedChunks(_ source: Span<UInt8>) {
        guard at(-1, ".", source), at(1, "(", source), at(2, "[", source), at(3, "[", source) else {
            return
        }
        var offset = 4
        while window[offset].kind == .number || window[offset].kind == .string,
            result.definedChunks.count < Self.mostCalls
        {
            let content = window[offset].content(in: source)
            guard content.count <= 128 else { return }
            result.definedChunks.insert(content.map { source[$0] })
            guard at(offset + 1, ",", source) else { return }
            offset += 2
        }
    }

    /// `n.l("/remotes/shop/remoteEntry.js", …)` of a module federation.
    private mutating func remoteEntry(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, "(", source), window[2].kind == .string, at(3, ",", source),
            hasEnding(window[2], ["js"], source)
        else { return }
        note(
            .asset, from: token.start, argument: 2, source, detail: "remote",
            isGuarded: isAssetGuarded(source))
    }

    // MARK: - Maps

    mutating func chunkMap(_ token: JavaScriptToken, _ source: Span<UInt8>, isStyle: Bool) {
        guard at(1, "=", source), at(-1, ".", source) else { return }
        // Older versions write `n.u = (e => …)`.
        let isEnclosed =
            at(2, "(", source) && window[3].kind == .identifier && at(4, "=>", source)
        add(
            mapAt: window[isEnclosed ? 2 : 1].end, from: window[-2].start, object: window[-2],
            isStyle, source)
    }

    /// `function (e) { return n.p + "js/" + {…}[e] + ".js" }` of webpack 4.
    private mutating func olderChunkMap(_ source: Span<UInt8>) {
        guard at(-4, "{", source), at(-5, ")", source), at(-7, "(", source) else { return }
        let start = at(-8, "function", source) ? -8 : -9
        guard at(start, "function", source) else { return }
        let begin = window[start].start
        add(mapAt: begin, from: begin, object: window[-2], false, source)
    }

    private mutating func add(
        mapAt position: Int, from start: Int, object: JavaScriptToken, _ isStyle: Bool,
        _ source: Span<UInt8>
    ) {
        guard let map = WebpackChunkMap(source, from: position) else { return }
        mapEnd = max(mapEnd, map.range.upperBound)
        let object = object.range.map { source[$0] }
        runtimeObjects.insert(object)
        chunkMaps.append(
            ChunkMap(
                object: object, map: map, expression: start..<map.range.upperBound,
                isStyle: isStyle))
    }

    /// `x.src = "/js/" + ({1: "about"}[e] || e) + "." + {1: "a1b2"}[e] + ".js"`, optionally after
    /// `n.p +`.
    ///
    /// - Returns: `false` for any other code.
    mutating func scriptAddress(_ source: Span<UInt8>) -> Bool {
        let isBelowPublicPath =
            window[2].kind == .identifier && at(3, ".", source) && at(4, "p", source)
            && at(5, "+", source)
        guard isBelowPublicPath || window[2].kind == .string && at(3, "+", source),
            let map = WebpackChunkMap(source, tableExpressionFrom: window[2].start)
        else { return false }
        let names = map.identifiers.compactMap { map.chunk($0) }.filter {
            $0.isCertain && $0.name.suffix(3).elementsEqual(".js".utf8)
        }
        guard !names.isEmpty else { return false }
        if isBelowPublicPath {
            let object = window[2].range.map { source[$0] }
            runtimeObjects.insert(object)
            chunkMaps.append(
                ChunkMap(object: object, map: map, expression: map.range, isStyle: false))
        } else {
            for name in Set(names.map(\.name)).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                note(
                    JavaScriptReference(
                        .chunk, range: map.range, expression: map.range, value: name,
                        extent: .whole, form: .address))
            }
        }
        mapEnd = max(mapEnd, map.range.upperBound)
        return true
    }

    /// Adds a map of style sheets, and the chunks that have one.
    mutating func add(sheets map: WebpackChunkMap, from start: Int, of ids: Set<[UInt8]>) {
        mapEnd = max(mapEnd, map.range.upperBound)
        chunkMaps.append(
            ChunkMap(
                object: [], map: map, expression: start..<map.range.upperBound, isStyle: true,
                only: ids))
    }

    /// The condition in `n.f.j = (e, t) => { … }` on the chunks that have a script.
    ///
    /// For example `if (!/^(1|2)$/.test(e))`, `if (666 != e)`.
    private mutating func selection(_ source: Span<UInt8>) {
        guard selections.count < Self.mostSelections else { return }
        var parameter = at(2, "function", source) ? 3 : 2
        while parameter < 6, !at(parameter, "(", source) { parameter += 1 }
        parameter += 1
        guard window[parameter].kind == .identifier else { return }
        let name = window[parameter].range.map { source[$0] }
        func isParameter(_ offset: Int) -> Bool {
            window[offset].kind == .identifier
                && window[offset].range.elementsEqual(name, by: { source[$0] == $1 })
        }
        /// Whether the code for a true condition is `installed[e] = 0`.
        func loadsNothing(_ offset: Int) -> Bool {
            var body = offset
            while at(body, ")", source) || at(body, "{", source) || at(body, "?", source) {
                body += 1
            }
            return at(body + 1, "[", source) && isParameter(body + 2)
                && at(body + 3, "]", source) && at(body + 4, "=", source)
                && window[body + 5].kind == .number
        }
        let object = window[-4].range.map { source[$0] }
        for offset in parameter..<400 {
            let token = window[offset]
            if token.kind == .end { return }
            if token.kind == .regularExpression, at(offset + 2, "test", source),
                isParameter(offset + 4)
            {
                guard
                    let ids = FiniteExpression.texts(
                        token.content(in: source).map { source[$0] })
                else { return }
                let isNegated = at(offset - 1, "!", source)
                let isEmpty = loadsNothing(offset + 6)
                selections.append(
                    ChunkSelection(object: object, ids: ids, areLoaded: isNegated == isEmpty))
                return
            }
            guard isParameter(offset) else { continue }
            for (comparison, id) in [(offset - 1, offset - 2), (offset + 1, offset + 2)]
            where isComparison(comparison, source) {
                let token = window[id]
                guard token.kind == .number || token.kind == .string else { continue }
                let ids: Set<[UInt8]> = [token.content(in: source).map { source[$0] }]
                let isNegated =
                    at(comparison, "!=", source) || at(comparison, "!==", source)
                let isEmpty = loadsNothing(max(id, offset) + 1)
                selections.append(
                    ChunkSelection(object: object, ids: ids, areLoaded: isNegated == isEmpty))
                return
            }
        }
    }

    /// Records every file of the maps.
    ///
    /// Those are the chunks in their tables, and without a table, the chunks that the script itself
    /// requests.
    mutating func finishChunks() {
        // Other scripts have methods of this name.
        if runtimeObjects.isEmpty, !sawChunkGlobal {
            result.chunkCalls = []
            result.definedChunks = []
        }
        result.runtimes = chunkMaps.count { !$0.isStyle }
        for entry in chunkMaps {
            let ofObject = selections.filter { $0.object == entry.object }
            let selection = ofObject.count == 1 ? ofObject[0] : nil
            var ids = entry.map.identifiers
            if !entry.isStyle, entry.map.isOpen, result.openMaps.count < Self.mostOpenMaps {
                ids += result.chunkCalls.subtracting(ids).sorted {
                    $0.lexicographicallyPrecedes($1)
                }
                result.openMaps.append(
                    OpenChunkMap(
                        map: entry.map, selection: selection, expression: entry.expression))
            }
            if entry.isStyle {
                ids += styleIDs.subtracting(ids).sorted {
                    $0.lexicographicallyPrecedes($1)
                }
            }
            var seen: Set<[UInt8]> = []
            for id in ids where entry.isStyle || selection?.loads(id) ?? true {
                guard entry.only?.contains(id) ?? true, let chunk = entry.map.chunk(id),
                    !entry.isStyle || chunk.isCertain || styleIDs.contains(id),
                    seen.insert(chunk.name).inserted
                else { continue }
                note(
                    JavaScriptReference(
                        .chunk, range: entry.map.range, expression: entry.expression,
                        value: chunk.name, extent: .whole,
                        form: entry.isStyle ? .webpackStyle : .webpackScript))
            }
        }
    }
}
