import PackProfile
import PackURL
import PackWeb

/// The names that a file's modules import, and the import map that it has as a page.
struct ModuleImports: Sendable {
    /// An import that names no address.
    struct Bare: Sendable {
        let name: [UInt8]
        /// Its bytes in the file.
        let range: Range<Int>
        let isDynamic: Bool
    }

    /// An entry of the import map whose file the package lacks.
    struct LostEntry: Sendable {
        let name: [UInt8]
        let address: [UInt8]
        /// Its bytes in the file.
        let range: Range<Int>

        /// Whether one of some names needs the entry.
        func isImported(by names: Set<[UInt8]>) -> Bool {
            names.contains {
                $0 == name || name.last == UInt8(ascii: "/") && $0.starts(with: name)
            }
        }
    }

    /// In file order; at most ``most``.
    let bare: [Bare]
    let map: ImportMap?
    /// Of ``map``; at most ``most``.
    let lost: [LostEntry]
    /// The same of the maps of SystemJS.
    let systemLost: [LostEntry]
    let url: URLRecord?

    private static let most = 64

    init(_ context: DocumentContext) {
        bare = Array(
            context.references.lazy.compactMap { reference -> Bare? in
                // Templates of a server are not names.
                guard reference.use == .identifier, !reference.traits.contains(.guarded),
                    !reference.value.contains(UInt8(ascii: "{")),
                    !reference.value.contains(0x20)
                else { return nil }
                switch reference.kind {
                case .script(.staticImport):
                    return Bare(name: reference.value, range: reference.range, isDynamic: false)
                case .script(.dynamicImport):
                    return Bare(name: reference.value, range: reference.range, isDynamic: true)
                default: return nil
                }
            }.prefix(Self.most))
        let fragment = context.html?.fragments.first { $0.kind == .importMap }
        map = fragment.flatMap {
            ImportMap(
                $0.decoded(in: context.bytes.span).bytes,
                base: context.base(at: $0.range.lowerBound),
                range: $0.range)
        }
        lost = Array((fragment.map { Self.lost($0, context) } ?? []).prefix(Self.most))
        let system = context.html?.fragments.filter { $0.kind == .systemImportMap } ?? []
        systemLost = Array(system.flatMap { Self.lost($0, context) }.prefix(Self.most))
        url = context.url
    }

    private static func lost(
        _ fragment: HTMLFragment, _ context: DocumentContext
    ) -> [LostEntry] {
        let text = fragment.decoded(in: context.bytes.span)
        return DataReferences.importMap(text.bytes.span).compactMap { entry in
            guard entry.kind == .importMap, let name = entry.path.last,
                entry.value.last != UInt8(ascii: "/"), DocumentReader.isAddress(entry.value),
                context.site.resolver.resolve(
                    entry.value, from: context.base(at: fragment.range.lowerBound)
                ).isMiss
            else { return nil }
            return LostEntry(
                name: Array(name.utf8), address: entry.value,
                range: text.sourceRange(of: entry.range))
        }
    }

    private init() {
        bare = []
        map = nil
        lost = []
        systemLost = []
        url = nil
    }

    static let none = ModuleImports()
}
