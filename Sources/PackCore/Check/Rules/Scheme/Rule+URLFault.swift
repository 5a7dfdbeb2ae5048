import PackGround
import PackProfile
import PackURL

extension Rule {
    /// What a rule reports about the spelling of a URL.
    struct FaultReport {
        let message: String
        /// The URL to write instead.
        var meant: String?
        var safety = Fix.Safety.safe
        /// What places with one cause have in common.
        var cause: String?
        /// The setting that ends the finding.
        var setting: SettingProposal?
    }

    /// A rule that checks every reference for one fault in its spelling.
    static func faults(
        _ describe: @escaping @Sendable (URLFault, Reference, DocumentContext) -> FaultReport?
    ) -> @Sendable (DocumentContext, inout FindingSink) -> Void {
        { document, sink in
            for reference in document.references where reference.isEffective {
                guard let fault = URLFault.of(reference, in: document.site),
                    let report = describe(fault, reference, document)
                else { continue }
                sink.report(
                    reference, report.message,
                    notes: reference.resolution.url.map {
                        ["it resolves to \(printable($0.serialized()))"]
                    } ?? [],
                    fix: report.meant.flatMap { document.fix(report.safety, reference, to: $0) })
            }
        }
    }
}
