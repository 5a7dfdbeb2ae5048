import PackProfile
import PackURL
import PackWeb

/// The elements referenced by `use`, in the page itself or in other SVG files.
struct SVGFragments {
    private let document: DocumentContext
    /// The ids in each file by its index; a file is read once per document.
    private var ids: [Int: Set<[UInt8]>] = [:]

    /// Larger files are not read again; in bytes.
    private static let longest: UInt64 = 4 << 20

    init(_ document: DocumentContext) { self.document = document }

    /// Whether the file of a `use` exists but lacks the element.
    mutating func isMissing(_ reference: Reference) -> Bool {
        guard reference.htmlKind == .svgUse, let file = file(of: reference),
            let fragment = fragment(of: reference), !fragment.isEmpty,
            document.site.files[file].size <= Self.longest
        else { return false }
        if ids[file] == nil { ids[file] = Self.ids(in: content(of: file)) }
        guard let found = ids[file], !found.isEmpty || file == document.index else { return false }
        return !found.contains(fragment)
    }

    private func content(of file: Int) -> [UInt8] {
        if file == document.index { return document.bytes }
        guard let bytes = try? document.site.content(of: file) else { return [] }
        return document.site.text(of: file, bytes).bytes
    }

    private func file(of reference: Reference) -> Int? {
        if reference.value.first == UInt8(ascii: "#") {
            // Scripts insert sprites into pages.
            return document.kind == .html && !hasScripts ? document.index : nil
        }
        guard let file = reference.resolution.file, document.site.files[file].kind == .svg else {
            return nil
        }
        return file
    }

    private func fragment(of reference: Reference) -> [UInt8]? {
        if reference.value.first == UInt8(ascii: "#") {
            return PercentEncoding.decode(reference.value.dropFirst())
        }
        return reference.resolution.url?.fragment.map { PercentEncoding.decode($0[...]) }
    }

    private var hasScripts: Bool {
        !document.scripts.isEmpty
            || document.references.contains {
                $0.htmlKind == .script || $0.htmlKind == .moduleScript
            }
    }

    private static func ids(in file: [UInt8]) -> Set<[UInt8]> {
        var ids: Set<[UInt8]> = []
        var reader = HTMLReader(range: 0..<file.count)
        let span = file.span
        while let token = reader.next(in: span) {
            guard token.kind == .startTag, let id = reader.attributes.value(of: "id", in: span)
            else { continue }
            ids.insert(id)
        }
        return ids
    }
}
