/// Files in the settings of an engine or a library.
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

    /// `loadPath: "/locales/{{lng}}/{{ns}}.json"` of i18next.
    ///
    /// Records the text before the language; with `fallbackLng: "en"`, that language's file is
    /// always requested.
    mutating func translations(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(1, ":", source) || at(1, "=", source) else { return }
        // The default path of i18next-http-backend.
        let isDefault =
            at(3, ",", source) && at(4, "addPath", source) && window[6].kind == .string
            && value(window[6], source).elementsEqual("/locales/add/{{lng}}/{{ns}}".utf8)
        if !isDefault { setsLoadPath = true }
        guard window[2].kind == .string, extent(at: 2, source) == .whole else { return }
        let literal = window[2]
        let path = value(literal, source)
        let mark = Array("{{lng}}".utf8)
        guard let language = path.firstRange(of: mark) else { return }
        claim(to: literal.end)
        translationPaths.append(
            TranslationPath(
                before: Array(path[..<language.lowerBound]),
                after: Array(path[language.upperBound...]), literal: literal, start: token.start,
                isDefault: isDefault))
    }

    struct TranslationPath {
        let before: [UInt8]
        let after: [UInt8]
        let literal: JavaScriptToken
        let start: Int
        /// Whether it is only the library's default.
        let isDefault: Bool
    }

    /// Remembers `fallbackLng: "en"`.
    mutating func fallbackLanguage(_ source: Span<UInt8>) {
        guard at(1, ":", source), window[2].kind == .string, extent(at: 2, source) == .whole else {
            return
        }
        fallbackLanguages.insert(value(window[2], source))
    }

    /// Records the paths of translations when all languages are known.
    mutating func finishTranslations(_ source: Span<UInt8>) {
        for path in translationPaths where !path.isDefault || !setsLoadPath {
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
                    detail: "GET", isGuarded: path.isDefault, isTried: true, isJoined: true))
        }
    }
}
