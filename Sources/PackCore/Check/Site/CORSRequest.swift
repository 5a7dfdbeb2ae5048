import PackProfile
import PackWeb

/// A request of a page with CORS if the page has an opaque web origin.
struct CORSRequest: Sendable {
    let range: Range<Int>
    let text: String
    /// Whether the page works without it.
    let isSpare: Bool

    private static let most = 50

    /// The requests for packaged files in a page, if the handler sends no CORS headers.
    static func all(in context: DocumentContext) -> [CORSRequest] {
        guard context.kind == .html, !context.profile.client.sendsCORS else { return [] }
        var found: [CORSRequest] = []
        for reference in context.references where found.count < most {
            guard reference.resolution.file != nil, reference.isEffective,
                reference.traits.isDisjoint(with: [.inTemplate, .inNoscript, .nested]),
                needsCORS(reference, in: context)
            else { continue }
            found.append(
                CORSRequest(
                    range: reference.range, text: reference.text,
                    isSpare: !reference.traits.isDisjoint(with: [.guarded, .spare, .unasked])))
        }
        return found
    }

    private static func needsCORS(_ reference: Reference, in context: DocumentContext) -> Bool {
        switch reference.kind {
        case .html(.moduleScript), .script(.fetch), .script(.request),
            .script(.ajax), .script(.staticImport), .script(.dynamicImport):
            return true
        case .html(.script), .html(.styleSheet), .html(.image):
            return context.element(of: reference).map { context.has("crossorigin", $0) } ?? false
        default: return false
        }
    }
}
