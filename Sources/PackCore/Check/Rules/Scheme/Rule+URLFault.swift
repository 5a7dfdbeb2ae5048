import PackGround
import PackProfile
import PackURL

extension Rule {
    /// A finding about the spelling of a URL.
    struct FaultReport {
        let message: String
        /// The replacement URL.
        var meant: String?
        var safety = Fix.Safety.safe
        /// The cause shared by merged findings.
        var cause: String?
        /// A setting that resolves the finding.
        var setting: SettingProposal?
    }

    /// A check of every reference for one spelling fault.
    static func faults(
        _ describe: @escaping @Sendable (URLFault, Reference, DocumentContext) -> FaultReport?
    ) -> @Sendable (DocumentContext, inout FindingSink) -> Void {
        { document, sink in
            for reference in document.references where reference.isEffective {
                guard let fault = reference.fault,
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
