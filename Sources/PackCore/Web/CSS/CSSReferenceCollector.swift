/// Collects the URLs from the events of a ``CSSWalker``.
struct CSSReferenceCollector {
    /// The meaning of a string directly inside an open bracket.
    private enum Function: UInt8 {
        /// `url(` or `src(` before its string.
        case url
        /// `image-set(` or `image(`: every string is a URL.
        case image
        /// `format(` after the URL of a font.
        case format
        /// `var(` before its name.
        case variable
        /// Anything else; strings are just strings.
        case other
    }

    var references: [CSSReference] = []
    private var problems: [CSSProblem] = []
    var variables = CSSVariables()
    private var furtherProblems = 0
    private var isUnclosedNoted = false
    /// The brackets open inside the current item.
    private var functions: [Function] = []
    /// The rules whose blocks are open.
    private(set) var rules: [CSSRuleKind] = []
    /// The first reference of the current item, whose kind may change later.
    private var firstOfItem = 0
    /// The number of components of an at-rule's prelude started so far.
    private var preludeComponents = 0
    /// The number of items that have ended.
    private var declaration = 0
    /// The start of the current item.
    var itemStart = 0
    /// The first reference of the current `@font-face`.
    private var firstOfFont = 0
    /// The number of rules around the outermost rule that no web view applies.
    private var deadDepth: Int?
    var isDead: Bool { deadDepth != nil }
    var features = OpenFeatures()
    /// The same for the outermost rule that only some users see.
    private var optionalDepth: Int?
    /// The state of the open blocks, one for each of ``rules``.
    var blocks: [OpenBlock] = []
    /// Animations with a URL in them.
    var keyframes: [Keyframes] = []
    /// Whether an `@import` would be too late.
    private var isPastImports = false
    private let property: String?

    init(property: String? = nil) { self.property = property }

    func result(_ encoding: CSSEncoding?) -> CSSReferences {
        CSSReferences(
            references: references, problems: problems, furtherProblems: furtherProblems,
            variables: variables, features: features.found, encoding: encoding)
    }

    mutating func collect(_ source: Span<UInt8>, in range: Range<Int>, root: CSSWalker.Root) {
        var walker = CSSWalker(source, in: range, root: root)
        isPastImports = root != .rules
        itemStart = range.lowerBound
        while true {
            let event = walker.next(in: source)
            let token = event.token
            switch event.kind {
            case .end: return finishKeyframes(source, in: range)
            case .separator: itemStart = token.end
            case .comment: comment(token, source)
            case .token:
                countComponent(token, walker)
                noteFeature(token, walker, source)
                self.token(token, walker, source)
            case .open:
                countComponent(token, walker)
                noteFeature(token, walker, source)
                spendURL()
                functions.append(function(token, source))
            case .close:
                functions.removeLast()
                noteUnclosed(token)
            case .blockStart: blockStart(walker, token, source)
            case .blockEnd:
                rules.removeLast()
                blockEnd()
                if deadDepth == rules.count { deadDepth = nil }
                if features.supportsDepth == rules.count { features.supportsDepth = nil }
                features.fallback = nil
                if optionalDepth == rules.count { optionalDepth = nil }
                firstOfItem = references.count
                itemStart = token.end
                noteUnclosed(token)
            case .itemEnd: itemEnd(walker, token, source)
            }
        }
    }

    // MARK: Items

    private mutating func blockStart(
        _ walker: CSSWalker, _ brace: CSSToken, _ source: Span<UInt8>
    ) {
        isPastImports = true
        declaration += 1
        if walker.item == .atRule, let name = walker.name {
            if deadDepth == nil { conditions(name, brace, source) }
            noteFeatures(ofBlock: walker, source)
            firstOfFont = references.count
            rules.append(
                name.isNamed("font-face", in: source)
                    ? .fontFace
                    : name.isNamed("counter-style", in: source) ? .counterStyle : .otherAtRule)
        } else {
            discardItem()
            noteFeatures(ofBlock: walker, source)
            rules.append(.style)
        }
        blocks.append(openBlock(walker, brace, source))
        firstOfItem = references.count
        itemStart = brace.end
    }

    private mutating func itemEnd(
        _ walker: CSSWalker, _ token: CSSToken, _ source: Span<UInt8>
    ) {
        switch walker.item {
        case .name, .qualifiedRule: discardItem()
        case .atRule:
            if let name = walker.name, name.isNamed("namespace", in: source) {
                isPastImports = true
            }
            importEnd(token, source)
        case .declaration:
            overrideSources()
            declarationEnd(walker, token, source)
        case .none, .customProperty: break
        }
        noteFeatures(ofItem: walker, source)
        if token.kind == .semicolon { itemStart = token.end }
        declaration += 1
        firstOfItem = references.count
    }

