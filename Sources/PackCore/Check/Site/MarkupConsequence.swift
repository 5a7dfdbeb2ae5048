import PackGround
import PackProfile
import PackWeb

/// The effect on a page if a reference in its markup finds no file.
///
/// It limits the severity of findings about the reference.
struct MarkupConsequence {
    private let page: HTMLReferences
    private let bytes: [UInt8]
    private let resolutions: [Resolution]
    private let resolve: ([UInt8]) -> Resolution
    /// The traits of sources of `picture`, `video` and `audio`, by reference number.
    private var alternatives: [Int: Reference.Traits] = [:]
    /// The current `srcset`, and whether one of its candidates has a file.
    private var candidates = (attribute: -1, isOneFound: false)
    private var templates: Reference.Traits?

    /// - Parameters:
    ///   - resolutions: The resolutions of the page's references, in their order.
    ///   - resolve: Resolves another URL of the page.
    init(
        _ page: HTMLReferences, bytes: [UInt8], resolutions: [Resolution],
        resolve: @escaping ([UInt8]) -> Resolution
    ) {
        self.page = page
        self.bytes = bytes
        self.resolutions = resolutions
        self.resolve = resolve
        decideAlternatives()
    }

    /// The traits of a reference; call it for the candidates of a `srcset` in page order.
    mutating func traits(of number: Int) -> Reference.Traits {
        let reference = page.references[number]
        let element = page.elements[reference.element]
        let isMiss = resolutions[number].isMiss
        var traits = alternatives[number] ?? []
        if isMiss, element.isInTemplate { traits.formUnion(templateUse()) }
        switch reference.kind {
        // A web view shows no icons, installs nothing, and prefetches nothing from a handler.
        case .icon, .manifest, .applicationCache, .prefetch: return traits.union(.unasked)
        case .styleSheet: return traits.union(sheet(element))
        case .preload, .fontPreload, .imagePreload, .modulePreload:
            return traits.union(preload(element))
        case .script where has("nomodule", element): return traits.union(.unasked)
        case .image where isMiss: return traits.union(image(number, reference, element))
        case .object where element.hasFallback: return traits.union(.spare)
        case .script, .moduleScript:
            return isMiss && has("onerror", element) ? traits.union(.spare) : traits
        case .frame where isMiss && element.keyword(of: "loading", in: bytes.span) == "lazy",
            .media where isMiss && element.keyword(of: "preload", in: bytes.span) == "none":
            return traits.union(.spare)
        default: return traits
        }
    }

    private func has(_ name: HTMLName, _ element: HTMLElement) -> Bool {
        element.has(name, in: bytes.span)
    }

    // MARK: - Links

    private func sheet(_ element: HTMLElement) -> Reference.Traits {
        // The `load` handler enables such a sheet.
        if has("onload", element) { return [] }
        let span = bytes.span
        if has("disabled", element) || condition(element) == .never { return .unasked }
        if let relations = element.keyword(of: "rel", in: span),
            relations.split(separator: " ").contains("alternate")
        {
            return .unasked
        }
        return has("onerror", element) || condition(element) == .optional ? .spare : []
    }

    private func preload(_ element: HTMLElement) -> Reference.Traits {
        if condition(element) == .never { return .unasked }
        let handler = element.keyword(of: "onload", in: bytes.span)
        return handler?.contains("rel") == true ? [] : .spare
    }

    private func condition(_ element: HTMLElement) -> CSSCondition {
        guard let media = element.value(of: "media", in: bytes.span) else { return .always }
        return MediaQueries.condition(media)
    }

    // MARK: - Images

    private mutating func image(
        _ number: Int, _ reference: HTMLReference, _ element: HTMLElement
    ) -> Reference.Traits {
        var traits: Reference.Traits = []
        if reference.syntax == .srcset {
            let attribute = reference.attribute.name.lowerBound
            if candidates.attribute != attribute {
                let run = number..<page.references.count
                let isOneFound = run.prefix {
                    page.references[$0].attribute.name.lowerBound == attribute
                }.contains { !resolutions[$0].isMiss }
                candidates = (attribute, isOneFound)
            }
            if candidates.isOneFound || isOneFoundBefore(number, attribute) {
                traits.insert(.spare)
            }
        } else if reference.attributeName == "src", has("srcset", element) {
            traits.insert(.spare)
        }
        if element.keyword(of: "loading", in: bytes.span) == "lazy" { traits.insert(.spare) }
        if let handler = element.value(of: "onerror", in: bytes.span), isReplaced(by: handler) {
            traits.insert(.unasked)
        }
        return traits
    }

    /// Whether the previous candidate belongs to the same attribute and has a file.
    private func isOneFoundBefore(_ number: Int, _ attribute: Int) -> Bool {
        guard number > 0 else { return false }
        return page.references[number - 1].attribute.name.lowerBound == attribute
            && !resolutions[number - 1].isMiss
    }

