import PackGround
import PackProfile
import PackURL
import PackWeb

/// All actions of a page, its style sheets and its scripts that a policy can forbid.
struct PageActions {
    private let document: DocumentContext
    private(set) var actions: [PageAction] = []
    /// The scripts and style sheets already read for the page.
    private var files: Set<Int> = []

    /// The maximum numbers of other files read for a page, and of actions.
    private static let mostFiles = 256
    private static let mostActions = 20_000
    /// Larger scripts are assumed to be libraries, which a page may use only partly; in bytes.
    private static let ownCode = 64 << 10

    /// - Parameter document: A page.
    init(of document: DocumentContext) {
        self.document = document
        guard let html = document.html else { return }
        for reference in document.references { load(reference) }
        for number in html.fragments.indices { inline(number, html) }
        for (script, found) in zip(document.scripts, document.scriptReferences) {
            run(script, found, html)
        }
    }

    private mutating func add(_ action: PageAction) {
        if actions.count < Self.mostActions { actions.append(action) }
    }

    // MARK: - Markup and style sheets

    private mutating func load(_ reference: Reference) {
        guard reference.isEffective, !reference.traits.contains(.inNoscript),
            !reference.traits.contains(.inTemplate), let url = reference.resolution.url
        else { return }
        if case .notARequest(.script) = reference.resolution.outcome {
            return scriptURL(reference)
        }
        guard let policy = reference.policy else { return }
        if reference.use == .identifier { return }
        var action = PageAction(
            kind: .load(url), directive: policy.directive, text: reference.value,
            range: reference.range, severity: policy.severity)
        if let element = document.element(of: reference), reference.htmlKind != nil {
            action.nonce = document.value("nonce", of: element)
            if policy.directive == "script-src-elem" {
                action.integrity = document.value("integrity", of: element)
                    .map { SubresourceIntegrity($0.utf8) }
            }
        }
        if case .data = reference.kind {
            action.isParserInserted = false
            action.isNonceUnknown = true
        }
        add(action)
        if let file = reference.resolution.file { read(file, url, for: action, reference) }
    }

    /// Adds the actions of a file loaded by the page.
    private mutating func read(
        _ file: Int, _ url: URLRecord, for action: PageAction, _ reference: Reference
    ) {
        switch action.directive {
        case "style-src-elem": readSheet(file, action)
        case "script-src-elem":
            readScript(file, url, Script(action, isModule: reference.htmlKind != .script))
        default: break
        }
    }

    private mutating func readSheet(_ file: Int, _ cause: PageAction) {
        guard document.site.files[file].kind == .css, files.count < Self.mostFiles,
            files.insert(file).inserted, let sheet = document.site.loadedContent(of: file)
        else { return }
        for reference in sheet.references {
            guard let policy = reference.policy, let url = reference.resolution.url else {
                continue
            }
            let action = PageAction(
                kind: .load(url), directive: policy.directive, text: reference.value,
                range: cause.range, file: file, severity: policy.severity)
            add(action)
            if policy.directive == "style-src-elem", let next = reference.resolution.file {
                readSheet(next, action)
            }
        }
    }

    // MARK: - Inline code

    private mutating func inline(_ number: Int, _ html: HTMLReferences) {
        let fragment = html.fragments[number]
        let element = html.elements[fragment.element]
        guard !element.isInTemplate, !element.isInNoscript else { return }
        if fragment.kind == .document { return nested(fragment) }
        guard let inline = Self.inline(fragment.kind),
            // The content of a script with `src` never runs.
            !(inline == .script && document.has("src", element)),
            !document.bytes[within: fragment.range].allSatisfy({ $0 <= 0x20 })
        else { return }
        var action = PageAction(
            kind: .inline(.fragment(number), inline), directive: Self.directive(of: inline),
            text: [], range: fragment.range)
        if inline.isElement { action.nonce = document.value("nonce", of: element) }
        add(action)
    }

    private static func inline(_ kind: HTMLFragment.Kind) -> PageAction.Inline? {
        switch kind {
        case .script, .moduleScript: .script
        case .importMap: .importMap
        case .styleSheet: .styleSheet
        case .eventHandler: .handler
        case .styleAttribute: .styleAttribute
        default: nil
        }
    }

    private static func directive(of inline: PageAction.Inline) -> String {
        switch inline {
        case .script, .importMap, .scriptURL: "script-src-elem"
        case .handler: "script-src-attr"
        case .styleSheet: "style-src-elem"
        case .styleAttribute: "style-src-attr"
        }
    }

    /// Adds the page in `srcdoc`, which inherits the policies of the outer page.
    private mutating func nested(_ fragment: HTMLFragment) {
        let text = fragment.decoded(in: document.bytes.span).bytes
        let page = HTMLReferences(of: text.span)
        for inner in page.fragments {
            let element = page.elements[inner.element]
            guard !element.isInTemplate, !element.isInNoscript,
                let inline = Self.inline(inner.kind), inline.isScript,
                !(inline == .script && element.has("src", in: text.span))
            else { continue }
            let content = inner.decoded(in: text.span).bytes
            guard !content.allSatisfy({ $0 <= 0x20 }) else { continue }
            add(
                PageAction(
                    kind: .inline(.bytes(content), inline), directive: Self.directive(of: inline),
                    text: [], range: fragment.range,
                    nonce: element.value(of: "nonce", in: text.span)
                        .map { String(decoding: $0, as: UTF8.self) }))
        }
    }

