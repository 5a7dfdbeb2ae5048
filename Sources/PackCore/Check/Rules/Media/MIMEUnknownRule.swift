import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// Files of a type unknown to the handler.
    static let mimeUnknown = Rule(
        "mime-unknown", group: .media,
        level: .init(
            """
            error for modules, else warning, on Android a hint; not if `media-types` names the \
            extension
            """
        ) {
            _ in .warning
        },
        site: { context, sink in
            var loaded: Set<Int> = []
            var modules: Set<Int> = []
            // Workers and classic scripts run with any type.
            var others: Set<Int> = []
            for summary in context.summaries {
                // Web views do not read web app manifests.
                for link in summary.links
                where link.use.isFetched && link.isFromPackage && link.kind != .html(.manifest) {
                    if MIMEUnknown.runsAnyType(link) {
                        others.insert(link.target)
                        continue
                    }
                    loaded.insert(link.target)
                    if MIMEUnknown.isModule(link) { modules.insert(link.target) }
                }
            }
            for (index, file) in context.site.files.enumerated() {
                let ending = file.path.fileEnding
                let isStrict =
                    DeviceMediaType.isStrict(ending) && loaded.contains(index)
                    || modules.contains(index)
                if others.contains(index), !loaded.contains(index) { continue }
                guard loaded.contains(index) || DeviceMediaType.isLoadedByScripts(ending),
                    !DeviceMediaType.isKnown(ending, to: context.profile)
                else { continue }
                // Without streaming, the type does not matter.
                let isMaterial =
                    ending != "wasm" || context.summaries.contains(where: \.streamsWebAssembly)
                // A script composes the name of a worker.
                let isWorker =
                    !loaded.contains(index)
                    && String(decoding: file.path.fileName, as: UTF8.self).contains("worker")
                let since = DeviceMediaType.release(of: ending, for: context.profile)
                sink.report(
                    file: index,
                    since.map {
                        """
                        iOS knows the type of '.\(ending)' from \($0) on, but the app also \
                        runs on \
                        \(context.profile.minimumIOS)
                        """
                    }
                        ?? (ending.isEmpty
                            ? "without an extension the handler has no type for this file"
                            : "the handler has no type for '.\(ending)'"),
                    // Chromium reads most files of an unknown type by their content.
                    severity: !isMaterial || isWorker
                        ? .hint
                        : isStrict
                            ? .error
                            : context.profile.platform == .android && ending != "wasm"
                                ? .hint : nil,
                    cause: isWorker ? ending + " of a worker" : ending,
                    setting: DeviceMediaType.registered[ending].map {
                        SettingProposal("profile.media-types", name: ending, $0)
                    })
            }
        })
}

private enum MIMEUnknown {
    /// Whether the file runs as a worker or as a classic script.
    static func runsAnyType(_ link: DocumentSummary.Link) -> Bool {
        link.kind.isWorker || link.kind == .html(.script)
    }

    /// Whether a file is loaded as a module, which requires a script's MIME type.
    static func isModule(_ link: DocumentSummary.Link) -> Bool {
        guard !link.traits.contains(.inTemplate), !link.traits.contains(.typed) else {
            return false
        }
        return link.kind == .html(.moduleScript) || link.kind == .script(.staticImport)
            || link.kind == .script(.dynamicImport) || link.kind == .script(.importScripts)
    }
}
