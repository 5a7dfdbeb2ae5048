import PackGround
import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// A refresh to a page missing from the package.
    static let metaRefreshTarget = Rule(
        "meta-refresh-target", group: .markup, level: .always(.error), fix: .safe,
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .refresh {
                guard reference.fault == nil else { continue }
                if reference.resolution.url?.scheme.elementsEqual("http".utf8) == true {
                    sink.report(
                        reference, "the app blocks plain http",
                        fix: SchemeSpelling.replacing(reference, with: "https").flatMap {
                            document.safeFix(reference, to: $0)
                        }, severity: .warning)
                } else if let target = OwnLink.target(reference, in: document) {
                    sink.report(
                        reference, "the page opens another one from the network",
                        notes: [
                            "the package has it as "
                                + "'\(printable(document.site.path(target).bytes))'"
                        ],
                        fix: OwnLink.address(reference, in: document).flatMap {
                            document.fix(.unsafe, reference, to: $0)
                        })
                } else if reference.resolution.isMiss, document.profile.hasPackagedPages {
                    sink.report(
                        reference, "'\(reference.text)' is not in the package",
                        notes: document.site.hints(for: reference.resolution),
                        severity: document.severityOnline(reference.value))
                } else if reference.resolution.outcome == .otherOrigin,
                    document.profile.isIntercepted
                {
                    let isLaunch =
                        document.path.bytes.elementsEqual(document.profile.launch.utf8)
                    sink.report(
                        reference, "'\(reference.text)' is opened at once, outside of the package",
                        severity: isLaunch ? nil : .warning)
                }
            }
        })
}