    /// `javascript:` URLs that do nothing.
    private static let idle: Set<String> = [
        "", ";", "//", "#", "0", "void(0)", "void(0);", "void 0", "void 0;", "undefined", "false",
        "return false", "return false;", "void()", "void();", "{}",
    ]

    private mutating func scriptURL(_ reference: Reference) {
        guard let kind = reference.htmlKind,
            [.navigation, .formSubmission, .frame].contains(kind)
        else { return }
        let value = Array(reference.value.drop { $0 <= 0x20 })
        let code = String(decoding: value.dropFirst("javascript:".utf8.count), as: UTF8.self)
        guard !Self.idle.contains(String(keyword: Array(code.utf8))) else { return }
        add(
            PageAction(
                kind: .inline(.bytes(value), .scriptURL), directive: "script-src-elem",
                text: reference.value, range: reference.range))
    }

    // MARK: - Scripts

    /// The properties of a running script that its requests inherit.
    private struct Script {
        let range: Range<Int>
        let nonce: String?
        let isNonceUnknown: Bool
        let isModule: Bool

        init(_ action: PageAction, isModule: Bool) {
            range = action.range
            nonce = action.nonce
            isNonceUnknown = action.isNonceUnknown
            self.isModule = isModule
        }

        init(range: Range<Int>, nonce: String?, isModule: Bool) {
            self.range = range
            self.nonce = nonce
            isNonceUnknown = false
            self.isModule = isModule
        }
    }

    /// Adds the actions of a script in the page.
    private mutating func run(
        _ text: ScriptText, _ found: JavaScriptReferences, _ html: HTMLReferences
    ) {
        guard let number = text.fragment else { return }
        let fragment = html.fragments[number]
        let element = html.elements[fragment.element]
        guard !element.isInTemplate, !element.isInNoscript, !document.has("src", element) else {
            return
        }
        let script = Script(
            range: fragment.range,
            nonce: fragment.attribute == nil ? document.value("nonce", of: element) : nil,
            isModule: text.role == .module)
        for reference in found.references {
            act(
                reference, script, file: nil, url: document.base(at: fragment.range.lowerBound),
                range: text.fileRange(of: reference.range), isOwn: true)
        }
    }

    private mutating func readScript(_ file: Int, _ url: URLRecord, _ script: Script) {
        guard files.count < Self.mostFiles, document.site.files[file].kind == .script,
            files.insert(file).inserted, let content = document.site.loadedContent(of: file)
        else { return }
        let isOwn = document.site.files[file].size <= Self.ownCode
        for reference in content.script {
            act(reference, script, file: file, url: url, range: script.range, isOwn: isOwn)
        }
    }

    /// Adds one action of a script.
    ///
    /// - Parameter url: The URL of the script, against which imports resolve.
    private mutating func act(
        _ reference: JavaScriptReference, _ script: Script, file: Int?, url: URLRecord?,
        range: Range<Int>, isOwn: Bool
    ) {
        guard let directive = reference.policyDirective else { return }
        guard let kind = kind(reference, url) else { return }
        var action = PageAction(
            kind: kind, directive: directive,
            text: reference.extent == .whole && !reference.value.isEmpty
                ? reference.value : Array(reference.detail.utf8),
            range: range, file: file, severity: isOwn ? .error : .warning)
        action.cause = script.range.lowerBound
        // WebKit only refuses instances; other engines also refuse the compilation.
        let isCompiled = reference.kind == .webAssembly && !reference.detail.contains("nst")
        if reference.kind == .beacon || isCompiled { action.severity = .hint }
        if reference.kind == .styleByScript {
            action.severity = .warning
            action.isNonceUnknown = true
        }
        if reference.kind == .asset, directive != "script-src-elem" {
            action.severity = min(action.severity, .warning)
        }
        guard directive == "script-src-elem", case .load(let target) = kind else {
            return add(action)
        }
        action.isParserInserted = false
        // Imports inherit the nonce; elements created by a script do not.
        if reference.kind != .asset {
            action.nonce = script.nonce
            action.isNonceUnknown = script.isNonceUnknown
        }
        add(action)
        let resolution = document.site.resolver.resolve(target)
        if let next = resolution.file {
            readScript(
                next, target,
                Script(
                    range: script.range, nonce: script.nonce, isModule: true))
        }
    }

    private func kind(_ reference: JavaScriptReference, _ url: URLRecord?) -> PageAction.Kind? {
        switch reference.kind {
        case .codeFromString:
            // Only reached in engines without `globalThis`.
            if reference.isGuarded || reference.text == "return this" { return nil }
            return .codeFromString
        case .webAssembly: return reference.isGuarded ? nil : .webAssembly
        case .styleByScript: return .style
        case .trustedSink: return reference.isGuarded ? nil : .text
        case .trustedPolicy: return .trustedPolicy
        case .worker where reference.detail == "blob":
            return URLRecord.parse("blob:null/0").map { .load($0) }
        default: break
        }
        guard reference.extent == .whole, !reference.isGuarded else { return nil }
        let base: URLRecord?
        switch reference.kind {
        case .staticImport, .dynamicImport:
            guard Self.isAddress(reference.value) else { return nil }
            base = url
        case .workerModuleURL: base = url
        default: base = document.baseURL
        }
        guard let target = URLRecord.parse(reference.value, base: base) else { return nil }
        return .load(target)
    }

    /// Whether an import names its module by URL; others need an import map.
    private static func isAddress(_ value: [UInt8]) -> Bool {
        value.first == UInt8(ascii: "/") || value.starts(with: "./".utf8)
            || value.starts(with: "../".utf8) || Reference.scheme(of: value) != nil
    }
}
