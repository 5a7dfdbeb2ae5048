import PackGround
import PackProfile
import PackWeb

/// Follows the modules run by a page, and the names imported in them.
enum ModuleWalk {
    struct Place: Hashable {
        let file: Int
        let start: Int
    }

    enum Cause {
        /// No entry matches the name.
        case unmapped
        /// The file of a prefix entry is missing.
        case mapped
        /// The file is a style sheet or data, imported without a type.
        case notScript
    }

    struct Fault {
        let place: Place
        let range: Range<Int>
        let name: [UInt8]
        let isDynamic: Bool
        let cause: Cause
    }

    /// - Returns: The faults, every imported name, and whether a module also composes names.
    static func walk(
        from page: DocumentSummary, in context: SiteContext
    ) -> (faults: [Fault], names: Set<[UInt8]>, composes: Bool) {
        let map = page.modules.map
        var faults: [Fault] = []
        var names: Set<[UInt8]> = []
        var composes = false
        var seen: Set<Int> = [page.index]
        var rest = [page.index]
        while let index = rest.popLast() {
            guard let summary = context.summary(of: index) else { continue }
            if summary.modules.importsComposed { composes = true }
            for link in summary.links where follows(link, isPage: index == page.index) {
                if let fault = fault(of: link, from: index, in: context) { faults.append(fault) }
                if seen.insert(link.target).inserted { rest.append(link.target) }
            }
            for bare in summary.modules.bare {
                names.insert(bare.name)
                let isBeforeMap =
                    index == page.index
                    && map.map { bare.range.lowerBound < $0.range.lowerBound } ?? false
                let found =
                    isBeforeMap
                    ? .none : map?.lookUp(bare.name, from: summary.modules.url) ?? .none
                var isMissing = true
                if case .address(let url, let isWhole) = found {
                    let resolution = context.site.resolver.resolve(url)
                    // importmap-unresolved reports the entry itself.
                    isMissing = resolution.isMiss && !isWhole
                    if let file = resolution.file, seen.insert(file).inserted { rest.append(file) }
                }
                guard isMissing else { continue }
                faults.append(
                    Fault(
                        place: Place(file: index, start: bare.range.lowerBound),
                        range: bare.range, name: bare.name, isDynamic: bare.isDynamic,
                        cause: found == .none ? .unmapped : .mapped))
            }
        }
        return (faults, names, composes)
    }

    /// A static import of a style sheet or of JSON without `with {type: …}`.
    private static func fault(
        of link: DocumentSummary.Link, from file: Int, in context: SiteContext
    ) -> Fault? {
        guard link.kind == .script(.staticImport), link.isFromPackage,
            !link.traits.contains(.typed)
        else { return nil }
        switch context.site.path(link.target).fileEnding {
        case "css", "json":
            return Fault(
                place: Place(file: file, start: link.range.lowerBound), range: link.range,
                name: context.site.path(link.target).fileName, isDynamic: false, cause: .notScript)
        default: return nil
        }
    }

    private static func follows(_ link: DocumentSummary.Link, isPage: Bool) -> Bool {
        guard !link.traits.contains(.inTemplate) else { return false }
        switch link.kind {
        case .html(.moduleScript): return isPage
        case .script(.staticImport), .script(.dynamicImport): return true
        default: return false
        }
    }
}
