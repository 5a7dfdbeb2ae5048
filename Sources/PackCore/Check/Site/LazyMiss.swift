import PackGround
import PackProfile
import PackURL
import PackWeb

/// A missing file in a page's attribute for scripts.
struct LazyMiss: Sendable {
    /// In lower case.
    let attribute: [UInt8]
    /// A string in the script of the library; `nil` if many libraries read the attribute.
    let marker: String?
    let range: Range<Int>
    let text: String

    private static let most = 200

    static func all(in context: DocumentContext) -> [LazyMiss] {
        guard let html = context.html else { return [] }
        var found: [LazyMiss] = []
        for reference in context.references {
            guard found.count < most else { break }
            guard reference.htmlKind == .lazy || reference.htmlKind == .unusedScript,
                !reference.traits.contains(.inTemplate),
                case .attribute(let number) = reference.holder,
                reference.writtenScheme == nil, !reference.isProtocolRelative,
                !reference.value.contains(where: { "{}<$[".utf8.contains($0) })
            else { continue }
            let attribute = html.references[number]
            let element = html.elements[attribute.element]
            let name = context.bytes[within: attribute.attribute.name].map(Self.lowercased)
            let row = LibraryAttribute.row(
                element: String(
                    decoding: context.bytes[within: element.nameRange].map(Self.lowercased),
                    as: UTF8.self), attribute: String(decoding: name, as: UTF8.self))
            var marker = row?.marker
            if reference.htmlKind == .unusedScript {
                guard let type = context.keyword("type", of: element),
                    LibraryAttribute.scriptTypes.contains(type)
                else { continue }
                marker = type
            }
            guard Self.isMissing(reference, row, in: context) else { continue }
            found.append(
                LazyMiss(
                    attribute: name, marker: marker, range: reference.range, text: reference.text))
        }
        return found
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func isMissing(
        _ reference: Reference, _ row: LibraryAttribute?, in context: DocumentContext
    ) -> Bool {
        if row?.isDirectory == true {
            guard let url = URLRecord.parse(reference.value, base: context.baseURL),
                let path = context.profile.packagePath(of: url)
            else { return false }
            return !path.isEmpty
                && !context.site.listing.hasFiles(below: PercentEncoding.decode(path)[...])
        }
        let name = reference.value.prefix { !"?#".utf8.contains($0) }
        guard
            name.split(separator: UInt8(ascii: "/")).last?.contains(UInt8(ascii: ".")) == true
        else { return false }
        guard row?.isRelativeToBaseAttribute == true else {
            return context.resolve(reference.value).isMiss
        }
        guard let base = context.references.first(where: { isBase($0, in: context) }),
            let url = URLRecord.parse(base.value, base: context.baseURL)
        else { return false }
        return context.site.resolver.resolve(reference.value, from: url).isMiss
    }

    /// Whether a reference is the value of `q:base`.
    private static func isBase(_ reference: Reference, in context: DocumentContext) -> Bool {
        guard case .attribute(let number) = reference.holder, let html = context.html else {
            return false
        }
        return html.references[number].attributeName == "q:base"
    }
}
