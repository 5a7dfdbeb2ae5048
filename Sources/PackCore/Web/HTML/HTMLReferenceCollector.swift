/// Fills ``HTMLReferences`` from the tokens of a page.
struct HTMLReferenceCollector {
    private(set) var result: HTMLReferences
    private let options: HTMLReferences.Options
    private var isInNoscript = false
    /// The kind of the text that follows.
    private var content: Content?
    /// Whether the text that follows is raw text; maintained only in the head.
    private var isRawText = false

    /// The open `picture`, `video` or `audio`, and the start of its tag.
    private var choice: (name: HTMLName, start: Int)?
    /// The `object` whose content has not started yet, an index into the elements.
    private var object: Int?

    private enum Content {
        case fragment(HTMLFragment.Kind, element: Int)
        case noscript
    }

    /// The current tag; its element is recorded only if needed.
    private struct Tag {
        let token: HTMLToken
        let namespace: HTMLNamespace
        let attributes: [HTMLAttribute]
        let isInTemplate: Bool
        var element: Int?
    }

    init(encoding: HTMLEncoding, options: HTMLReferences.Options) {
        result = HTMLReferences(encoding: encoding)
        self.options = options
    }

    // MARK: - Reading

    mutating func read(_ page: Span<UInt8>, _ range: Range<Int>) {
        var reader = HTMLReader(range: range, errorLimit: options.errorLimit)
        read(page, &reader)
        result.errors = reader.errors
    }

    private mutating func read(_ page: Span<UInt8>, _ reader: inout HTMLReader) {
        while let token = reader.next(in: page) {
            switch token.kind {
            case .startTag:
                content = nil
                if result.bodyStart == nil { headTag(token, reader) }
                startTag(page, token, reader)
            case .endTag:
                content = nil
                isRawText = false
                object = nil
                if let open = choice, open.name == token.name { choice = nil }
            case .text, .cdata:
                if result.bodyStart == nil { headText(page, token, reader) }
                text(page, token)
            case .doctype: result.doctype = result.doctype ?? reader.doctype
            case .comment, .discarded: break
            }
        }
        content = nil
    }

    /// The elements whose start tag does not end the head.
    private static let headElements: Set<HTMLName> = [
        "html", "head", "base", "basefont", "bgsound", "link", "meta", "title", "noscript",
        "noframes", "style", "script", "template",
    ]

    /// Records the end of the head, at a start tag.
    private mutating func headTag(_ token: HTMLToken, _ reader: HTMLReader) {
        guard !isInNoscript, !reader.isInTemplate || token.name == "template" else { return }
        isRawText = !reader.traits.isDisjoint(with: .changesState)
        if !Self.headElements.contains(token.name) { result.bodyStart = token.range.lowerBound }
    }

    /// Records the end of the head, at a text.
    private mutating func headText(
        _ page: Span<UInt8>, _ token: HTMLToken, _ reader: HTMLReader
    ) {
        guard !isRawText, !isInNoscript, !reader.isInTemplate else { return }
        for place in token.content where !page[place].isHTMLSpace {
            result.bodyStart = place
            return
        }
    }

    private mutating func text(_ page: Span<UInt8>, _ token: HTMLToken) {
        if let open = object, token.content.contains(where: { !page[$0].isHTMLSpace }) {
            result.elements[open].hasFallback = true
            object = nil
        }
        switch content {
        case .fragment(let kind, let element):
            result.fragments.append(
                HTMLFragment(
                    kind: kind, element: element, range: token.content,
                    decoding: token.decoding, attribute: nil))
        case .noscript:
            // Its bytes are raw text for the page, and markup for browsers without scripting.
            var reader = HTMLReader(range: token.content, isScriptingEnabled: false)
            content = nil
            isInNoscript = true
            read(page, &reader)
            isInNoscript = false
        case nil: break
        }
    }

    // MARK: - Start tags

