/// The attributes, by element, that contain a URL or a text in another language.
///
/// The table merges the standard's own list with those of html-loader, Vite, lychee and hyperlink.
/// A class, so that every tag shares the same three tables.
final class HTMLAttributeTable: Sendable {
    /// The content of an attribute, and the source of its purpose.
    struct Content: Equatable, Sendable {
        let syntax: HTMLAttributeSyntax
        let meaning: Meaning
    }

    private struct Row {
        /// Names separated by spaces; `*` for every element.
        let elements: String
        /// Names separated by spaces.
        let attributes: String
        let content: Content

        init(
            _ elements: String, _ attributes: String, _ syntax: HTMLAttributeSyntax,
            _ meaning: Meaning
        ) {
            self.elements = elements
            self.attributes = attributes
            content = Content(syntax: syntax, meaning: meaning)
        }
    }

    /// The source of a reference's kind.
    enum Meaning: Equatable, Sendable {
        case kind(HTMLReferenceKind)
        /// The tokens of `rel`: see ``HTMLVocabulary/linkKinds``.
        case linkRelation
        /// The type of the script.
        case scriptType
        /// Only `type=image` has a URL.
        case inputType
        /// The name or property of `meta`: see ``HTMLVocabulary/metadataNames``.
        case metaName
        /// The syntax determines it.
        case fragment
    }

    static let html = HTMLAttributeTable(libraryRows + htmlRows + commonRows)
    static let svg = HTMLAttributeTable(svgRows + commonRows)
    static let mathML = HTMLAttributeTable(mathMLRows + commonRows)

    private static let htmlRows: [Row] = [
        Row("script", "src", .url, .scriptType),
        Row("link", "href", .url, .linkRelation),
        Row("link", "imagesrcset", .srcset, .kind(.imagePreload)),
        Row("img", "src", .url, .kind(.image)),
        Row("img source", "srcset", .srcset, .kind(.image)),
        Row("audio video source", "src", .url, .kind(.media)),
        Row("video", "poster", .url, .kind(.image)),
        Row("track", "src", .url, .kind(.textTrack)),
        Row("input", "src", .url, .inputType),
        Row("embed", "src", .url, .kind(.embed)),
        Row("object", "data", .url, .kind(.object)),
        Row("iframe frame portal", "src", .url, .kind(.frame)),
        Row("iframe", "srcdoc", .fragment(.document), .fragment),
        Row("a area", "href", .url, .kind(.navigation)),
        Row("a area", "ping", .urlList, .kind(.beacon)),
        Row("form", "action", .url, .kind(.formSubmission)),
        Row("button input", "formaction", .url, .kind(.formSubmission)),
        Row("base", "href", .url, .kind(.base)),
        Row("meta", "content", .url, .metaName),
        Row("html", "manifest", .url, .kind(.applicationCache)),
        Row(
            "body table thead tbody tfoot tr td th", "background", .url, .kind(.backgroundImage)),
        Row("img iframe frame", "longdesc", .url, .kind(.metadata)),
        Row("blockquote q ins del", "cite", .url, .kind(.metadata)),
        Row("head", "profile", .urlList, .kind(.metadata)),
        Row("img input object", "usemap", .url, .kind(.identifier)),
        Row("img", "lowsrc dynsrc", .url, .kind(.unused)),
        Row("object applet", "classid codebase archive code", .url, .kind(.unused)),
        Row("*", "about resource vocab", .url, .kind(.identifier)),
        Row("*", "prefix typeof", .urlList, .kind(.identifier)),
        // Qwik: the base of the names of its modules.
        Row("*", "q:base", .url, .kind(.identifier)),
    ]

    /// The attributes of libraries.
    private static let libraryRows: [Row] = LibraryAttribute.rows.map { number, row in
        let syntax: HTMLAttributeSyntax =
            switch row.syntax {
            case .url, .directory: .url
            case .srcset: .srcset
            case .symbols, .functions, .json: .library(number)
            }
        return Row(row.elements, row.attributes, syntax, .kind(row.kind))
    }

    private static let svgRows: [Row] = [
        Row("a", "href xlink:href", .url, .kind(.navigation)),
        Row("script", "href xlink:href", .url, .scriptType),
        Row("image feimage", "href xlink:href", .url, .kind(.svgImage)),
        Row("use", "href xlink:href", .url, .kind(.svgUse)),
        Row("*", "href xlink:href", .url, .kind(.svgResource)),
        Row(
            "*",
            """
            fill stroke filter mask clip-path marker marker-start marker-mid marker-end cursor
            """, .fragment(.presentationAttribute), .fragment),
        Row("*", "xml:base", .url, .kind(.identifier)),
    ]

    private static let mathMLRows: [Row] = [
        Row("*", "href xlink:href", .url, .kind(.navigation)),
        Row("annotation annotation-xml", "src", .url, .kind(.metadata)),
    ]

    private static let commonRows: [Row] = [
        Row("*", "style", .fragment(.styleAttribute), .fragment),
        Row("*", "itemid", .url, .kind(.identifier)),
        Row("*", "itemtype", .urlList, .kind(.identifier)),
        Row("*", "xmlns xmlns:xlink", .url, .kind(.identifier)),
    ]

    // MARK: - Look-up

    private let contents: [Content]
    private let elements: HTMLNameTable
    private let attributes: HTMLNameTable
    /// Row numbers by element and attribute, -1 for none; element 0 is any other.
    private let matrix: [Int16]

    private init(_ rows: [Row]) {
        func words(_ text: String) -> [String] {
            text.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        let elementNames = rows.flatMap { words($0.elements) }
        let elements = HTMLNameTable(["*"] + elementNames.filter { $0 != "*" })
        let attributes = HTMLNameTable(rows.flatMap { words($0.attributes) })
        var matrix = Array(repeating: Int16(-1), count: elements.count * attributes.count)
        // Rows for every element first, so that rows for single elements replace them.
        for pass in 0...1 {
            for (number, row) in rows.enumerated() where (row.elements == "*") == (pass == 0) {
                for element in words(row.elements) {
                    for attribute in words(row.attributes) {
                        guard let column = attributes.number(of: HTMLName(attribute)) else {
                            continue
                        }
                        let lines =
                            pass == 0
                            ? Array(0..<elements.count)
                            : [elements.number(of: HTMLName(element)) ?? 0]
                        for line in lines {
                            matrix[line * attributes.count + column] = Int16(number)
                        }
                    }
                }
            }
        }
        contents = rows.map(\.content)
        self.elements = elements
        self.attributes = attributes
        self.matrix = matrix
    }

    /// The number of an element, for ``content(element:attribute:)``.
    @inline(__always)
    func element(_ name: HTMLName) -> Int { elements.number(of: name) ?? 0 }

    @inline(__always)
    func content(element: Int, attribute: HTMLName) -> Content? {
        guard let column = attributes.number(of: attribute) else { return nil }
        let number = matrix[element &* attributes.count &+ column]
        return number < 0 ? nil : contents[Int(number)]
    }
}
