import PackGround

extension Rule {
    /// An imported name without an entry in an import map.
    static let jsBareImport = Rule(
        "js-bare-import", group: .script, level: .always(.error),
        site: { context, sink in
            guard context.summaries.contains(where: { !$0.modules.bare.isEmpty }) else { return }
            var reported: Set<ModuleWalk.Place> = []
            for page in context.summaries where context.site.files[page.index].kind == .html {
                for fault in ModuleWalk.walk(from: page, in: context).faults
                where fault.cause != .notScript && reported.insert(fault.place).inserted {
                    sink.report(
                        file: fault.place.file, at: fault.range,
                        fault.cause == .mapped
                            ? "the import map's address for '\(printable(fault.name))' finds no file"
                            : "no import map has the name '\(printable(fault.name))'",
                        severity: fault.isDynamic ? .warning : nil)
                }
            }
        })
}