    /// Whether an `error` handler shows another image or hides this one.
    private func isReplaced(by handler: [UInt8]) -> Bool {
        guard handler.count <= 4096 else { return false }
        var namesFile = false
        let parts = handler.split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == 0x22 || $0 == 0x27 })
        for (index, part) in parts.enumerated() where index % 2 == 1 {
            guard part.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }),
                !part.contains(UInt8(ascii: " "))
            else { continue }
            if !resolve(Array(part)).isMiss { return true }
            namesFile = true
        }
        if namesFile { return false }
        let text = String(decoding: handler, as: UTF8.self)
        return ["src", "remove", "display", "visibility", "hidden", "replace", "classList"]
            .contains { text.contains($0) }
    }

    // MARK: - Templates

    /// The use of the page's templates, as far as its scripts show it.
    private mutating func templateUse() -> Reference.Traits {
        if let templates { return templates }
        let scripts = page.fragments.filter {
            $0.kind == .script || $0.kind == .moduleScript || $0.kind == .eventHandler
        }
        let isUsed = scripts.contains { script in
            let text = String(decoding: bytes[within: script.range], as: UTF8.self)
            return ["emplate", ".content", "cloneNode", "importNode"].contains { text.contains($0) }
        }
        let hasFile = page.references.contains {
            $0.kind == .script || $0.kind == .moduleScript
        }
        let result: Reference.Traits = isUsed ? [] : hasFile ? .spare : .unasked
        templates = result
        return result
    }

    // MARK: - Alternatives

    private mutating func decideAlternatives() {
        var members: [Int: [Int]] = [:]
        for (number, reference) in page.references.enumerated()
        where reference.kind == .image || reference.kind == .media {
            guard let choice = page.elements[reference.element].choice else { continue }
            members[choice, default: []].append(number)
        }
        for (start, numbers) in members {
            let isPicture = start + 1 < bytes.count && bytes[start + 1] | 0x20 == UInt8(ascii: "p")
            if isPicture { decidePicture(numbers) } else { decideMedia(numbers) }
        }
    }

    /// `picture` uses the first matching source, even if its file is missing.
    private mutating func decidePicture(_ numbers: [Int]) {
        var decided: Int?
        for number in numbers {
            let reference = page.references[number]
            let element = page.elements[reference.element]
            if let decided, decided != reference.element {
                alternatives[number] = .unasked
                continue
            }
            guard element.name == "source" else { continue }
            let type = element.keyword(of: "type", in: bytes.span)
            let condition = condition(element)
            if reference.attributeName != "srcset" || condition == .never
                || type.map({ !MediaFormats.image.contains($0) }) == true
            {
                alternatives[number] = .unasked
            } else if condition == .optional {
                alternatives[number] = .spare
            } else if condition == .always,
                type.map({ MediaFormats.everyImage.contains($0) }) ?? true
            {
                decided = reference.element
            }
        }
    }

    /// `video` and `audio` use their own `src`, or try the sources in order.
    private mutating func decideMedia(_ numbers: [Int]) {
        let sources = numbers.filter { page.references[$0].kind == .media }
        let isSource = { [page] (number: Int) in
            page.elements[page.references[number].element].name == "source"
        }
        guard sources.allSatisfy(isSource) else {
            for number in sources where isSource(number) { alternatives[number] = .unasked }
            return
        }
        var asked: [Int] = []
        for number in sources {
            let element = page.elements[page.references[number].element]
            let type = element.keyword(of: "type", in: bytes.span)?.prefix { $0 != ";" }
            let isKnown = type.map { MediaFormats.isPlayable(String($0)) } ?? true
            if isKnown, condition(element) != .never {
                asked.append(number)
            } else {
                alternatives[number] = .unasked
            }
        }
        guard let found = asked.firstIndex(where: { !resolutions[$0].isMiss }) else { return }
        for (index, number) in asked.enumerated() where index != found {
            alternatives[number] = index < found ? .spare : .unasked
        }
    }
}

/// The media types accepted by WebKit in `<source type>`.
enum MediaFormats {
    /// Image types supported by every web view.
    static let everyImage: Set<String> = [
        "image/png", "image/apng", "image/jpeg", "image/jpg", "image/gif", "image/svg+xml",
        "image/bmp", "image/x-icon", "image/webp",
    ]
    /// Image types supported by some web views.
    static let image = everyImage.union([
        "image/avif", "image/heic", "image/heif", "image/jxl", "image/jp2", "image/tiff",
        "image/pjpeg", "image/vnd.microsoft.icon", "", "application/pdf",
    ])

    static func isPlayable(_ type: String) -> Bool {
        guard let slash = type.firstSlash else { return true }
        let kind = type[..<slash]
        let subtype = type[type.index(after: slash)...]
        switch kind {
        case "video", "audio": return subtypes.contains(String(subtype))
        case "application": return true
        default: return false
        }
    }

    private static let subtypes: Set<String> = [
        "mp4", "webm", "ogg", "quicktime", "mpeg", "mp3", "mpg", "x-m4a", "m4a", "x-m4v", "aac",
        "aacp", "x-aac", "wav", "x-wav", "wave", "vnd.wave", "flac", "x-flac", "3gpp", "3gpp2",
        "mp2t", "mpegurl", "x-mpegurl", "vnd.apple.mpegurl", "aiff", "x-aiff", "basic", "opus",
        "x-matroska", "x-caf", "amr",
    ]
}
