import PackWeb

/// The AMD configuration and module names in a file, with their ranges.
struct AMDModules: Sendable {
    /// The `data-main` attribute of a page: its first module.
    struct Main: Sendable {
        let value: [UInt8]
        let range: Range<Int>
    }

    let main: Main?
    /// Dependencies of the file's scripts, except ``main``.
    let dependencies: [AMDCode.Dependency]
    let names: Set<[UInt8]>
    let baseURL: [UInt8]?
    let paths: [[UInt8]: [UInt8]?]
    let hasConfiguration: Bool
    let isOpen: Bool

    init?(_ context: DocumentContext) {
        main = Self.main(of: context)
        guard main != nil || context.scriptReferences.contains(where: { !$0.amd.isEmpty }) else {
            return nil
        }
        let scripts = zip(context.scripts, context.scriptReferences)
        dependencies = scripts.flatMap { script, found in
            found.amd.dependencies.map {
                AMDCode.Dependency(name: $0.name, range: script.fileRange(of: $0.range))
            }
        }
        let codes = context.scriptReferences.map(\.amd)
        names = codes.reduce(into: []) { $0.formUnion($1.names) }
        baseURL = codes.lazy.compactMap(\.baseURL).first
        paths = codes.reduce(into: [:]) { $0.merge($1.paths) { _, new in new } }
        hasConfiguration = codes.contains(where: \.hasConfiguration)
        isOpen = codes.contains(where: \.isOpen)
    }

    private static func main(of context: DocumentContext) -> Main? {
        guard let html = context.html else { return nil }
        for reference in context.references where reference.htmlKind == .script {
            guard let index = reference.element,
                !reference.traits.contains(.inTemplate),
                let attribute = context.attribute("data-main", of: html.elements[index]),
                let value = html.elements[index].value(of: "data-main", in: context.bytes.span),
                !value.isEmpty, !value.contains(UInt8(ascii: "{"))
            else { continue }
            return Main(value: value, range: attribute.value)
        }
        return nil
    }
}