    /// The item's content is in a selector, or outside any declaration.
    private mutating func discardItem() {
        for index in firstOfItem..<references.count where references[index].form != .comment {
            references[index].role = .discarded
        }
    }

    /// Records the rule that a `{` starts if no web view applies it, as `@media print`, or only
    /// some do.
    private mutating func conditions(
        _ name: CSSToken, _ brace: CSSToken, _ source: Span<UInt8>
    ) {
        func prelude() -> [UInt8] { (name.end..<max(name.end, brace.start)).map { source[$0] } }
        var condition = CSSCondition.sometimes
        if name.isNamed("media", in: source) {
            condition = MediaQueries.condition(prelude())
        } else if name.isNamed("supports", in: source) {
            condition = SupportsCondition.condition(prelude())
        } else {
            let dead = ["page", "document", "-moz-document", "-moz-keyframes", "-o-keyframes"]
            if dead.contains(where: { name.isNamed($0, in: source) }) { condition = .never }
        }
        switch condition {
        case .never: deadDepth = rules.count
        case .optional: if optionalDepth == nil { optionalDepth = rules.count }
        default: break
        }
    }

    /// The conditions after the URL of an `@import`.
    private mutating func importEnd(_ token: CSSToken, _ source: Span<UInt8>) {
        guard firstOfItem < references.count, references[firstOfItem].role == .importedSheet else {
            return
        }
        let start = references[firstOfItem].tokenRange.upperBound
        let rest = (start..<max(start, token.start)).map { source[$0] }
            .drop { $0 == UInt8(ascii: ")") || CSSByte.isWhitespace($0) }
        let word = rest.prefix(while: CSSByte.isIdent).map(CSSByte.lowercased)
        // Conditions after a layer or a feature condition are not evaluated.
        guard !word.elementsEqual("layer".utf8), !word.elementsEqual("supports".utf8) else {
            return
        }
        switch MediaQueries.condition(rest) {
        case .never: references[firstOfItem].isAsked = false
        case .optional: references[firstOfItem].isOptional = true
        default: break
        }
    }

    /// A `src` replaces earlier ones in the same `@font-face`.
    private mutating func overrideSources() {
        guard rules.last == .fontFace, firstOfFont < firstOfItem,
            references[firstOfItem...].contains(where: { $0.role == .fontSource && $0.isAsked })
        else { return }
        for index in firstOfFont..<firstOfItem where references[index].role == .fontSource {
            references[index].isAsked = false
        }
        firstOfFont = firstOfItem
    }

    /// A format or similar determines whether the URL before it is requested.
    private mutating func format(_ token: CSSToken, _ source: Span<UInt8>) {
        guard let last = references.indices.last, last >= firstOfItem,
            references[last].role == .fontSource, deadDepth == nil
        else { return }
        references[last].isAsked = FontFormat.isSupported(token.text(in: source))
        functions[functions.count - 1] = .other
    }

    private mutating func countComponent(_ token: CSSToken, _ walker: CSSWalker) {
        guard walker.item == .atRule, functions.isEmpty, token.kind != .whitespace else { return }
        if token.kind == .atKeyword, token == walker.name {
            preludeComponents = 0
        } else {
            preludeComponents += 1
        }
    }

    // MARK: Tokens

    private func function(_ token: CSSToken, _ source: Span<UInt8>) -> Function {
        guard token.kind == .function else { return .other }
        if token.isNamed("url", in: source) || token.isNamed("src", in: source) { return .url }
        if token.isNamed("image-set", in: source) || token.isNamed("-webkit-image-set", in: source)
            || token.isNamed("image", in: source)
        {
            return .image
        }
        if token.isNamed("var", in: source) { return .variable }
        return token.isNamed("format", in: source) ? .format : .other
    }

    private mutating func token(_ token: CSSToken, _ walker: CSSWalker, _ source: Span<UInt8>) {
        switch token.kind {
        case .url: append(token, .unquotedURL, walker, source)
        case .string:
            if token.traits.contains(.unterminated) { note(.unterminatedString, token) }
            string(token, walker, source)
        case .ident where functions.last == .format: format(token, source)
        case .ident where functions.last == .variable:
            functions[functions.count - 1] = .other
            variable(token, walker, source)
        case .badString: note(.badString, token)
        case .badURL: note(.badURL, token)
        case .closeCurly, .closeParen, .closeSquare: note(.unmatchedBracket, token)
        case .whitespace: return
        default: break
        }
        spendURL()
    }

    /// Only the first token in `url(` can be the URL; the others are modifiers.
    private mutating func spendURL() {
        if functions.last == .url { functions[functions.count - 1] = .other }
    }