    private mutating func startTag(
        _ page: Span<UInt8>, _ token: HTMLToken, _ reader: HTMLReader
    ) {
        var tag = Tag(
            token: token, namespace: reader.namespace, attributes: reader.attributes,
            isInTemplate: reader.isInTemplate)
        let table: HTMLAttributeTable =
            switch tag.namespace {
            case .html: .html
            case .svg: .svg
            case .mathML: .mathML
            }
        if tag.namespace == .html { openAlternatives(token) }
        let isImage = tag.namespace == .html && reader.traits.contains(.image)
        let element = table.element(isImage ? "img" : token.name)
        for attribute in tag.attributes where !attribute.isDuplicate {
            let name = HTMLName(page, attribute.name)
            if let content = table.content(element: element, attribute: name) {
                add(page, attribute, name, content, &tag)
            } else if name.isEventHandler {
                add(.eventHandler, attribute, &tag)
            } else if !tag.isInTemplate, !isInNoscript, Self.mayNameFile(page, attribute) {
                result.otherPaths.append(attribute)
            }
        }
        openContent(page, reader.traits, &tag)
        if tag.namespace == .html, token.name == HTMLVocabulary.object { object = tag.element }
    }

    /// Whether an attribute of a script, such as `data-model`, may contain the path of a file.
    private static func mayNameFile(_ page: Span<UInt8>, _ attribute: HTMLAttribute) -> Bool {
        guard attribute.value.count > 4 else { return false }
        let end = attribute.value.suffix(9)
        return end.contains { page[$0] == UInt8(ascii: ".") }
            && attribute.name.contains { page[$0] == UInt8(ascii: "-") }
    }

    /// Records the element as an alternative or as fallback content, if it is one.
    private mutating func openAlternatives(_ token: HTMLToken) {
        if let open = object, token.name != HTMLVocabulary.param {
            result.elements[open].hasFallback = true
            object = nil
        }
        if HTMLVocabulary.choices.contains(token.name) {
            choice = (token.name, token.range.lowerBound)
        }
    }

    private mutating func add(
        _ page: Span<UInt8>, _ attribute: HTMLAttribute, _ name: HTMLName,
        _ content: HTMLAttributeTable.Content, _ tag: inout Tag
    ) {
        if case .fragment(let kind) = content.syntax { return add(kind, attribute, &tag) }
        let kind: HTMLReferenceKind
        switch content.meaning {
        case .kind(let fixed): kind = fixed
        case .linkRelation:
            kind = HTMLVocabulary.linkKind(
                rel: tag.attributes.value(of: "rel", in: page) ?? [],
                destination: tag.attributes.keyword(of: "as", in: page))
        case .scriptType:
            kind =
                switch scriptKind(page, tag) {
                case .script: .script
                case .moduleScript: .moduleScript
                default: .unusedScript
                }
        case .inputType:
            kind = tag.attributes.keyword(of: "type", in: page) == "image" ? .image : .unused
        case .metaName: return addMeta(page, attribute, name, &tag)
        case .fragment: return
        }
        add(page, kind, content.syntax, attribute, name, &tag)
    }

    private func scriptKind(_ page: Span<UInt8>, _ tag: Tag) -> HTMLFragment.Kind {
        HTMLVocabulary.scriptKind(
            type: tag.attributes.value(of: "type", in: page),
            language: tag.attributes.value(of: "language", in: page))
    }

    /// Adds `content` of `meta`, by the element's name or property.
    private mutating func addMeta(
        _ page: Span<UInt8>, _ attribute: HTMLAttribute, _ name: HTMLName, _ tag: inout Tag
    ) {
        switch tag.attributes.keyword(of: "http-equiv", in: page) {
        case "refresh": return add(page, .refresh, .refresh, attribute, name, &tag)
        case "content-security-policy", "content-security-policy-report-only":
            return add(.contentSecurityPolicy, attribute, &tag)
        case "content-type":
            if EncodingPrescan.charset(in: page, attribute.value) != nil {
                declaresEncoding(&tag)
            }
            return
        default: break
        }
        let about = ["property", "name"].compactMap {
            tag.attributes.keyword(of: $0, in: page)
        }
        let properties = tag.attributes.value(of: "itemprop", in: page) ?? []
        let isMetadata =
            about.contains { HTMLVocabulary.metadataNames.contains($0) }
            || properties.split(whereSeparator: \.isHTMLSpace).contains {
                HTMLVocabulary.itemProperties.contains(String(keyword: Array($0)))
            }
        if isMetadata { add(page, .metadata, .url, attribute, name, &tag) }
    }

