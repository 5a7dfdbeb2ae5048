import PackGround
import PackProfile
import PackURL

extension Rule {
    /// A packaged file that a script loads from the network.
    static let jsAssetLiteral = Rule(
        "js-asset-literal", group: .script, level: .always(.warning), fix: .unsafe,
        document: { document, sink in
            for reference in document.references {
                guard case .script = reference.kind,
                    case .otherOrigin = reference.resolution.outcome,
                    let twin = reference.resolution.twin, reference.use != .identifier,
                    !reference.isProtocolRelative
                else { continue }
                let url = document.profile.url(of: document.site.path(twin), secure: false)
                sink.report(
                    reference,
                    "'\(reference.text)' is in the package, but it is loaded from the network",
                    notes: ["packaged as '\(printable(document.site.path(twin).bytes))'"],
                    fix: document.profile.pageOrigin == .custom
                        ? url.flatMap { document.fix(.unsafe, reference, to: $0.href) } : nil)
            }
        })
}
