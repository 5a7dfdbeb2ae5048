/// The open elements from the outermost `svg` or `math` inwards.
///
/// The standard's tree builder keeps every open element; a tokenizer only needs to know whether the
/// current one is HTML (13.2.6, "tree construction dispatcher").
/// So the stack starts at the first foreign element, and HTML around it is only counted by name.
/// It differs from a complete tree builder in these points:
///
/// * An end tag closes an outer HTML element, and svg with it, if one of its name is open at all:
///   scopes around the svg and formatting elements are not modeled, and elements unknown to HTML
///   (custom ones) do not count as open.
/// * In HTML inside `foreignObject` and similar elements, only open paragraphs are closed by
///   implication (not `li`, `dd`, `option`, cells), and an end tag closes the nearest element of
///   its name even across one that the standard calls special.
/// * There are no insertion modes: tags that the standard ignores because of their position
///   (`select`, `frameset`, tables) are processed.
///
/// lexbor splits 8 of 40,000 random pages of such tags differently.
///
/// No input makes it slow: every search is a lookup, and every pop matches a push.
struct ForeignContent: Sendable {
    private struct Entry {
        let key: Key
        let namespace: HTMLNamespace
        let integration: Integration
        /// The next lower entry of the same name, -1 for none.
        let below: Int
        /// The topmost HTML entry and the topmost integration point, including this entry; -1 for
        /// none.
        let nearestHTML: Int
        let nearestIntegration: Int
    }

    private struct Key: Hashable {
        let name: HTMLName
        let isHTML: Bool
    }

    /// The kind of HTML content allowed inside a foreign element.
    private enum Integration { case none, html, mathText, annotationXML }

    private var entries: [Entry] = []
    /// The topmost entry of each name.
    private var topmost: [Key: Int] = [:]
    /// The number of open elements outside, by the table's element number.
    private var outside: [Int32]

    init() { outside = Array(repeating: 0, count: HTMLElementTable.shared.count) }

    /// Whether no foreign element is open.
    @inline(__always)
    var isEmpty: Bool { entries.isEmpty }

    /// The namespace of the current element.
    var namespace: HTMLNamespace { entries.last?.namespace ?? .html }

    // MARK: - HTML around

    @inline(__always)
    mutating func openOutside(_ number: Int) { outside[number] &+= 1 }

    @inline(__always)
    mutating func closeOutside(_ number: Int) { if outside[number] > 0 { outside[number] &-= 1 } }

    // MARK: - Start tags

    /// The parts of a start tag that determine the parent of its element.
    struct StartTag {
        let name: HTMLName
        let traits: HTMLElementTraits
        let isSelfClosing: Bool
        /// `font` with color, face or size; `annotation-xml` with an encoding that is HTML.
        let hasDecidingAttribute: Bool
    }

    /// Opens an element and returns its namespace.
    ///
    /// At least one foreign element is open, or the tag is `svg` or `math`.
    mutating func open(_ tag: StartTag) -> HTMLNamespace {
        guard let current = entries.last, current.namespace != .html,
            !isByHTMLRules(tag, in: current)
        else { return openHTML(tag) }
        if tag.traits.contains(.breaksOut) || tag.traits.contains(.font) && tag.hasDecidingAttribute
        {
            popToHTML()
            return openHTML(tag)
        }
        openForeign(tag, in: current.namespace)
        return current.namespace
    }

    private func isByHTMLRules(_ tag: StartTag, in current: Entry) -> Bool {
        switch current.integration {
        case .html: true
        case .mathText: !tag.traits.contains(.mathGlyph)
        case .annotationXML: tag.traits.contains(.svg)
        case .none: false
        }
    }

    private mutating func openHTML(_ tag: StartTag) -> HTMLNamespace {
        if tag.traits.contains(.svg) || tag.traits.contains(.math) {
            let namespace: HTMLNamespace = tag.traits.contains(.svg) ? .svg : .mathML
            openForeign(tag, in: namespace)
            return namespace
        }
        if tag.traits.contains(.closesParagraph) { closeHTML("p") }
        // The reader counts elements outside.
        if !entries.isEmpty, !tag.traits.contains(.void) {
            push(Key(name: tag.name, isHTML: true), .html, .none)
        }
        return .html
    }

    private mutating func openForeign(_ tag: StartTag, in namespace: HTMLNamespace) {
        guard !tag.isSelfClosing else { return }
        let integration: Integration =
            switch namespace {
            case .svg: tag.traits.contains(.svgIntegration) ? .html : .none
            case .mathML where tag.traits.contains(.mathText): .mathText
            case .mathML where tag.traits.contains(.annotationXML):
                tag.hasDecidingAttribute ? .html : .annotationXML
            case .mathML, .html: .none
            }
        push(Key(name: tag.name, isHTML: false), namespace, integration)
    }

    // MARK: - End tags

    /// Closes the elements for an end tag, and returns whether an element outside is closed.
    mutating func close(_ name: HTMLName, _ number: Int?, _ traits: HTMLElementTraits) -> Bool {
        guard let current = entries.last else { return true }
        if current.namespace != .html {
            if traits.contains(.endTagBreaksOut) {
                popToHTML()
            } else if let match = topmost[Key(name: name, isHTML: false)],
                match > current.nearestHTML
            {
                pop(to: match)
                return false
            }
        }
        if closeHTML(name) { return false }
        guard isOpenOutside(number) else { return false }
        pop(to: 0)
        return true
    }

    /// Whether an element outside is open and can be closed by an end tag here.
    private func isOpenOutside(_ number: Int?) -> Bool {
        guard let number, (entries.last?.nearestIntegration ?? -1) < 0 else { return false }
        return outside[number] > 0
    }

    /// Closes the nearest HTML element of a name, up to the nearest integration point.
    @discardableResult
    private mutating func closeHTML(_ name: HTMLName) -> Bool {
        guard let match = topmost[Key(name: name, isHTML: true)],
            match > (entries.last?.nearestIntegration ?? -1)
        else { return false }
        pop(to: match)
        return true
    }

    /// Pops until the current element is HTML or an integration point.
    private mutating func popToHTML() {
        while let last = entries.last, last.namespace != .html, last.integration != .html,
            last.integration != .mathText
        {
            pop(to: entries.count - 1)
        }
    }

    // MARK: - The stack

    private mutating func push(
        _ key: Key, _ namespace: HTMLNamespace, _ integration: Integration
    ) {
        let index = entries.count
        let last = entries.last
        entries.append(
            Entry(
                key: key, namespace: namespace, integration: integration,
                below: topmost[key] ?? -1,
                nearestHTML: namespace == .html ? index : last?.nearestHTML ?? -1,
                nearestIntegration: integration != .none ? index : last?.nearestIntegration ?? -1))
        topmost[key] = index
    }

    /// Pops the entries from `index` on.
    private mutating func pop(to index: Int) {
        while entries.count > index, let entry = entries.popLast() {
            topmost[entry.key] = entry.below < 0 ? nil : entry.below
        }
    }
}

/// The namespace of an element.
package enum HTMLNamespace: UInt8, Sendable {
    case html, svg, mathML
}