    /// Records the kind of this element's text.
    private mutating func openContent(
        _ page: Span<UInt8>, _ traits: HTMLElementTraits, _ tag: inout Tag
    ) {
        let isHTML = tag.namespace == .html
        if isHTML, traits.contains(.meta), tag.attributes.first("charset", in: page) != nil {
            declaresEncoding(&tag)
        }
        guard tag.namespace != .mathML, isHTML || !tag.token.isSelfClosing else { return }
        if traits.contains(.script) {
            let sources: [HTMLName] = isHTML ? ["src"] : ["href", "xlink:href"]
            guard !sources.contains(where: { tag.attributes.first($0, in: page) != nil }) else {
                return
            }
            content = .fragment(scriptKind(page, tag), element: record(&tag))
        } else if traits.contains(.style) {
            let type = tag.attributes.keyword(of: "type", in: page) ?? ""
            let isCSS = type.isEmpty || type == "text/css"
            content = .fragment(isCSS ? .styleSheet : .dataBlock, element: record(&tag))
        } else if isHTML, traits.contains(.noscript), options.readsNoscript, !isInNoscript {
            content = .noscript
        }
    }

    // MARK: - Recording

    private mutating func declaresEncoding(_ tag: inout Tag) {
        let element = record(&tag)
        if result.encodingDeclarations.last != element {
            result.encodingDeclarations.append(element)
        }
    }

    /// The index of the tag's element, which is recorded on first use.
    private mutating func record(_ tag: inout Tag) -> Int {
        if let element = tag.element { return element }
        let element = result.elements.count
        result.elements.append(
            HTMLElement(
                name: tag.token.name, nameRange: tag.token.content, namespace: tag.namespace,
                tag: tag.token.range,
                attributes: tag.attributes, isInTemplate: tag.isInTemplate,
                isInNoscript: isInNoscript, choice: choice?.start))
        tag.element = element
        return element
    }

    private mutating func add(
        _ kind: HTMLFragment.Kind, _ attribute: HTMLAttribute, _ tag: inout Tag
    ) {
        result.fragments.append(
            HTMLFragment(
                kind: kind, element: record(&tag), range: attribute.value, decoding: .attribute,
                attribute: attribute))
    }

    private mutating func add(
        _ page: Span<UInt8>, _ kind: HTMLReferenceKind, _ syntax: HTMLAttributeSyntax,
        _ attribute: HTMLAttribute, _ name: HTMLName, _ tag: inout Tag
    ) {
        let text = HTMLDecodedText(page, attribute.value, as: .attribute)
        func append(_ range: Range<Int>, isValid: Bool = true) {
            let element = record(&tag)
            let isEffective = kind == .base ? isFirstBase(tag) : isValid
            if kind == .base, isEffective { result.base = result.references.count }
            let isWhole = range.count == text.bytes.count
            result.references.append(
                HTMLReference(
                    kind: kind, element: element, attributeName: name, attribute: attribute,
                    syntax: syntax, value: isWhole ? text.bytes : Array(text.bytes[range]),
                    range: text.sourceRange(of: range), decodedRange: range,
                    isEffective: isEffective))
        }
        switch syntax {
        case .url: append(0..<text.bytes.count)
        case .urlList:
            for url in text.bytes.split(whereSeparator: \.isHTMLSpace) {
                append(url.startIndex..<url.endIndex)
            }
        case .srcset:
            for candidate in SrcsetCandidate.parse(text.bytes) {
                append(candidate.url, isValid: candidate.isValid)
            }
        case .refresh:
            if let url = MetaRefresh(text.bytes)?.url { append(url) }
        case .library(let number):
            for range in LibraryAttribute.all[number].addresses(text.bytes) { append(range) }
        case .fragment: break
        }
    }

    /// Whether it is the first `base`; a `base` in a template or in `noscript` is ignored.
    private func isFirstBase(_ tag: Tag) -> Bool {
        result.base == nil && !tag.isInTemplate && !isInNoscript
    }
}

extension [HTMLAttribute] {
    func keyword(of name: HTMLName, in page: Span<UInt8>) -> String? {
        value(of: name, in: page).map { String(keyword: $0) }
    }
}

extension HTMLName {
    /// `on` followed by letters.
    @inline(__always)
    var isEventHandler: Bool {
        low & 0xFFFF == 0x6E6F && length > 3
            && UInt8(truncatingIfNeeded: low >> 16).isASCIILetter
    }
}
