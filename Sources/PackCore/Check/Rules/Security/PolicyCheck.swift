import PackURL
import PackWeb

/// Finds the actions of a page that its own policies forbid.
struct PolicyCheck {
    /// An action, and the directive that forbids it.
    struct Refused {
        let found: DocumentContext.Policy
        let directive: ContentSecurityPolicy.Directive
        let action: PageAction
    }

    private let document: DocumentContext
    private let page: URLRecord
    /// The remaining number of comparisons of URLs with sources.
    private var comparisons = 200_000
    private var refused: [Refused] = []
    /// Whether a script creates the default policy, which handles every text.
    private var hasDefaultPolicy = false

    /// All forbidden actions, by policy, then in page order.
    static func refused(in document: DocumentContext) -> [Refused] {
        let policies = document.policies
        guard !policies.isEmpty, let page = document.url else { return [] }
        var check = PolicyCheck(document: document, page: page)
        check.run(policies, PageActions(of: document).actions)
        return check.refused
    }

    private init(document: DocumentContext, page: URLRecord) {
        self.document = document
        self.page = page
    }

    private mutating func run(_ policies: [DocumentContext.Policy], _ actions: [PageAction]) {
        hasDefaultPolicy = actions.contains {
            guard case .trustedPolicy = $0.kind else { return false }
            return $0.text.elementsEqual("default".utf8)
        }
        // The actions of a blocked script are skipped.
        for found in policies {
            for action in actions where action.cause == nil { ask(found, action) }
        }
        let idle = Set(refused.map(\.action.range.lowerBound))
        for found in policies {
            for action in actions {
                if let cause = action.cause, !idle.contains(cause) { ask(found, action) }
            }
        }
    }

    private mutating func ask(_ found: DocumentContext.Policy, _ action: PageAction) {
        guard action.range.lowerBound >= found.start,
            let directive = found.policy.directive(governing: action.directive)
        else { return }
        comparisons -= directive.sources.urls.count + 1
        guard comparisons > 0, !allows(action, directive) else { return }
        refused.append(Refused(found: found, directive: directive, action: action))
    }

    /// Whether a directive allows an action (section 6.7, and WebKit's behavior).
    private func allows(
        _ action: PageAction, _ directive: ContentSecurityPolicy.Directive
    ) -> Bool {
        let sources = directive.sources
        switch action.kind {
        case .load(let url): return allowsLoad(of: url, action, directive)
        case .codeFromString: return sources.keywords.contains(.unsafeEval)
        case .text:
            return hasDefaultPolicy
                || !directive.values.contains { $0.lowercased() == "'script'" }
        case .trustedPolicy:
            let name = String(decoding: action.text, as: UTF8.self)
            return directive.values.contains { $0 == name || $0 == "*" }
        case .style:
            // The text and its nonce are unknown.
            return sources.hasHashOrNonce || sources.keywords.contains(.unsafeInline)
        case .webAssembly:
            return sources.keywords.contains(.unsafeEval)
                || directive.values.contains { $0.lowercased() == "'wasm-unsafe-eval'" }
        case .inline(let content, let inline):
            if sources.allowsAllInline(script: inline.isScript) { return true }
            if inline.isElement, let nonce = action.nonce, sources.nonces.contains(nonce) {
                return true
            }
            return (inline.isElement || sources.keywords.contains(.unsafeHashes))
                && sources.contains(hashOf: document.bytes(of: content))
        }
    }

    private func allowsLoad(
        of url: URLRecord, _ action: PageAction, _ directive: ContentSecurityPolicy.Directive
    ) -> Bool {
        let sources = directive.sources
        let isScript = action.directive == "script-src-elem"
        if isScript || action.directive == "style-src-elem" {
            if let nonce = action.nonce, sources.nonces.contains(nonce) { return true }
            if action.isNonceUnknown, !sources.nonces.isEmpty { return true }
        }
        if isScript, let integrity = action.integrity, sources.contains(integrity) { return true }
        if sources.keywords.contains(.strictDynamic) {
            // Hosts and schemes are ignored in this case.
            if isScript { return !action.isParserInserted }
            if action.directive == "worker-src" { return true }
            // WebKit also ignores them for all other loads if the directive is about scripts.
            if directive.name == "default-src" || directive.name.hasPrefix("script-src") {
                return false
            }
        }
        let scheme = String(decoding: url.scheme, as: UTF8.self)
        if scheme == "about" || scheme == "javascript" { return true }
        // In WebKit, 'self' matches the page's host over WebSocket.
        let isSocket = scheme == "ws" || scheme == "wss"
        return sources.urls.contains {
            if case .own = $0, isSocket, url.host?.inLowerCase == page.host?.inLowerCase {
                return true
            }
            return $0.matches(
                url, page: page, profile: document.profile, in: directive.name)
        }
    }
}

extension DocumentContext {
    /// The bytes to hash.
    func bytes(of content: PageAction.Content) -> [UInt8] {
        switch content {
        case .bytes(let bytes): bytes
        case .fragment(let number):
            html?.fragments[number].decoded(in: bytes.span).bytes ?? []
        }
    }

    /// A policy in the page, with the data needed to report and change it.
    struct Policy {
        let policy: ContentSecurityPolicy
        let text: HTMLDecodedText
        let attribute: HTMLAttribute
        /// The policy does not apply to content before this offset.
        let start: Int
        /// Whether it is in the body, where browsers ignore it.
        let isInBody: Bool
    }

    /// The maximum number of policies of a page: all actions are matched against each.
    private static let mostPolicies = 16

    /// The policies enforced by browsers: a report-only one in `meta` is ignored (section 4.4), and
    /// so is one outside the head.
    var policies: [Policy] { writtenPolicies.filter { !$0.isInBody } }

    /// All policies of the page, including those outside the head.
    var writtenPolicies: [Policy] {
        guard let html else { return [] }
        var found: [Policy] = []
        for fragment in html.fragments where found.count < Self.mostPolicies {
            guard fragment.kind == .contentSecurityPolicy, let attribute = fragment.attribute else {
                continue
            }
            let element = html.elements[fragment.element]
            guard keyword("http-equiv", of: element) == "content-security-policy",
                !element.isInTemplate, !element.isInNoscript
            else { continue }
            let text = fragment.decoded(in: bytes.span)
            let isInBody = html.bodyStart.map { element.tag.lowerBound >= $0 } ?? false
            let most = Self.mostPolicies - found.count
            for policy in ContentSecurityPolicy.list(text.bytes, atMost: most) {
                found.append(
                    Policy(
                        policy: policy, text: text, attribute: attribute,
                        start: element.tag.upperBound, isInBody: isInBody))
            }
        }
        return found
    }
}
