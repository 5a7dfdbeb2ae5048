/// Finds the references of a script in one pass over its tokens.
struct JavaScriptReferenceCollector {
    var window: JavaScriptTokenWindow
    var result = JavaScriptReferences()
    private var counts: [JavaScriptReference.Kind: Int] = [:]
    /// Literals before this position belong to recorded references.
    private var claimed = 0
    /// The end of the last chunk map, which is not searched for references.
    var mapEnd = 0
    private var isInPreloadList = false
    /// `n.p = "…"`, which is a public path only in a bundler's runtime.
    var publicPaths: [(object: [UInt8], reference: JavaScriptReference)] = []
    var runtimeObjects: Set<[UInt8]> = []
    var chunkMaps: [ChunkMap] = []
    var selections: [ChunkSelection] = []
    var sawChunkGlobal = false
    /// The chunks that have a style sheet.
    var styleIDs: Set<[UInt8]> = []
    /// The variables that object URLs are assigned to.
    var objectURLs: Set<[UInt8]> = []
    var sawPublicAsset = false
    /// The variables with the constructor of functions.
    var codeMakers: Set<[UInt8]> = []
    /// Functions that pass their first argument to `fetch`.
    var requestHelpers: Set<[UInt8]> = []
    /// The positions of the open brackets around the current token.
    var brackets: [Int] = []
    /// The number of brackets around each `fetch` function of the script that is in scope.
    var ownFetches: [Int] = []
    var constants: JavaScriptConstants
    /// Names of conditions with a known result.
    var flags: [[UInt8]: JavaScriptValue] = [:]
    /// Whether ``flags`` has members of objects: `env.DEV`.
    var sawFlagMembers = false
    let surroundings: JavaScriptSurroundings
    /// Instances of an HTTP library, with their base.
    var instances: JavaScriptConstants
    var translationPaths: [TranslationPath] = []
    /// Whether the script gives Emscripten's code a function for the location of its files.
    var setsLocateFile = false
    /// Whether the script sets the location of translations.
    var setsLoadPath = false
    var fallbackLanguages: Set<[UInt8]> = []
    var templates: [OpenTemplate] = []
    /// The number of templates inside ``templates`` that are nested too deep to be read.
    var deeperTemplates = 0
    var guardSteps = Self.guardBudget
    /// The remaining number of tokens for the search for parts of addresses.
    var composeSteps = Self.guardBudget

    init(
        _ source: Span<UInt8>, in range: Range<Int>?, goal: JavaScriptTokenizer.Goal,
        _ surroundings: JavaScriptSurroundings
    ) {
        self.surroundings = surroundings
        let length = range?.count ?? source.count
        constants = JavaScriptConstants(scriptLength: length)
        instances = constants
        window = JavaScriptTokenWindow(source, in: range, goal: goal)
    }

    mutating func collect(_ source: Span<UInt8>) -> JavaScriptReferences {
        while window.advance(source) {
            let token = window[0]
            switch token.kind {
            case .identifier where token.end &- token.start > 2:
                name(token, source)
                router(token, source)
                if !requestHelpers.isEmpty { helperCall(token, source) }
                if !codeMakers.isEmpty { madeCode(token, source) }
            case .identifier:
                shortName(token, source)
                if !requestHelpers.isEmpty { helperCall(token, source) }
                if !codeMakers.isEmpty { madeCode(token, source) }
            case .keyword:
                if token.is("import", in: source) {
                    importWord(token, source)
                } else if token.is("const", in: source) || token.is("var", in: source)
                    || token.is("let", in: source)
                {
                    flag(source)
                } else if token.is("for", in: source) {
                    olderSheetMap(token, source)
                }
            case .string: literal(token, source)
            case .templateStart: template(token, source)
            case .templateContinuation: continuation(token, source)
            case .regularExpression: regularExpression(token, source)
            case .punctuator:
                switch source[token.start] {
                case UInt8(ascii: "{"):
                    brackets.append(token.start)
                    serverTemplate(token, source)
                case UInt8(ascii: "("), UInt8(ascii: "["): brackets.append(token.start)
                case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                    if source[token.start] == UInt8(ascii: "]") { isInPreloadList = false }
                    _ = brackets.popLast()
                    while let last = ownFetches.last, last > brackets.count {
                        ownFetches.removeLast()
                    }
                case UInt8(ascii: "<"): serverTemplate(token, source)
                case UInt8(ascii: "="), UInt8(ascii: "+"):
                    if !constants.isEmpty { assignment(source) }
                default: break
                }
            default: break
            }
        }
        finish(source)
        return result
    }

    private mutating func finish(_ source: Span<UInt8>) {
        result.endsOpen = window.endsOpen
        result.router.finish()
        finishChunks()
        finishTranslations(source)
        finishUnread()
        for comment in window.sourceMapComments { sourceMap(comment, source) }
        for (object, reference) in publicPaths {
            let text = reference.text
            let isRuntime =
                runtimeObjects.contains(object)
                || (sawChunkGlobal || sawPublicAsset) && reference.extent == .whole
                    && text.hasSuffix("/")
            if isRuntime { result.references.append(reference) }
        }
        result.references.sort {
            ($0.expression.lowerBound, $0.range.lowerBound)
                < ($1.expression.lowerBound, $1.range.lowerBound)
        }
    }

