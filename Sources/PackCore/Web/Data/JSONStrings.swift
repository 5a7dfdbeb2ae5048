/// The strings of a JSON text, each with its bytes and the keys around it.
///
/// Accepts text that a browser would reject, because it reads the author's text up to its first
/// error. Objects and arrays may be nested to any depth.
struct JSONStrings: Sendable {
    /// A string that is a value or a member's name.
    struct Found: Sendable {
        /// The bytes between the quotes.
        let range: Range<Int>
        /// Decoded, in UTF-8.
        let value: [UInt8]
        /// The names of the members around it, outermost first; `[]` for each array.
        let path: [String]
        let isName: Bool
        /// The offset of the innermost open bracket, and of the bracket around that one.
        let bracket: Int?
        let outer: Int?
    }

    /// The largest number of names in a path; deeper ones have no meaning in the supported formats.
    private static let deepestPath = 12

    /// Calls a function for each string, in the order of the text.
    ///
    /// - Parameters:
    ///   - wanted: Whether to decode a string with these bytes.
    ///   - body: Receives each wanted string; `false` ends the walk.
    static func walk(
        _ source: Span<UInt8>, wanted: (Range<Int>) -> Bool = { _ in true },
        _ body: (Found) -> Bool
    ) {
        var tokenizer = JavaScriptTokenizer(source, goal: .module)
        var path: [String] = []
        var brackets: [(isArray: Bool, start: Int)] = []
        func found(_ range: Range<Int>, _ value: [UInt8], _ path: [String], isName: Bool) -> Found {
            Found(
                range: range, value: value, path: path, isName: isName,
                bracket: brackets.last?.start, outer: brackets.dropLast().last?.start)
        }
        var uncounted = 0
        var expectsName = false
        while true {
            let token = tokenizer.next(in: source)
            switch token.kind {
            case .end: return
            case .punctuator:
                switch source[token.start] {
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    let isArray = source[token.start] == UInt8(ascii: "[")
                    if brackets.count < deepestPath {
                        brackets.append((isArray, token.start))
                        path.append(isArray ? "[]" : "")
                    } else {
                        uncounted += 1
                    }
                    expectsName = !isArray && uncounted == 0
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if uncounted > 0 {
                        uncounted -= 1
                    } else if !brackets.isEmpty {
                        brackets.removeLast()
                        path.removeLast()
                    }
                    expectsName = false
                case UInt8(ascii: ","):
                    expectsName = uncounted == 0 && brackets.last?.isArray == false
                case UInt8(ascii: ":"): expectsName = false
                default: break
                }
            case .string:
                let content = token.content(in: source)
                if expectsName {
                    let name = decode(token, content, source)
                    if !path.isEmpty {
                        path[path.count - 1] = String(decoding: name, as: UTF8.self)
                    }
                    guard wanted(content) else { continue }
                    let outer = Array(path.dropLast())
                    if !body(found(content, name, outer, isName: true)) { return }
                } else if wanted(content) {
                    let value = decode(token, content, source)
                    if !body(found(content, value, path, isName: false)) { return }
                }
            default: break
            }
        }
    }

    private static func decode(
        _ token: JavaScriptToken, _ content: Range<Int>, _ source: Span<UInt8>
    ) -> [UInt8] {
        token.traits.contains(.escaped)
            ? JavaScriptString.decode(source, content) : content.map { source[$0] }
    }
}
