import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A module that imports a style sheet or data as a script.
    static let jsImportType = Rule(
        "js-import-type", group: .script, level: .always(.error),
        site: { context, sink in
            let isNeeded = context.summaries.contains { summary in
                summary.links.contains {
                    $0.kind == .script(.staticImport) && !$0.traits.contains(.typed)
                        && ["css", "json"].contains(context.site.path($0.target).fileEnding)
                }
            }
            guard isNeeded else { return }
            var reported: Set<ModuleWalk.Place> = []
            for page in context.summaries where context.site.files[page.index].kind == .html {
                for fault in ModuleWalk.walk(from: page, in: context).faults
                where fault.cause == .notScript && reported.insert(fault.place).inserted {
                    sink.report(
                        file: fault.place.file, at: fault.range,
                        "'\(printable(fault.name))' is not a script: the module does not run",
                        // Chromium imports style sheets `with {type: "css"}`.
                        severity: context.profile.platform == .android
                            && fault.name.suffix(4).elementsEqual(".css".utf8) ? .warning : nil)
                }
            }
        })
}
