/// Reads the tokens of a page, and sets the tokenizer's state as a tree builder would.
///
/// It handles elements with text (`script`, `style`, `title`, …, and `noscript` if scripting is
/// on), `template`, and the rules inside svg and math. `ForeignContent` lists the differences from
/// a tree builder.
package struct HTMLReader: Sendable {
    private var tokenizer: HTMLTokenizer
    private var foreign = ForeignContent()
    private let elements = HTMLElementTable.shared
    private let isScriptingEnabled: Bool
    /// One entry for each open template: whether its content is inert.
    private var templates: [Bool] = []
    private var inertTemplates = 0

    /// The namespace of the last tag, or of the element around the last text.
    package private(set) var namespace = HTMLNamespace.html
    private(set) var traits: HTMLElementTraits = []

    /// Starts reading.
    ///
    /// - Parameters:
    ///   - range: The part of the page to read.
    ///   - isScriptingEnabled: Whether `noscript` contains raw text, as in a web view, or markup.
    ///   - errorLimit: The number of parse errors to keep.
    package init(range: Range<Int>, isScriptingEnabled: Bool = true, errorLimit: Int = 0) {
        tokenizer = HTMLTokenizer(range: range, errorLimit: errorLimit)
        self.isScriptingEnabled = isScriptingEnabled
    }

    /// The attributes of the last tag.
    package var attributes: [HTMLAttribute] { tokenizer.attributes }
    /// The last doctype.
    var doctype: HTMLDoctype? { tokenizer.doctype }
    var errors: [HTMLParseError] { tokenizer.errors }
    /// See ``HTMLTokenizer/steps``.
    var steps: Int { tokenizer.steps }
    /// Whether the last token is inside a template whose content scripts copy.
    ///
    /// The content of a declarative shadow root is not.
    package var isInTemplate: Bool { inertTemplates > 0 }

    /// The next token; `nil` at the end of the page.
    package mutating func next(in page: Span<UInt8>) -> HTMLToken? {
        guard let token = tokenizer.next(in: page) else { return nil }
        switch token.kind {
        case .startTag: opened(token, page)
        case .endTag: closed(token)
        case .text, .comment, .doctype, .cdata, .discarded: namespace = foreign.namespace
        }
        tokenizer.allowsCDATA = !foreign.isEmpty && foreign.namespace != .html
        return token
    }

    // MARK: - Start tags

    private mutating func opened(_ token: HTMLToken, _ page: Span<UInt8>) {
        let (number, traits) = elements.look(up: token.name)
        self.traits = traits
        if foreign.isEmpty, !traits.contains(.svg), !traits.contains(.math) {
            namespace = .html
        } else {
            namespace = foreign.open(
                .init(
                    name: token.name, traits: traits, isSelfClosing: token.isSelfClosing,
                    hasDecidingAttribute: hasDecidingAttribute(page, traits)))
        }
        guard namespace == .html else { return }
        if foreign.isEmpty, let number, !traits.contains(.void) { foreign.openOutside(number) }
        if traits.contains(.template) { openTemplate(page) }
        guard !traits.isDisjoint(with: .changesState) else { return }
        if traits.contains(.script) {
            tokenizer.state = .scriptData
        } else if traits.contains(.rawtext) {
            tokenizer.state = .rawtext
        } else if traits.contains(.rcdata) {
            tokenizer.state = .rcdata
        } else if traits.contains(.plaintext) {
            tokenizer.state = .plaintext
        } else if isScriptingEnabled {
            tokenizer.state = .rawtext
        }
    }

    /// `font` with color, face or size; `annotation-xml` with an encoding that is HTML.
    private func hasDecidingAttribute(
        _ page: Span<UInt8>, _ traits: HTMLElementTraits
    ) -> Bool {
        if traits.contains(.font) {
            return ["color", "face", "size"].contains { value(of: $0, in: page) != nil }
        }
        guard traits.contains(.annotationXML), let encoding = value(of: "encoding", in: page)
        else { return false }
        let text = encoding.map(\.asciiLowercased)
        return text == Array("text/html".utf8) || text == Array("application/xhtml+xml".utf8)
    }

    /// The decoded value of an attribute of the last tag.
    func value(of name: HTMLName, in page: Span<UInt8>) -> [UInt8]? {
        tokenizer.attributes.value(of: name, in: page)
    }

    // MARK: - Templates

    private mutating func openTemplate(_ page: Span<UInt8>) {
        let mode = value(of: "shadowrootmode", in: page)?.map(\.asciiLowercased)
        let isShadowRoot = mode == Array("open".utf8) || mode == Array("closed".utf8)
        templates.append(!isShadowRoot)
        if !isShadowRoot { inertTemplates &+= 1 }
    }

    // MARK: - End tags

    private mutating func closed(_ token: HTMLToken) {
        let (number, traits) = elements.look(up: token.name)
        self.traits = traits
        namespace = foreign.namespace
        if traits.contains(.template), namespace == .html, templates.popLast() == true {
            inertTemplates &-= 1
        }
        guard foreign.close(token.name, number, traits), let number else { return }
        foreign.closeOutside(number)
    }
}

extension [HTMLAttribute] {
    /// The first attribute with a name.
    package func first(_ name: HTMLName, in page: Span<UInt8>) -> HTMLAttribute? {
        for attribute in self where attribute.name.count == name.length {
            if HTMLName(page, attribute.name) == name { return attribute }
        }
        return nil
    }

    /// The decoded value of the first attribute with a name; empty for an attribute without a
    /// value.
    package func value(of name: HTMLName, in page: Span<UInt8>) -> [UInt8]? {
        first(name, in: page).map { CharacterReferences.decode(page, $0.value, as: .attribute) }
    }
}
