import PackGround
import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// A missing file loaded by a script.
    static let jsMissingFile = Rule(
        "js-missing-file", group: .script, level: .always(.error),
        document: { document, sink in
            let scheme = document.profile.canonicalScheme
            sink.reportMisses(
                document.scriptReferences(.literal, .newURL, .moduleURL).filter {
                    $0.writtenScheme == scheme
                        && $0.resolution.lookedUp?.contains(UInt8(ascii: ".")) == true
                }, in: document, severity: document.profile.isBoundToPackage ? nil : .hint)
            // References relative to the page running the script are resolved after all files have
            // been read.
            for reference in document.scriptReferences(.asset, .publicAsset, .navigation)
            where !reference.traits.contains(.late) {
                guard let severity = LoadedAsset.severity(reference, in: document) else { continue }
                let isPage = reference.kind == .script(.navigation)
                sink.report(
                    reference,
                    isPage
                        ? LookupModel.pageMessage(reference, in: document.site)
                        : LookupModel.missMessage(reference, in: document.site),
                    notes: document.site.hints(for: reference.resolution), severity: severity,
                    cause: LoadedAsset.cause(reference, in: document))
            }
        },
        site: { context, sink in
            let site = context.site
            for (file, reference, failure) in LateAssets.failures(in: context) {
                guard LookupModel.cause(of: failure.resolution, in: site) == .missing,
                    RootCheck.found(failure, in: site) == nil
                else { continue }
                let runner = printable(site.path(failure.runner.file).bytes)
                sink.report(
                    file: file, at: reference.range,
                    "'\(printable(reference.value))' is not in the package",
                    notes: ["requested from '\(runner)'"] + site.hints(for: failure.resolution),
                    severity: reference.traits.contains(.spare) ? .warning : nil,
                    cause: ScriptAsset.isElsewhere(reference.value, in: site)
                        ? "base" : "file \(printable(reference.value))")
            }
        })
}

/// Assets loaded by scripts with a URL relative to the page.
enum LateAssets {
    /// The assets without a file, with the page or worker in which the request fails.
    static func failures(
        in context: SiteContext
    ) -> [(file: Int, reference: LateReference, failure: LateReference.Answer)] {
        guard let runners = context.runners else { return [] }
        return context.summaries.flatMap { summary in
            summary.late.filter { $0.kind == .script(.asset) }.compactMap { reference in
                guard let failure = reference.failure(in: summary.index, runners, context.site),
                    !context.site.importMaps.maps(failure.resolution.url),
                    // A placeholder in the page's base is reported once, in the page.
                    Placeholder.find(in: PercentEncoding.decode(failure.runner.base?.path ?? []))
                        == nil
                else { return nil }
                return (summary.index, reference, failure)
            }
        }
    }
}

private enum LoadedAsset {
    /// The cause shared by findings: the page opened, or the source text, from which a loop can
    /// make several names.
    static func cause(_ reference: Reference, in document: DocumentContext) -> String? {
        reference.kind == .script(.navigation)
            ? "page " + reference.text
            : "written " + printable(document.bytes[within: reference.range].prefix(200))
    }

    /// The severity of a missing file; `nil` if it is not missing, or another rule reports it.
    static func severity(_ reference: Reference, in document: DocumentContext) -> Severity? {
        let site = document.site
        guard reference.mayMiss, !site.importMaps.maps(reference.resolution.url) else { return nil }
        switch reference.kind {
        case .script(.publicAsset):
            if reference.traits.contains(.guarded) { return nil }
            let name = reference.value.split(separator: UInt8(ascii: "/")).last ?? []
            guard ContentHash.isIn(Array(name)),
                !ScriptAsset.isElsewhere(reference.value, in: site)
            else { return nil }
            return .error
        case .script(.navigation):
            guard document.profile.hasPackagedPages, LookupModel.isPlainMiss(reference, in: site)
            else { return nil }
            let last = reference.resolution.url?.pathComponents.last
            return last.map { $0.contains(UInt8(ascii: ".")) } == true ? .error : .warning
        default:
            if reference.traits.contains(.guarded) {
                return LookupModel.isPlainMiss(reference, in: site) ? .hint : nil
            }
            return LookupModel.isPlainMiss(reference, in: site) ? .error : nil
        }
    }
}