    private mutating func string(_ token: CSSToken, _ walker: CSSWalker, _ source: Span<UInt8>) {
        switch functions.last {
        case .url: append(token, .quotedURL, walker, source)
        case .image: append(token, .string, walker, source)
        case .format: format(token, source)
        case .variable, .other: break
        case nil:
            guard walker.item == .atRule, let name = walker.name else { return }
            let isURL =
                name.isNamed("import", in: source) && preludeComponents == 1
                || name.isNamed("namespace", in: source) || name.isNamed("charset", in: source)
            if isURL { append(token, .string, walker, source) }
        }
    }

    private mutating func append(
        _ token: CSSToken, _ form: CSSReference.Form, _ walker: CSSWalker, _ source: Span<UInt8>
    ) {
        let isUnterminated = token.traits.contains(.unterminated)
        if isUnterminated, form == .unquotedURL { note(.unterminatedURL, token) }
        let (name, role) = place(walker, source)
        let value = token.text(in: source)
        references.append(
            CSSReference(
                range: token.content, tokenRange: token.range, form: form,
                quote: form == .unquotedURL ? nil : source[token.start], role: role,
                rule: rules.last ?? .none, name: name, value: value,
                hasEscapes: token.traits.contains(.escaped), isUnterminated: isUnterminated,
                isAsked: deadDepth == nil && role != .otherProperty
                    && (role != .fontSource || !FontFormat.isEmbeddedOpenType(value)),
                isOptional: optionalDepth != nil,
                isAlternative: functions.suffix(2).contains(.image), declaration: declaration,
                selectors: blocks.lazy.compactMap(\.selectors).first))
    }

    private func place(_ walker: CSSWalker, _ source: Span<UInt8>) -> (String, CSSReference.Role) {
        if let property { return (property, .of(property: property, in: .none)) }
        guard let nameToken = walker.name else { return ("", .discarded) }
        let text = nameToken.text(in: source)
        let lowered = String(decoding: text.map(CSSByte.lowercased), as: UTF8.self)
        switch walker.item {
        case .atRule: return (lowered, atRuleRole(lowered))
        case .customProperty: return (String(decoding: text, as: UTF8.self), .customProperty)
        default: return (lowered, .of(property: lowered, in: rules.last ?? .none))
        }
    }

    private func atRuleRole(_ name: String) -> CSSReference.Role {
        switch name {
        case "import" where preludeComponents == 1:
            isPastImports || !rules.isEmpty ? .misplacedImport : .importedSheet
        case "namespace": .namespace
        case "charset": .charset
        default: .otherAtRule
        }
    }

    // MARK: Problems and comments

    private mutating func note(_ kind: CSSProblem.Kind, _ token: CSSToken) {
        if problems.count < CSSReferences.mostProblems {
            problems.append(CSSProblem(kind: kind, range: token.range))
        } else {
            furtherProblems += 1
        }
    }

    /// Records one problem, for any number of brackets closed by the end of the input.
    private mutating func noteUnclosed(_ token: CSSToken) {
        guard token.kind == .end, !isUnclosedNoted else { return }
        isUnclosedNoted = true
        note(.unclosedBlock, token)
    }

    /// Finds `# sourceMappingURL=x` as the whole of a comment.
    private mutating func comment(_ token: CSSToken, _ source: Span<UInt8>) {
        if token.traits.contains(.unterminated) { note(.unterminatedComment, token) }
        guard let range = Self.sourceMap(token.content, source) else { return }
        let bytes = range.map { source[$0] }
        references.append(
            CSSReference(
                range: range, tokenRange: range, form: .comment, quote: nil, role: .sourceMap,
                rule: rules.last ?? .none, name: "sourceMappingURL", value: bytes,
                hasEscapes: false, isUnterminated: token.traits.contains(.unterminated),
                isAlternative: false, declaration: declaration, selectors: nil))
    }

    private static func sourceMap(_ content: Range<Int>, _ source: Span<UInt8>) -> Range<Int>? {
        var position = content.lowerBound
        guard position < content.upperBound,
            source[position] == UInt8(ascii: "#")
                || source[position] == UInt8(ascii: "@")
        else { return nil }
        position += 1
        while position < content.upperBound, CSSByte.isWhitespace(source[position]) {
            position += 1
        }
        for byte in "sourceMappingURL=".utf8 {
            guard position < content.upperBound, source[position] == byte else { return nil }
            position += 1
        }
        let start = position
        while position < content.upperBound, !CSSByte.isWhitespace(source[position]) {
            position += 1
        }
        let end = position
        while position < content.upperBound, CSSByte.isWhitespace(source[position]) {
            position += 1
        }
        return position == content.upperBound && start < end ? start..<end : nil
    }
}
