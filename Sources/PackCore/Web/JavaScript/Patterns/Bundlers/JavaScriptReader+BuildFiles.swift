/// Files in the settings of an engine or a library.
extension JavaScriptReader {
    static let buildFilePatterns: [JavaScriptPattern] = [
        // `{frameworkUrl: build + "/shop.js"}` of Unity, `{"mainJsPath": "main.dart.js"}` of Flutter
        JavaScriptPattern(.property, .frameworkUrl, .mainJsPath) { reader, id, source in
            let value = reader.tree.second(id)
            reader.asset(value, named: reader.tree.first(id), of: id, source)
        },
        JavaScriptPattern(.property, .dataUrl, .codeUrl, .memoryUrl, .mainWasmPath) {
            reader, id, source in
            let value = reader.tree.second(id)
            guard reader.isFile(value, source) else { return }
            reader.note(
                .fetch, from: reader.tree.start(id), addressAt: value, source, detail: "GET")
        },
        // `loadPath: "/locales/{{lng}}/{{ns}}.json"` of i18next
        JavaScriptPattern(.property, .loadPath) { reader, id, source in
            reader.translations(id, reader.tree.second(id), source)
        },
        JavaScriptPattern(.assignment, .loadPath) { reader, id, source in
            reader.translations(id, reader.tree.second(id), source)
        },
        JavaScriptPattern(.property, .fallbackLng) { reader, id, source in
            let value = reader.tree.second(id)
            guard reader.tree.kind(value) == .string else { return }
            reader.bundle.fallbackLanguages.insert(reader.tree.text(value, source))
        },
    ]

    /// Remembers a path of translations.
    ///
    /// With `fallbackLng: "en"`, that language's file is always requested.
    private mutating func translations(_ id: ID, _ value: ID, _ source: Span<UInt8>) {
        // The default path of i18next-http-backend.
        let next = tree.next(id)
        let isDefault =
            tree.kind(next) == .property && tree.name(tree.first(next)) == .addPath
            && isString(tree.second(next), "/locales/add/{{lng}}/{{ns}}", source)
        if !isDefault { bundle.setsLoadPath = true }
        guard tree.kind(value) == .string else { return }
        let path = tree.text(value, source)
        let mark = Array("{{lng}}".utf8)
        guard let language = path.firstRange(of: mark) else { return }
        claim(value)
        let target = tree.first(id)
        let name = tree.kind(target) == .member ? tree.second(target) : target
        bundle.translationPaths.append(
            .init(
                before: Array(path[..<language.lowerBound]),
                after: Array(path[language.upperBound...]), range: tree.content(value),
                expression: tree.start(name)..<tree.end(value), isDefault: isDefault))
    }

    /// Records the paths of translations when all languages are known: the text before the language, or
    /// the file of the one that is always requested.
    mutating func finishTranslations() {
        for path in bundle.translationPaths where !path.isDefault || !bundle.setsLoadPath {
            var value = path.before
            var extent = JavaScriptReference.Extent.prefix
            if bundle.fallbackLanguages.count == 1, let language = bundle.fallbackLanguages.first {
                let rest = path.after.prefix { $0 != UInt8(ascii: "{") }
                value += language + rest
                if rest.count == path.after.count { extent = .whole }
            }
            note(
                JavaScriptReference(
                    .fetch, range: path.range, expression: path.expression, value: value,
                    extent: extent, detail: "GET", isGuarded: path.isDefault, isTried: true,
                    isJoined: true))
        }
    }
}
