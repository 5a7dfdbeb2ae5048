import PackGround
import PackProfile
import PackWeb

extension DocumentReader {
    /// Reads the URLs in a web app manifest or a JSON file.
    ///
    /// Source maps are skipped: only developer tools use the names in them.
    mutating func readData() {
        let source = context.bytes
        switch context.kind {
        case .manifest: add(DataReferences.manifest(source.span))
        case .json:
            add(DataReferences.json(source.span))
            // The files of these formats are relative to the file that names them.
            let isList = context.site.files[context.index].path.fileEnding != "json"
            // A package description names the files of its sources.
            guard !context.path.fileName.elementsEqual("package.json".utf8) else { break }
            add(DataPath.json(source.span), isList: isList)
        case .text:
            // Tilesets are XML; the other files with this name are source code.
            let isCode = context.path.fileEnding == "tsx" && source.first != UInt8(ascii: "<")
            if !isCode { add(DataPath.text(source.span), isList: true) }
        default: break
        }
    }

    /// Reads the URLs in an SVG file, whose markup is parsed like a page with the root `svg`.
    mutating func readSVG() {
        readPage()
        add(DataReferences.xmlStyleSheets(context.bytes.span))
    }

    /// Reads the URLs in data inside a page: import maps, linked data, JSON, speculation rules.
    ///
    /// - Parameter number: The fragment's index in ``HTMLReferences/fragments``.
    mutating func readIsland(_ fragment: HTMLFragment, _ number: Int) {
        let text = fragment.decoded(in: context.bytes.span)
        let found: [DataReference]
        switch fragment.kind {
        case .importMap, .systemImportMap:
            found = DataReferences.importMap(text.bytes.span)
        case .linkedData: found = DataReferences.linkedData(text.bytes.span)
        case .json:
            found = DataReferences.json(text.bytes.span)
            add(DataPath.json(text.bytes.span), script: number) { text.sourceRange(of: $0) }
        case .speculationRules: found = DataReferences.json(text.bytes.span, .speculationRule)
        default: return
        }
        add(found, element: fragment.element) { text.sourceRange(of: $0) }
    }

    private mutating func add(
        _ found: [DataReference], element: Int? = nil,
        _ place: (Range<Int>) -> Range<Int> = { $0 }
    ) {
        for reference in found {
            add(
                .data(reference.kind), use(of: reference), value: reference.value,
                range: place(reference.range), holder: .literal, element: element)
        }
    }

    /// Reads the attributes whose values look like paths, and whose meaning is a script's.
    mutating func readAttributes(_ page: HTMLReferences) {
        let source = context.bytes
        for attribute in page.otherPaths {
            guard let path = DataPath.attribute(attribute, in: source.span) else { continue }
            let string = PathString(
                path, range: attribute.value, bracket: nil, outer: nil,
                word: Array(source[within: attribute.name]), in: context.site)
            context.dataPaths.append(string)
        }
    }

    /// - Parameter isList: Whether each path in such a file is loaded, from a place relative to it.
    private mutating func add(
        _ found: [DataPath], script: Int = 0, isList: Bool = false,
        _ place: (Range<Int>) -> Range<Int> = { $0 }
    ) {
        func bracket(_ offset: Int?) -> PathString.Place? {
            offset.map { PathString.Place(script: script, offset: $0) }
        }
        for path in found {
            let isFound = isList ? !context.resolve(path.value).isMiss : nil
            let string = PathString(
                path.value, range: place(path.range), bracket: bracket(path.bracket),
                outer: bracket(path.outer), word: path.word, isName: path.isName, isList: isList,
                isFound: isFound, in: context.site)
            context.dataPaths.append(string)
        }
    }

    private func use(of reference: DataReference) -> ReferenceUse {
        switch reference.kind {
        case .json: .literal
        // Web views do not read manifests.
        case .manifest, .manifestPage, .linkedData: .metadata
        case .linkedDataName: .identifier
        case .importMapKey: .inert
        case .importMap:
            // A prefix is never loaded, and a bare name is not a URL.
            reference.value.last == UInt8(ascii: "/") || !Self.isAddress(reference.value)
                ? .inert : .subresource
        case .speculationRule: .inert
        case .xmlStyleSheet: .subresource
        }
    }

    /// Whether an import treats a specifier as a URL: it starts with `/`, `./`, `../` or a scheme.
    static func isAddress(_ specifier: [UInt8]) -> Bool {
        specifier.first == UInt8(ascii: "/") || specifier.starts(with: "./".utf8)
            || specifier.starts(with: "../".utf8) || Reference.scheme(of: specifier) != nil
    }
}
