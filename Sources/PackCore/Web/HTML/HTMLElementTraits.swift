/// The rules of the standard's tree builder for an element, as far as a tokenizer needs them.
struct HTMLElementTraits: OptionSet, Sendable {
    let rawValue: UInt32

    /// Never has content, so it is never on the stack of open elements.
    static let void = HTMLElementTraits(rawValue: 1 << 0)
    static let rcdata = HTMLElementTraits(rawValue: 1 << 1)
    static let rawtext = HTMLElementTraits(rawValue: 1 << 2)
    static let script = HTMLElementTraits(rawValue: 1 << 3)
    static let plaintext = HTMLElementTraits(rawValue: 1 << 4)
    /// Raw text if scripting is enabled, as in a web view.
    static let noscript = HTMLElementTraits(rawValue: 1 << 5)
    static let template = HTMLElementTraits(rawValue: 1 << 6)
    static let svg = HTMLElementTraits(rawValue: 1 << 7)
    static let math = HTMLElementTraits(rawValue: 1 << 8)
    /// A start tag that leaves svg or math (13.2.6.5).
    static let breaksOut = HTMLElementTraits(rawValue: 1 << 9)
    /// `font`, which leaves svg or math only with certain attributes.
    static let font = HTMLElementTraits(rawValue: 1 << 10)
    /// A start tag that closes an open `p`.
    static let closesParagraph = HTMLElementTraits(rawValue: 1 << 11)
    /// SVG elements that contain HTML: `foreignObject`, `desc`, `title`.
    static let svgIntegration = HTMLElementTraits(rawValue: 1 << 12)
    /// MathML elements that contain text: `mi`, `mo`, `mn`, `ms`, `mtext`.
    static let mathText = HTMLElementTraits(rawValue: 1 << 13)
    static let annotationXML = HTMLElementTraits(rawValue: 1 << 14)
    /// `mglyph` and `malignmark`, MathML even in MathML text.
    static let mathGlyph = HTMLElementTraits(rawValue: 1 << 15)
    /// `p` and `br`, whose end tags leave svg or math.
    static let endTagBreaksOut = HTMLElementTraits(rawValue: 1 << 16)
    static let style = HTMLElementTraits(rawValue: 1 << 17)
    /// Obsolete spelling of `img`.
    static let image = HTMLElementTraits(rawValue: 1 << 18)
    static let meta = HTMLElementTraits(rawValue: 1 << 19)

    /// The elements whose start tag changes the tokenizer's state.
    static let changesState: HTMLElementTraits = [
        .rcdata, .rawtext, .script, .plaintext, .noscript,
    ]
}

/// The elements with such traits.
struct HTMLElementTable: Sendable {
    static let shared = HTMLElementTable()

    private let table: HTMLNameTable
    private let traits: [HTMLElementTraits]

    /// The number of numbered elements.
    var count: Int { traits.count }

    /// An element's number and traits; `nil` and none for other elements.
    @inline(__always)
    func look(up name: HTMLName) -> (number: Int?, traits: HTMLElementTraits) {
        guard let number = table.number(of: name) else { return (nil, []) }
        return (number, traits[number])
    }

    private init() {
        var byName: [String: HTMLElementTraits] = [:]
        for (names, trait) in Self.lists {
            for name in names.split(whereSeparator: \.isWhitespace) {
                byName[String(name), default: []].insert(trait)
            }
        }
        let names = byName.keys.sorted()
        table = HTMLNameTable(names)
        traits = names.map { byName[$0] ?? [] }
    }

    private static let lists: [(String, HTMLElementTraits)] = [
        (
            """
            area base basefont bgsound br col embed frame hr image img input keygen link meta param
            source track wbr
            """, .void
        ),
        ("title textarea", .rcdata),
        ("style xmp iframe noembed noframes", .rawtext),
        ("script", .script), ("plaintext", .plaintext), ("noscript", .noscript),
        ("template", .template), ("svg", .svg), ("math", .math), ("style", .style),
        ("image", .image), ("meta", .meta), ("font", .font), ("p br", .endTagBreaksOut),
        (
            """
            b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i
            img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt
            u ul var
            """, .breaksOut
        ),
        (
            """
            address article aside blockquote center dd details dialog dir div dl dt fieldset
            figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu
            nav ol p plaintext pre search section summary table ul xmp
            """, .closesParagraph
        ),
        ("foreignobject desc title", .svgIntegration),
        ("mi mo mn ms mtext", .mathText),
        ("annotation-xml", .annotationXML),
        ("mglyph malignmark", .mathGlyph),
        // Elements without traits that are often open around svg; see ForeignContent.isOpenOutside.
        (
            """
            a abbr article button caption cite del dfn details em figure form html ins kbd label
            legend mark meter object option output picture progress q rp rt samp select slot strong
            summary tbody td tfoot th thead time tr video
            """, []
        ),
    ]
}
