/// Calls of SystemJS.
extension JavaScriptReferenceCollector {
    /// `System.import("…")`.
    mutating func systemImport(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, ".", source), at(2, "import", source), at(3, "(", source), isLiteral(4) else {
            return
        }
        asset(token, argument: 4, source)
    }

    /// `System.import("@shop/cart")`, `System.register(["react"], …)`: names for an import map.
    mutating func systemNames(_ source: Span<UInt8>) {
        guard at(1, ".", source), at(3, "(", source) else { return }
        if at(2, "import", source), window[4].kind == .string {
            addSystemName(window[4], source)
        } else if at(2, "register", source), at(4, "[", source) {
            var place = 5
            while place < 200, window[place].kind == .string {
                addSystemName(window[place], source)
                place += 2
            }
        }
    }

    private mutating func addSystemName(_ literal: JavaScriptToken, _ source: Span<UInt8>) {
        guard result.systemNames.count < AMDCode.most else { return }
        result.systemNames.insert(value(literal, source))
    }
}