    // MARK: - Recording

    mutating func note(_ reference: JavaScriptReference) {
        if reference.extent == .none {
            let count = counts[reference.kind, default: 0] + 1
            counts[reference.kind] = count
            guard count <= JavaScriptReferences.mostWithoutAddress else {
                result.furtherReferences += 1
                return
            }
        }
        result.references.append(reference)
    }

    /// Records a call whose address is the token at an offset, if that is a literal.
    mutating func note(
        _ kind: JavaScriptReference.Kind, from start: Int, argument offset: Int,
        _ source: Span<UInt8>, form: JavaScriptReference.BundlerForm? = nil, detail: String = "",
        isSynchronous: Bool = false, isGuarded: Bool = false, isTried: Bool = false
    ) {
        let token = window[offset]
        if Self.joinedKinds.contains(kind), let joined = joined(offset, source) {
            let literal = joined.literal
            claimed = max(claimed, literal.end)
            if token.kind == .string { claimed = max(claimed, window[offset + 2].end) }
            return note(
                JavaScriptReference(
                    kind, range: literal.content(in: source),
                    expression: min(start, literal.start)..<literal.end, value: joined.value,
                    extent: .whole, detail: detail, isSynchronous: isSynchronous,
                    isGuarded: isGuarded, isTried: isTried, isJoined: true))
        }
        if Self.joinedKinds.contains(kind), let composed = composed(offset, source) {
            claimed = max(claimed, composed.literal.end)
            for value in composed.values {
                note(
                    JavaScriptReference(
                        kind, range: composed.literal.content(in: source),
                        expression: min(start, composed.literal.start)..<composed.literal.end,
                        value: value, extent: .whole, detail: detail,
                        isSynchronous: isSynchronous, isGuarded: isGuarded, isTried: isTried,
                        isJoined: true))
            }
            return
        }
        guard token.kind == .string || token.kind == .templateStart else {
            let expression = start..<max(start, token.start)
            return note(
                JavaScriptReference(
                    kind, range: expression, expression: expression, form: form, detail: detail,
                    isSynchronous: isSynchronous, isGuarded: isGuarded, isTried: isTried))
        }
        // Text written into the page is also read as markup.
        if kind != .documentWrite { claimed = max(claimed, token.end) }
        let content = token.content(in: source)
        note(
            JavaScriptReference(
                kind, range: content, expression: min(start, token.start)..<token.end,
                value: value(token, source), extent: extent(at: offset, source),
                form: form, detail: detail, isSynchronous: isSynchronous, isGuarded: isGuarded,
                isTried: isTried, place: kind == .literal ? place(of: offset, source) : nil))
    }

    /// The code around the current literal.
    private func place(of offset: Int, _ source: Span<UInt8>) -> JavaScriptReference.Place {
        let isArgument = brackets.last.map { source[$0] == UInt8(ascii: "(") } ?? false
        var word: Range<Int>?
        if isArgument, let open = brackets.last {
            var start = open
            while start > 0, JavaScriptByte.isName(source[start &- 1]) { start &-= 1 }
            if start < open { word = start..<open }
        } else if at(offset - 1, ":", source) || at(offset - 1, "=", source) {
            let name = window[offset - 2]
            if name.kind == .string { word = name.content(in: source) }
            if name.kind == .identifier || name.kind == .keyword { word = name.range }
        }
        return JavaScriptReference.Place(
            bracket: brackets.last, outer: brackets.dropLast().last, word: word,
            isArgument: isArgument)
    }

    /// The kinds whose address may be composed of constants and literals.
    private static let joinedKinds: Set<JavaScriptReference.Kind> = [
        .asset, .fetch, .request, .ajax, .eventSource, .worker, .dynamicImport, .navigation,
    ]

    func value(_ token: JavaScriptToken, _ source: Span<UInt8>) -> [UInt8] {
        let content = token.content(in: source)
        guard token.traits.contains(.escaped) else {
            return content.map { source[$0] }
        }
        return JavaScriptString.decode(source, content, isTemplate: token.isTemplate)
    }

    /// The part of an address that the literal at an offset contains, by the tokens around it.
    func extent(at offset: Int, _ source: Span<UInt8>) -> JavaScriptReference.Extent {
        let token = window[offset]
        if window[offset - 1].is("+", in: source) { return .part }
        if token.kind == .templateStart, !token.traits.contains(.endsTemplate) { return .prefix }
        let next = window[offset + 1]
        return next.is("+", in: source) || next.is(".", in: source) ? .prefix : .whole
    }

    // MARK: - Literals

