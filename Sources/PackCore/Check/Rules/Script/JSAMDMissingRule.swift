import PackGround
import PackProfile

extension Rule {
    /// A missing module loaded by RequireJS.
    static let jsAMDMissing = Rule(
        "js-amd-missing", group: .script, level: .always(.error),
        site: { context, sink in
            guard
                context.summaries.contains(where: {
                    $0.amd?.main != nil || $0.amd?.hasConfiguration == true
                })
            else { return }
            let defined: Set<[UInt8]> = context.summaries.reduce(into: []) {
                $0.formUnion($1.amd?.names ?? [])
            }
            var reported: Set<ModuleWalk.Place> = []
            for page in context.summaries where context.site.files[page.index].kind == .html {
                guard let walk = AMDWalk(page, defined: defined, in: context) else { continue }
                for fault in walk.faults
                where reported.insert(.init(file: fault.file, start: fault.range.lowerBound))
                    .inserted
                {
                    sink.report(
                        file: fault.file, at: fault.range,
                        "'\(printable(fault.url))' is not in the package",
                        notes: ["the module '\(printable(fault.name))'"])
                }
            }
        })
}
