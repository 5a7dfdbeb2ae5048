import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A module or style sheet with the media type of something else.
    static let typeRefused = Rule(
        "type-refused", group: .media, level: .always(.error),
        document: { document, sink in
            // A response without headers has no type that is compared.
            guard document.profile.client.lookUp == .path, document.profile.hasPackagedPages,
                document.kind != .html || document.html?.doctype != nil
            else { return }
            for reference in document.references {
                guard reference.htmlKind == .styleSheet || reference.cssRole == .importedSheet,
                    reference.isEffective, case .file(let index) = reference.resolution.outcome
                else { continue }
                let ending = document.site.path(index).fileEnding
                guard !DeviceMediaType.isStyleSheet(ending, to: document.profile),
                    // Without a type, Chromium reads it as a style sheet.
                    document.profile.platform == .ios || document.profile.framework == nil
                        || DeviceMediaType.isKnown(ending, to: document.profile)
                else { continue }
                sink.report(
                    reference, "'\(reference.text)' is not sent as a style sheet, so it is refused",
                    notes: TypeRefused.notes(ending))
            }
        },
        site: { context, sink in
            var loaded: Set<Int> = []
            for summary in context.summaries {
                for link in summary.links { loaded.insert(link.target) }
            }
            for summary in context.summaries {
                let isPage = context.site.files[summary.index].kind == .html
                guard isPage || loaded.contains(summary.index) else { continue }
                for link in summary.links where TypeRefused.isModule(link) && link.isFromPackage {
                    let ending = context.site.path(link.target).fileEnding
                    // mime-unknown and js-import-type report the others.
                    guard DeviceMediaType.isKnown(ending, to: context.profile),
                        !DeviceMediaType.isScript(ending, to: context.profile),
                        link.kind != .script(.staticImport) || !["css", "json"].contains(ending)
                    else { continue }
                    let name = printable(context.site.path(link.target).fileName)
                    sink.report(
                        file: summary.index, at: link.range,
                        "'\(name)' is not sent as a script, so the module is refused",
                        notes: TypeRefused.notes(ending),
                        // Chromium imports style sheets `with {type: "css"}`.
                        severity: link.traits.contains(.spare)
                            || context.profile.platform == .android && ending == "css"
                            ? .warning : nil)
                }
            }
        })
}

private enum TypeRefused {
    static func isModule(_ link: DocumentSummary.Link) -> Bool {
        guard
            link.traits.isDisjoint(with: [.inTemplate, .inNoscript, .typed, .guarded, .unasked])
        else { return false }
        return link.kind == .html(.moduleScript) || link.kind == .script(.staticImport)
            || link.kind == .script(.dynamicImport) || link.kind == .script(.importScripts)
    }

    static func notes(_ ending: String) -> [String] {
        ending == "ts" ? ["the phone sends '.ts' as a video"] : []
    }
}
