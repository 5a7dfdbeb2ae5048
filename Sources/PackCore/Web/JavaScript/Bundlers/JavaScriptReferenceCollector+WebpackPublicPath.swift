/// The public path of webpack, and the addresses below it.
extension JavaScriptReferenceCollector {
    /// `n.p = "/static/"`.
    mutating func publicPath(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        let start = window[-2].start
        if window[2].kind == .string {
            addPublicPath(window[2], extent(at: 2, source), source)
        } else if window[2].kind == .identifier {
            if let literal = webDefault(from: 2, source) {
                return addPublicPath(literal, .prefix, source)
            }
            // Computed from the script's own address at run time.
            let range = start..<window[2].end
            let isExtended = at(3, "+", source) && window[4].kind == .string
            add(
                JavaScriptReference(
                    .publicPath, range: range, expression: range,
                    value: isExtended ? value(window[4], source) : [], form: .webpackAuto),
                source)
        }
    }

    private mutating func addPublicPath(
        _ literal: JavaScriptToken, _ extent: JavaScriptReference.Extent, _ source: Span<UInt8>
    ) {
        add(
            JavaScriptReference(
                .publicPath, range: literal.content(in: source),
                expression: window[-2].start..<literal.end, value: value(literal, source),
                extent: extent, form: .webpack),
            source)
    }

    private mutating func add(_ publicPath: JavaScriptReference, _ source: Span<UInt8>) {
        publicPaths.append((window[-2].range.map { source[$0] }, publicPath))
    }

    /// The default web address of a page setting: `window.ASSETS || "https://unpkg.com/" + …`.
    private func webDefault(from start: Int, _ source: Span<UInt8>) -> JavaScriptToken? {
        var offset = start
        while offset < start + 12, window[offset].kind == .identifier, at(offset + 1, ".", source) {
            offset += 2
        }
        guard window[offset].kind == .identifier,
            at(offset + 1, "||", source) || at(offset + 1, "??", source),
            window[offset + 2].kind == .string
        else { return nil }
        let content = window[offset + 2].content(in: source)
        return source.holds("https://", at: content.lowerBound)
            || source.holds("http://", at: content.lowerBound) ? window[offset + 2] : nil
    }

    /// `n.p + "static/media/a.png"`, which is the whole address below the public path.
    mutating func publicAsset(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard !window[1].is(".", in: source),
            namesFile(source.extracting(token.content(in: source)))
        else { return note(.literal, from: token.start, argument: 0, source) }
        claim(to: token.end)
        sawPublicAsset = true
        note(
            JavaScriptReference(
                .publicAsset, range: token.content(in: source), expression: token.range,
                value: value(token, source), extent: .whole,
                isGuarded: isInlineWorker(source)))
    }

    /// Whether the current file is requested only if its content, the first argument of the call,
    /// cannot be made a worker.
    ///
    /// worker-loader writes `inline("…", "Worker", void 0, n.p + "a.worker.js")`, and `inline("…",
    /// n.p + "a.worker.js")` before version 3.
    private func isInlineWorker(_ source: Span<UInt8>) -> Bool {
        guard at(1, ")", source), at(-2, "p", source), at(-5, ",", source),
            let open = opening(from: -5, limit: 16, source), at(open, "(", source),
            window[open + 1].kind == .string, at(open + 2, ",", source)
        else { return false }
        let code = source.extracting(window[open + 1].content(in: source))
        return (0..<code.count).contains {
            code[$0] == UInt8(ascii: "(") || code[$0] == UInt8(ascii: "=")
        }
    }

    /// Whether `n.p +` or `__webpack_public_path__ +` precedes the current literal.
    func isPublicPath(_ source: Span<UInt8>) -> Bool {
        at(-2, "__webpack_public_path__", source)
            || at(-2, "p", source) && at(-3, ".", source) && window[-4].kind == .identifier
                && !at(-5, ".", source) && !at(-5, "?.", source)
    }

    /// Whether a function that returns the public path is called directly before the current
    /// literal.
    ///
    /// Next.js writes `(()=>self.__webpack_public_path__||"")()+`.
    func followsPublicPathCall(_ source: Span<UInt8>) -> Bool {
        guard at(-2, ")", source), at(-3, "(", source), at(-4, ")", source),
            let start = opening(from: -5, limit: 96, source)
        else { return false }
        return (start ..< -4).contains { at($0, "__webpack_public_path__", source) }
    }
}
