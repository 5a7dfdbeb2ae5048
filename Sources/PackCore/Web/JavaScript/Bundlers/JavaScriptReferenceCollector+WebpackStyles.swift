/// The style sheets of webpack's chunks.
extension JavaScriptReferenceCollector {
    /// The chunks that have a style sheet: `n.f.miniCss = (e, t) => { … {358: 1}[e] && … }`.
    mutating func styleChunks(_ source: Span<UInt8>) {
        guard at(1, "=", source) else { return }
        for offset in 2..<300 {
            if window[offset].kind == .end { return }
            guard at(offset, "{", source), let ids = table(ofOnesAt: offset, source) else {
                continue
            }
            styleIDs.formUnion(ids)
            return
        }
    }

    /// The keys of `{358: 1, about: 1}[e]`.
    private func table(ofOnesAt open: Int, _ source: Span<UInt8>) -> [[UInt8]]? {
        var ids: [[UInt8]] = []
        var offset = open + 1
        while ids.count < 100 {
            let key = window[offset]
            guard key.kind == .number || key.kind == .string || key.kind == .identifier,
                at(offset + 1, ":", source), window[offset + 2].kind == .number
            else { return nil }
            ids.append(key.content(in: source).map { source[$0] })
            offset += 3
            if at(offset, "}", source) {
                return at(offset + 1, "[", source) && window[offset + 2].kind == .identifier
                    ? ids : nil
            }
            guard at(offset, ",", source) else { return nil }
            offset += 1
        }
        return nil
    }

    /// `n.miniCssF(358)`.
    mutating func styleCall(_ source: Span<UInt8>) {
        guard at(1, "(", source), at(3, ")", source), styleIDs.count < Self.mostCalls,
            window[2].kind == .number || window[2].kind == .string
        else { return }
        styleIDs.insert(window[2].content(in: source).map { source[$0] })
    }

    /// Records the chunks of webpack 4 that have a style sheet, and their names.
    ///
    /// The code is `{1: 1}[e] && t.push(a[e] = new Promise(function (t, n) { for (var r =
    /// {1: "aa"}[e] + ".css", …`. The table of names also lists chunks without a sheet.
    mutating func olderSheetMap(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard token.start >= mapEnd, at(1, "(", source), at(2, "var", source),
            window[3].kind == .identifier, at(4, "=", source), at(-1, "{", source)
        else { return }
        let parameters = at(-2, "=>", source) ? -3 : -2
        guard at(parameters, ")", source),
            let open = opening(from: parameters - 1, limit: 8, source)
        else { return }
        var place = at(open - 1, "function", source) ? open - 2 : open - 1
        while place > open - 5, at(place, "(", source) { place -= 1 }
        guard at(place, "Promise", source), at(place - 1, "new", source),
            at(place - 2, "=", source), at(place - 3, "]", source),
            window[place - 4].kind == .identifier, at(place - 8, "push", source),
            at(place - 11, "&&", source), at(place - 12, "]", source),
            text(window[place - 13], source) == text(window[place - 4], source),
            at(place - 14, "[", source), at(place - 15, "}", source),
            let ids = keys(ofTableBefore: place - 15, source),
            let map = WebpackChunkMap(
                source, expressionFrom: window[4].end,
                parameter: window[place - 4].range.map { source[$0] })
        else { return }
        add(sheets: map, from: window[3].start, of: ids)
    }

    /// The keys of `{1: 1, 22: 1}` that ends at an offset.
    ///
    /// `nil` for another object, or one longer than the window.
    private func keys(ofTableBefore close: Int, _ source: Span<UInt8>) -> Set<[UInt8]>? {
        var keys: Set<[UInt8]> = []
        var place = close - 1
        while window[place].kind == .number, at(place - 1, ":", source) {
            let key = window[place - 2]
            guard key.kind != .end, key.kind != .punctuator else { return nil }
            keys.insert(
                WebpackExpressionReader.number(key, source)
                    ?? key.content(in: source).map { source[$0] })
            if at(place - 3, "{", source) { return keys }
            guard at(place - 3, ",", source) else { return nil }
            place -= 4
        }
        return nil
    }
}
