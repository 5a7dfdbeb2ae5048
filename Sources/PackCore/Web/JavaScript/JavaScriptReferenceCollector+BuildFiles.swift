/// Files that the settings of an engine or a library name.
extension JavaScriptReferenceCollector {
    /// `{dataUrl: build + "/shop.data", …}` of Unity, `{"mainJsPath": "main.dart.js"}` of Flutter.
    mutating func buildFile(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, ":", source), token.traits.contains(.isMemberName),
            isLiteral(2) || window[2].kind == .identifier
        else { return }
        let name = token.kind == .string ? token.content(in: source) : token.range
        func isNamed(_ word: StaticString) -> Bool {
            name.count == word.utf8CodeUnitCount && source.holds(word, at: name.lowerBound)
        }
        if Self.buildScripts.contains(where: isNamed) {
            asset(token, argument: 2, source)
        } else if Self.buildData.contains(where: isNamed), isFile(2, source) {
            note(.fetch, from: token.start, argument: 2, source, detail: "GET")
        }
    }

    private static let buildScripts: [StaticString] = ["frameworkUrl", "mainJsPath"]
    private static let buildData: [StaticString] = [
        "dataUrl", "codeUrl", "memoryUrl", "mainWasmPath",
    ]

    /// `loadPath: "/locales/{{lng}}/{{ns}}.json"` of i18next: what precedes the language, which with
    /// `fallbackLng: "en"` is asked for in any case.
    mutating func translations(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, ":", source) || at(1, "=", source), window[2].kind == .string,
            extent(at: 2, source) == .whole
        else { return }
        let literal = window[2]
        let path = value(literal, source)
        let mark = Array("{{lng}}".utf8)
        guard let language = path.firstRange(of: mark) else { return }
        claim(to: literal.end)
        translationPaths.append(
            TranslationPath(
                before: Array(path[..<language.lowerBound]),
                after: Array(path[language.upperBound...]), literal: literal, start: token.start))
    }

    struct TranslationPath {
        let before: [UInt8]
        let after: [UInt8]
        let literal: JavaScriptToken
        let start: Int
    }

    /// Remembers `fallbackLng: "en"`.
    mutating func fallbackLanguage(_ source: Span<UInt8>) {
        guard at(1, ":", source), window[2].kind == .string, extent(at: 2, source) == .whole else {
            return
        }
        fallbackLanguages.insert(value(window[2], source))
    }

    /// Notes the paths of translations once all languages are known.
    mutating func finishTranslations(_ source: Span<UInt8>) {
        for path in translationPaths {
            var value = path.before
            var extent = JavaScriptReference.Extent.prefix
            if fallbackLanguages.count == 1, let language = fallbackLanguages.first {
                let rest = path.after.prefix { $0 != UInt8(ascii: "{") }
                value += language + rest
                if rest.count == path.after.count { extent = .whole }
            }
            note(
                JavaScriptReference(
                    .fetch, range: path.literal.content(in: source),
                    expression: path.start..<path.literal.end, value: value, extent: extent,
                    detail: "GET", isTried: true, isJoined: true))
        }
    }
}
