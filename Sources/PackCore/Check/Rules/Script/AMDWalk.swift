import PackProfile
import PackWeb

/// Follows the modules that RequireJS loads for a page, and collects missing ones.
///
/// Names are mapped to URLs as in RequireJS 2.3 (`nameToUrl`).
struct AMDWalk {
    struct Fault {
        let file: Int
        let range: Range<Int>
        let name: [UInt8]
        /// The requested URL.
        let url: [UInt8]
    }

    private let context: SiteContext
    private let page: DocumentSummary
    private let defined: Set<[UInt8]>
    private var baseURL: [UInt8]
    private var paths: [[UInt8]: [UInt8]?] = [:]
    private var isOpen = false
    private(set) var faults: [Fault] = []

    private static let slash = UInt8(ascii: "/")

    /// - Parameter defined: Module names defined by scripts of the build.
    /// - Returns: `nil` for a page without a loader.
    init?(_ page: DocumentSummary, defined: Set<[UInt8]>, in context: SiteContext) {
        self.context = context
        self.page = page
        self.defined = defined
        let scripts = page.links.filter { $0.kind == .html(.script) && $0.isFromPackage }
            .compactMap { context.summary(of: $0.target) }
        let early = ([page] + scripts).compactMap(\.amd)
        let hasLoader =
            page.amd?.main != nil
            || early.contains(where: \.hasConfiguration)
                && early.contains { !$0.dependencies.isEmpty }
        guard hasLoader else { return nil }
        let configured = early.lazy.compactMap(\.baseURL).first
        baseURL = configured ?? []
        for code in early { add(code) }
        guard let main = page.amd?.main else {
            for summary in [page] + scripts { follow(summary, id: []) }
            return
        }
        start(main, isConfigured: configured != nil)
        for summary in [page] + scripts { follow(summary, id: []) }
    }

    private mutating func add(_ code: AMDModules) {
        paths.merge(code.paths) { _, new in new }
        isOpen = isOpen || code.isOpen
    }

    /// Loads the `data-main` module; its directory is the base unless the configuration sets one.
    private mutating func start(_ main: AMDModules.Main, isConfigured: Bool) {
        var id = main.value
        guard !id.contains(UInt8(ascii: "!")) else { return isOpen = true }
        if !isConfigured {
            let last = id.lastIndex(of: Self.slash)
            baseURL = last.map { Array(id[...$0]) } ?? Array("./".utf8)
            if let last { id = Array(id[(last + 1)...]) }
        }
        if id.suffix(3).elementsEqual(".js".utf8) { id.removeLast(3) }
        guard let url = url(of: id, from: []) else { return }
        let resolution = resolve(url)
        guard let file = resolution.file, let summary = context.summary(of: file) else {
            if resolution.isMiss {
                faults.append(Fault(file: page.index, range: main.range, name: id, url: url))
            }
            return
        }
        if let code = summary.amd {
            baseURL = code.baseURL ?? baseURL
            add(code)
        }
        follow(summary, id: id)
    }

    private func resolve(_ url: [UInt8]) -> Resolution {
        context.site.resolver.resolve(url, from: page.base)
    }

    /// Follows the dependencies of a file recursively.
    private mutating func follow(_ start: DocumentSummary, id: [UInt8]) {
        var seen: Set<Int> = [start.index]
        var rest = [(start, id)]
        while let (summary, id) = rest.popLast(), !isOpen {
            for dependency in summary.amd?.dependencies ?? [] {
                guard !defined.contains(dependency.name),
                    let url = url(of: dependency.name, from: id)
                else { continue }
                let resolution = resolve(url)
                if resolution.isMiss {
                    faults.append(
                        Fault(
                            file: summary.index, range: dependency.range, name: dependency.name,
                            url: url))
                } else if let file = resolution.file, seen.insert(file).inserted,
                    let next = context.summary(of: file)
                {
                    rest.append((next, dependency.name))
                }
            }
        }
    }

    /// The URL requested by the loader; `nil` if it is unknown.
    private func url(of name: [UInt8], from parent: [UInt8]) -> [UInt8]? {
        var id = name
        var ending = Array(".js".utf8)
        if let mark = id.firstIndex(of: UInt8(ascii: "!")) {
            guard id[..<mark].elementsEqual("text".utf8) else { return nil }
            id = Array(id[(mark + 1)...].prefix { $0 != UInt8(ascii: "!") })
            ending = []
        }
        guard !id.isEmpty,
            !["require", "exports", "module"].contains(String(decoding: id, as: UTF8.self))
        else { return nil }
        if id.first == UInt8(ascii: ".") {
            // Names in a page or a bundle have no known parent.
            guard !parent.isEmpty else { return nil }
            id = Self.join(parent, id)
        }
        if id.first == Self.slash || id.contains(UInt8(ascii: ":"))
            || !ending.isEmpty
                && (id.contains(UInt8(ascii: "?")) || id.suffix(3).elementsEqual(".js".utf8))
        {
            return id
        }
        guard let path = mapped(id) else { return nil }
        if path.starts(with: "data:".utf8) || path.contains(UInt8(ascii: "?")) { ending = [] }
        if path.first == Self.slash || path.contains(UInt8(ascii: ":")) { return path + ending }
        let base = baseURL.isEmpty || baseURL.last == Self.slash ? baseURL : baseURL + [Self.slash]
        return base + path + ending
    }

    /// The name with its longest prefix in `paths` replaced.
    private func mapped(_ id: [UInt8]) -> [UInt8]? {
        var end = id.count
        while end > 0 {
            if let path = paths[Array(id[..<end])] { return path.map { $0 + id[end...] } }
            end = id[..<end].lastIndex(of: Self.slash) ?? 0
        }
        return id
    }

    /// Resolves a name starting with `./` or `../` relative to its module.
    private static func join(_ parent: [UInt8], _ id: [UInt8]) -> [UInt8] {
        var parts = parent.split(separator: slash).dropLast().map(Array.init)
        for part in id.split(separator: slash) {
            if part.elementsEqual(".".utf8) { continue }
            let isUp = part.elementsEqual("..".utf8)
            if isUp, let last = parts.last, !last.elementsEqual("..".utf8) {
                parts.removeLast()
            } else {
                parts.append(Array(part))
            }
        }
        return Array(parts.joined(separator: [slash]))
    }
}
