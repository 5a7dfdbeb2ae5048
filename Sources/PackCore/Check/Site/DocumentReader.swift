import PackProfile
import PackURL
import PackWeb

/// Reads one file into a ``DocumentContext``.
package struct DocumentReader {
    var context: DocumentContext
    /// The last base URL and its folder.
    private var last: (base: URLRecord?, folder: ReferenceTargets.Folder)

    /// The maximum number of kept parse errors per page.
    private static let errorLimit = 64

    init(site: SiteIndex, index: Int, kind: DocumentKind, text: DocumentText) {
        // Style sheets and scripts are loaded from the package even if pages are not, so their URLs
        // resolve against it.
        let isSecure = kind == .html && site.profile.pageOrigin == .https
        let url = site.profile.url(of: site.files[index].path, secure: isSecure)
        context = DocumentContext(
            site: site, index: index, kind: kind, text: text, bytes: text.bytes, url: url,
            baseURL: url)
        last = (url, ReferenceTargets.Folder(url))
    }

    /// Reads a file and everything in it.
    package static func read(site: SiteIndex, index: Int, kind: DocumentKind, bytes: [UInt8])
        -> DocumentContext
    {
        let text = site.text(of: index, bytes)
        var reader = DocumentReader(site: site, index: index, kind: kind, text: text)
        switch kind {
        case .html: reader.readPage()
        case .css: reader.readStyleSheet()
        case .script:
            let isModule = site.files[index].path.fileEnding == "mjs"
            reader.context.scripts = [
                ScriptText(role: isModule ? .module : .classic, file: text.bytes)
            ]
        case .svg: reader.readSVG()
        case .manifest, .json, .sourceMap, .text: reader.readData()
        }
        reader.readScripts()
        reader.context.ignoreComments = IgnoreComment.find(in: text.bytes)
        reader.sort()
        return reader.context
    }

    private mutating func sort() {
        let comesLater = { (first: Reference, second: Reference) in
            (first.range.lowerBound, first.range.upperBound)
                > (second.range.lowerBound, second.range.upperBound)
        }
        // Sorting allocates even if the input is sorted, and most files are.
        guard zip(context.references, context.references.dropFirst()).contains(where: comesLater)
        else { return }
        context.references.sort { comesLater($1, $0) }
    }

    /// Adds a reference; it resolves against `base`, or the document's own base by default.
    mutating func add(
        _ kind: ReferenceKind, _ use: ReferenceUse, value: [UInt8], range: Range<Int>,
        holder: Reference.Holder, traits: Reference.Traits = [], element: Int? = nil,
        base: URLRecord? = nil
    ) {
        let isFromBase = base == nil && context.isFromBase(range.lowerBound)
        context.references.append(
            Reference(
                kind: kind,
                target: target(value, use, from: base ?? context.base(at: range.lowerBound)),
                range: range, holder: holder,
                traits: isFromBase ? traits.union(.fromBase) : traits, element: element))
    }

    /// The target of a text, whose base is most often that of the text before.
    private mutating func target(
        _ value: [UInt8], _ use: ReferenceUse, from base: URLRecord?
    ) -> ReferenceTarget {
        if base != last.base { last = (base, ReferenceTargets.Folder(base)) }
        return context.site.targets.target(
            value, use, from: base, in: last.folder, context.site.resolver)
    }

    // MARK: - Pages

    mutating func readPage() {
        let page = HTMLReferences(
            of: context.bytes.span, options: .init(errorLimit: Self.errorLimit))
        context.html = page
        setBase(page)
        context.importMap = page.fragments.first { $0.kind == .importMap }.flatMap {
            ImportMap(
                $0.decoded(in: context.bytes.span).bytes,
                base: context.base(at: $0.range.lowerBound), range: $0.range)
        }
        add(page)
        readAttributes(page)
        readFragments(page)
    }

    /// The maximum length of a base or public path in bytes; every reference resolved against it
    /// repeats it.
    ///
    /// No build has such a long directory, so a reference to a longer one finds no file in any
    /// case.
    private static let longestBase = 1_024

    static func base(_ value: [UInt8]) -> [UInt8] {
        guard value.count > longestBase else { return value }
        return value[..<longestBase] + [UInt8(ascii: "/")]
    }

    /// Sets the page's `base`, which resolves against the page's own URL.
    private mutating func setBase(_ page: HTMLReferences) {
        guard let index = page.base else { return }
        context.baseURL =
            URLRecord.parse(Self.base(page.references[index].value), base: context.url)
            ?? context.url
        if context.baseURL != context.url {
            context.baseStart = page.elements[page.references[index].element].tag.lowerBound
        }
    }

    /// The base URL of a reference in the markup.
    ///
    /// A resource fetched by the parser resolves against the page if `base` follows; a URL resolved
    /// at layout or on a tap uses any `base`. Observed in WebKitGTK 2.50 (`base-before-*` in
    /// Tests/Rigs/Pages).
    private func base(of reference: HTMLReference, in page: HTMLReferences) -> URLRecord? {
        switch reference.kind {
        case .base: return context.url
        case .script, .moduleScript, .unusedScript, .styleSheet, .icon, .frame, .preload,
            .fontPreload, .imagePreload, .modulePreload, .prefetch, .manifest, .svgUse, .svgImage,
            .svgResource:
            return context.base(at: reference.range.lowerBound)
        case .image where page.elements[reference.element].name != "input":
            return context.base(at: reference.range.lowerBound)
        default: return context.baseURL
        }
    }

    private mutating func add(_ page: HTMLReferences) {
        let (resolver, baseURL) = (context.site.resolver, context.baseURL)
        let hasBase = context.baseStart != nil
        let targets = page.references.map { reference in
            target(
                reference.value, reference.kind.referenceUse,
                from: self.base(of: reference, in: page))
        }
        // As an image, an SVG file loads nothing; as a document, it does.
        let ofFile: Reference.Traits = context.kind == .svg ? .spare : []
        var consequence = MarkupConsequence(
            page, bytes: context.bytes, resolutions: targets.map(\.text.resolution)
        ) { resolver.resolve($0, from: baseURL, for: .load) }
        context.references.reserveCapacity(page.references.count)
        for (number, reference) in page.references.enumerated() {
            let isFromBase = hasBase && base(of: reference, in: page) != context.url
            context.references.append(
                Reference(
                    kind: .html(reference.kind), target: targets[number],
                    range: visible(reference.range), holder: .attribute(number),
                    traits: Self.traits(
                        page.elements[reference.element], isEffective: reference.isEffective
                    ).union(consequence.traits(of: number)).union(ofFile)
                        .union(isFromBase ? .fromBase : [])
                        .union(hasOpaqueOrigin(reference, in: page) ? .opaqueOrigin : []),
                    element: reference.element))
        }
    }

    /// The range of a value without the white space before it.
    private func visible(_ range: Range<Int>) -> Range<Int> {
        let start = range.first { context.bytes[$0] > 0x20 } ?? range.lowerBound
        return start..<range.upperBound
    }

    /// Whether a frame runs scripts without the page's web origin.
    private func hasOpaqueOrigin(_ reference: HTMLReference, in page: HTMLReferences) -> Bool {
        guard reference.kind == .frame,
            let sandbox = page.elements[reference.element].keyword(
                of: "sandbox", in: context.bytes.span)
        else { return false }
        let words = sandbox.split(whereSeparator: \.isWhitespace)
        return words.contains("allow-scripts") && !words.contains("allow-same-origin")
    }

    private static func traits(
        _ element: HTMLElement, isEffective: Bool = true
    ) -> Reference.Traits {
        var traits: Reference.Traits = []
        if element.isInTemplate { traits.insert(.inTemplate) }
        if element.isInNoscript { traits.insert(.inNoscript) }
        if !isEffective { traits.insert(.ineffective) }
        return traits
    }

    private mutating func readFragments(_ page: HTMLReferences) {
        let bytes = context.bytes
        for (number, fragment) in page.fragments.enumerated() {
            let element = page.elements[fragment.element]
            switch fragment.kind {
            case .styleSheet, .styleAttribute, .presentationAttribute:
                let text = fragment.decoded(in: bytes.span)
                let css = Self.css(fragment, text, page: bytes)
                if !css.variables.isEmpty { context.variables.formUnion(css.variables) }
                guard
                    !css.references.isEmpty || !css.problems.isEmpty || !css.features.all.isEmpty
                else { continue }
                context.styles.append(.init(fragment: number, text: text, css: css))
                let traits = Self.traits(element).union(use(of: element, fragment))
                    .union(context.kind == .svg ? .spare : [])
                var consequence = self.consequence(css, at: fragment.range.lowerBound)
                for (index, reference) in css.references.enumerated() {
                    add(
                        .css(reference.role), reference.role.referenceUse, value: reference.value,
                        range: text.sourceRange(of: reference.range),
                        holder: .fragmentCSS(number, index),
                        traits: traits.union(consequence.traits(of: index))
                            .union(Self.traits(ofProperty: reference)),
                        element: fragment.element)
                }
            case .script, .moduleScript, .eventHandler:
                let text = fragment.decoded(in: bytes.span)
                context.scripts.append(
                    ScriptText(
                        role: fragment.kind == .script
                            ? .classic
                            : fragment.kind == .moduleScript ? .module : .eventHandler,
                        fragment: number, text: text))
            case .document: readNested(fragment, element)
            case .importMap, .systemImportMap, .speculationRules, .linkedData, .json, .dataBlock,
                .contentSecurityPolicy:
                readIsland(fragment, number)
            }
        }
    }

    private static func css(
        _ fragment: HTMLFragment, _ text: HTMLDecodedText, page: [UInt8]
    ) -> CSSReferences {
        let span = text.bytes.span
        switch fragment.kind {
        case .styleAttribute: return .declarations(span)
        case .presentationAttribute:
            let name = fragment.attribute.map {
                String(decoding: page[within: $0.name], as: UTF8.self).lowercased()
            }
            return .value(span, of: name ?? "fill")
        default: return .styleSheet(span)
        }
    }

    /// Reads a page in an attribute: its references resolve against the base of the outer page.
    private mutating func readNested(_ fragment: HTMLFragment, _ element: HTMLElement) {
        let text = fragment.decoded(in: context.bytes.span)
        let page = HTMLReferences(of: text.bytes.span)
        for reference in page.references where reference.kind != .base {
            let inner = page.elements[reference.element]
            add(
                .html(reference.kind), reference.kind.referenceUse, value: reference.value,
                range: text.sourceRange(of: reference.range), holder: .nested,
                traits: Self.traits(inner, isEffective: reference.isEffective)
                    .union(Self.traits(element)).union(.nested))
        }
    }

    // MARK: - Style sheets

    private func consequence(_ css: CSSReferences, at position: Int = 0) -> CSSConsequence {
        let (resolver, base) = (context.site.resolver, context.base(at: position))
        return CSSConsequence(css) { resolver.resolve($0, from: base, for: .load) }
    }

    /// Styles for media that never match are not used.
    private func use(of element: HTMLElement, _ fragment: HTMLFragment) -> Reference.Traits {
        guard fragment.kind == .styleSheet,
            let media = element.value(of: "media", in: context.bytes.span),
            MediaQueries.condition(media) == .never
        else { return [] }
        return .unasked
    }

    private mutating func readStyleSheet() {
        let css = CSSReferences.file(context.bytes)
        context.css = css
        context.variables = css.variables
        context.references.reserveCapacity(css.references.count)
        var consequence = self.consequence(css)
        for (index, reference) in css.references.enumerated() {
            add(
                .css(reference.role), reference.role.referenceUse, value: reference.value,
                range: reference.range, holder: .css(index),
                traits: consequence.traits(of: index).union(Self.traits(ofProperty: reference)))
        }
    }

    /// A path in a custom property resolves against the style sheets that use the property.
    private static func traits(ofProperty reference: CSSReference) -> Reference.Traits {
        guard reference.role == .customProperty, Reference.scheme(of: reference.value) == nil,
            !Reference.isProtocolRelative(reference.value),
            let first = reference.value.first(where: { $0 > 0x20 }), !"#?\\".utf8.contains(first)
        else { return [] }
        return .late
    }
}