    mutating func literal(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard token.start >= claimed, token.start >= mapEnd else { return }
        if isInPreloadList {
            return note(.preloadDependency, from: token.start, argument: 0, source)
        }
        let before = window[-1]
        if token.kind == .string, before.kind == .keyword || before.kind == .identifier,
            before.is("from", in: source) && isFromClause(source) || before.is("import", in: source)
        {
            let isTyped = at(1, "with", source) || at(1, "assert", source)
            return note(
                .staticImport, from: token.start, argument: 0, source,
                detail: isTyped ? importType(2, source) : "")
        }
        let content = token.content(in: source)
        let bytes = source.extracting(content)
        guard !isKey(token, source) else {
            if at(1, ":", source), !isLiteral(2), JavaScriptLiteralShape.looksLikeAddress(bytes) {
                note(
                    .literal, from: token.start, argument: 0, source,
                    detail: JavaScriptReference.key)
            }
            routeKey(bytes, source)
            return buildFile(token, source)
        }
        routerText(bytes, source)
        if LibraryAttribute.isMarker(source, content), result.libraryMarkers.count < 64 {
            result.libraryMarkers.insert(value(token, source))
        }
        if token.kind == .string, content.count > 8 {
            trustedSink(token, source)
            if bytes[0] == UInt8(ascii: "{") || bytes[0] == UInt8(ascii: "[") {
                parcelManifest(token, source)
            } else if at(-5, "push", source) {
                flightData(token, source)
            }
            if token.start < claimed { return }
        }
        lazyAttribute(token, bytes)
        switch content.count {
        case 9, 12:
            // `history[replace ? "replaceState" : "pushState"](…)`
            if bytes.holds("pushState", at: 0) || bytes.holds("replaceState", at: 0),
                window[-1].is("?", in: source) && window[1].is(":", in: source)
                    || window[-1].is(":", in: source) && window[1].is("]", in: source)
                    || window[-1].is("[", in: source) && window[1].is("]", in: source)
            {
                return note(
                    JavaScriptReference(
                        .history, range: content, expression: token.range, detail: "computed"))
            }
        case 13: if bytes.holds("modulepreload", at: 0) { vitePreloadBase(source) }
        default: break
        }
        if content.count >= 12,
            bytes.holds("webpackChunk", at: 0) || bytes.holds("webpackJsonp", at: 0)
        {
            sawChunkGlobal = true
        }
        let isAddress =
            token.traits.contains(.escaped)
            ? JavaScriptLiteralShape.looksLikeAddress(value(token, source).span)
            : JavaScriptLiteralShape.looksLikeAddress(bytes)
        let isDirectory =
            !isAddress && content.count > 1 && bytes[content.count - 1] == UInt8(ascii: "/")
        if isAddress || isDirectory, at(-1, "=", source) { constant(token, source) }
        if isAddress, at(-1, ":", source) { memberConstant(token, source) }
        if isAddress, at(-2, "origin", source) { originConstant(token, source) }
        guard isAddress else { return markup(token, source) }
        if isAttributeValue(source) { return listedAttribute(token, source) }
        switch use(ofLiteral: token, source) {
        case .unknown: note(.literal, from: token.start, argument: 0, source)
        case .compared: note(.literal, from: token.start, argument: 0, source, detail: "compared")
        case .loaded:
            let reach = reach(callAt: at(-1, "(", source) ? -1 : nil, source)
            note(
                .asset, from: token.start, argument: 0, source, detail: text(window[-2], source),
                isGuarded: reach == .guarded, isTried: reach == .tried)
        case .publicAsset: publicAsset(token, source)
        case .afterPublicPath:
            note(
                .literal, from: token.start, argument: 0, source,
                detail: JavaScriptReference.afterPublicPath)
        }
    }

    /// Whether `from` before the literal is that of a declaration: a name, `}` or `*` precedes it.
    private func isFromClause(_ source: Span<UInt8>) -> Bool {
        let before = window[-2]
        return before.kind == .identifier || before.is("}", in: source)
            || before.is("*", in: source)
    }

    private func isKey(_ token: JavaScriptToken, _ source: Span<UInt8>) -> Bool {
        token.traits.contains(.isMemberName)
            && (window[1].is(":", in: source) || window[1].is("(", in: source))
    }

    private mutating func regularExpression(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        let bytes = source.extracting(token.content(in: source))
        routerPattern(bytes)
        guard
            bytes.holds("^http", at: 0) || bytes.holds("^(http", at: 0)
                || bytes.holds("^(?:http", at: 0), window[1].is(".", in: source),
            window[2].is("test", in: source)
        else { return }
        note(
            JavaScriptReference(.absoluteTest, range: token.range, expression: token.range))
    }

    private mutating func sourceMap(_ comment: JavaScriptToken, _ source: Span<UInt8>) {
        let content = comment.content(in: source)
        var end = content.upperBound
        var start = min(content.lowerBound &+ 19, end)
        while start < end, source[start] <= 0x20 { start &+= 1 }
        var last = start
        while last < end, source[last] > 0x20 { last &+= 1 }
        end = last
        result.references.append(
            JavaScriptReference(
                .sourceMap, range: start..<end, expression: comment.range,
                value: (start..<end).map { source[$0] }, extent: .whole))
    }

    mutating func startPreloadList() { isInPreloadList = true }
    mutating func claim(to end: Int) { claimed = max(claimed, end) }
}
