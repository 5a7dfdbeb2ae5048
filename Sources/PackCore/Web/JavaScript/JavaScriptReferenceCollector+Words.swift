/// Tests of the tokens around the current one.
extension JavaScriptReferenceCollector {
    /// Whether the token at an offset is this punctuator or name.
    ///
    /// Always inlined, because the compiler would copy the collector for a call.
    @inline(__always)
    func at(_ offset: Int, _ text: StaticString, _ source: Span<UInt8>) -> Bool {
        window[offset].is(text, in: source)
    }

    /// Whether the current name is a global, alone or as a member of `window` or similar objects.
    func isGlobal(_ source: Span<UInt8>) -> Bool {
        guard at(-1, ".", source) || at(-1, "?.", source) else {
            return !at(-1, "function", source)
                && !window[0].traits.contains(.isMemberName)
        }
        return at(-2, "window", source) || at(-2, "self", source)
            || at(-2, "globalThis", source)
    }

    func isMember(of object: StaticString, _ source: Span<UInt8>) -> Bool {
        (at(-1, ".", source) || at(-1, "?.", source)) && at(-2, object, source)
    }

    func text(_ token: JavaScriptToken, _ source: Span<UInt8>) -> String {
        String(decoding: token.range.map { source[$0] }, as: UTF8.self)
    }

    func isAssignment(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        at(offset, "=", source) || at(offset, "+=", source)
    }
}
