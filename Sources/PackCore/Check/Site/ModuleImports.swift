import PackProfile
import PackURL
import PackWeb

/// The bare names imported by a file's modules, and the import map of a page.
struct ModuleImports: Sendable {
    /// An import by a bare name.
    struct Bare: Sendable {
        let name: [UInt8]
        /// The range of the import in the file.
        let range: Range<Int>
        let isDynamic: Bool
    }

    /// An entry of the import map whose file is missing from the package.
    struct LostEntry: Sendable {
        let name: [UInt8]
        let address: [UInt8]
        /// The range of the entry in the file.
        let range: Range<Int>

        /// Whether any of the names needs the entry.
        func isImported(by names: Set<[UInt8]>) -> Bool {
            names.contains {
                $0 == name || name.last == UInt8(ascii: "/") && $0.starts(with: name)
            }
        }
    }

    /// In file order; at most ``most``.
    let bare: [Bare]
    /// Whether it imports a name that is composed at run time.
    let importsComposed: Bool
    let map: ImportMap?
    /// Entries of ``map`` without a file; at most ``most``.
    let lost: [LostEntry]
    /// Entries of SystemJS import maps without a file.
    let systemLost: [LostEntry]
    let url: URLRecord?

    private static let most = 64

    init(_ context: DocumentContext) {
        bare = Array(
            context.references.lazy.compactMap { reference -> Bare? in
                // Server-side template placeholders are not names.
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
        importsComposed = context.scriptReferences.contains { script in
            script.references.contains {
                $0.kind == .dynamicImport && $0.extent != .whole
                    || $0.kind == .unread && $0.detail == "import()"
            }
        }
        map = context.importMap
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
                entry.value.last != UInt8(ascii: "/"), DocumentReader.isAddress(entry.value)
            else { return nil }
            let resolution = context.site.resolver.resolve(
                entry.value, from: context.base(at: fragment.range.lowerBound))
            // protocol-relative-third-party reports other hosts.
            guard resolution.isMiss,
                !context.profile.hasCustomPages
                    || !ProtocolRelative.isThirdParty(entry.value, resolution, context.profile)
            else { return nil }
            return LostEntry(
                name: Array(name.utf8), address: entry.value,
                range: text.sourceRange(of: entry.range))
        }
    }

    private init() {
        bare = []
        importsComposed = false
        map = nil
        lost = []
        systemLost = []
        url = nil
    }

    static let none = ModuleImports()
}
