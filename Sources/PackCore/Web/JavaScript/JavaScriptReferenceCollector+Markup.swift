/// Markup and style sheets in strings, and the code that uses them.
extension JavaScriptReferenceCollector {
    /// A template with substitutions whose pieces are still being read.
    struct OpenTemplate {
        var markup = JavaScriptMarkup()
        /// Whether any piece is read.
        var isRead: Bool
        /// Whether known code uses the template as markup.
        let isTaken: Bool
    }

    private static let deepestTemplate = 32

    /// A template, whose pieces belong together.
    mutating func template(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        let depth = templates.count
        literal(token, source)
        guard !token.traits.contains(.endsTemplate) else { return }
        guard depth < Self.deepestTemplate else {
            deeperTemplates += 1
            return
        }
        if templates.count == depth {
            templates.append(OpenTemplate(isRead: false, isTaken: false))
        }
    }

    /// The URLs inside a string or the first piece of a template.
    mutating func markup(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        let content = token.content(in: source)
        let isOpen = token.kind == .templateStart && !token.traits.contains(.endsTemplate)
        let kinds = JavaScriptMarkup.content(of: source, content)
        if kinds.contains(.workerCode), !isOpen { workerCode(token, source) }
        let isRead = kinds.contains(.addresses)
        guard isRead || isOpen else { return }
        var template = OpenTemplate(
            isRead: isRead || content.contains { source[$0] == UInt8(ascii: "<") },
            isTaken: takesMarkup(source))
        if template.isRead { read(&template, token, source) }
        if isOpen, templates.count < Self.deepestTemplate { templates.append(template) }
    }

    /// A later piece of a template.
    mutating func continuation(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        let isLast = token.traits.contains(.endsTemplate)
        if deeperTemplates > 0 {
            if isLast { deeperTemplates -= 1 }
            return
        }
        guard let depth = templates.indices.last else { return }
        if token.start >= mapEnd {
            let content = token.content(in: source)
            if templates[depth].isRead
                || JavaScriptMarkup.content(of: source, content).contains(.addresses)
            {
                var template = templates[depth]
                template.isRead = true
                read(&template, token, source)
                templates[depth] = template
            }
        }
        if isLast { templates.removeLast() }
    }

    /// The code of a worker in `new Blob(["…"])`, whose own address is not a base for others.
    private mutating func workerCode(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, "[", source), at(-2, "(", source), at(-3, "Blob", source),
            !token.traits.contains(.escaped)
        else { return }
        let inner = JavaScriptReferences(of: source, in: token.content(in: source))
        for reference in inner.references where reference.extent == .whole {
            switch reference.kind {
            case .importScripts, .fetch, .request, .dynamicImport, .staticImport: break
            default: continue
            }
            let colon = reference.value.firstIndex(of: UInt8(ascii: ":"))
            if colon != nil, [.fetch, .request].contains(reference.kind) {
                // The policy of the page also applies to a worker from a blob.
                note(
                    JavaScriptReference(
                        reference.kind, range: reference.range, expression: token.range,
                        value: reference.value, extent: .whole, detail: reference.detail,
                        isGuarded: reference.isGuarded, isTried: reference.isTried))
            }
            guard colon == nil, !reference.value.isEmpty else { continue }
            note(
                JavaScriptReference(
                    .blobAddress, range: reference.range, expression: token.range,
                    value: reference.value, extent: .whole))
        }
    }

    private mutating func read(
        _ template: inout OpenTemplate, _ token: JavaScriptToken, _ source: Span<UInt8>
    ) {
        template.markup.read(source, token.content(in: source))
        guard !template.markup.found.isEmpty else { return }
        let reach = template.isTaken ? reach(callAt: nil, source) : .needed
        for address in template.markup.found {
            note(
                JavaScriptReference(
                    template.isTaken ? .asset : .embedded, range: address.range,
                    expression: token.range, value: address.value, extent: .whole, detail: "markup",
                    isGuarded: reach == .guarded || address.isHandled,
                    isTried: reach == .tried))
        }
    }

    /// Whether markup or a style sheet in the current literal becomes part of the page.
    private func takesMarkup(_ source: Span<UInt8>) -> Bool {
        let before = window[-1]
        guard before.kind == .punctuator else { return false }
        switch source[before.start] {
        case UInt8(ascii: "="), UInt8(ascii: "+"):
            guard at(-1, "=", source) || at(-1, "+=", source) else { return false }
            return at(-4, "style", source) || Self.isAny(window[-2], Self.assigned, source)
        case UInt8(ascii: "("): return Self.isAny(window[-2], Self.takingFirst, source)
        case UInt8(ascii: ","):
            guard at(-3, "(", source), Self.isAny(window[-4], Self.takingSecond, source) else {
                return false
            }
            // A custom property is no request.
            return !at(-4, "setProperty", source) || window[-2].kind != .string
                || !source.extracting(window[-2].content(in: source)).holds("--", at: 0)
        case UInt8(ascii: ":"): return Self.isAny(window[-2], Self.members, source)
        default: return false
        }
    }

    /// A text assigned unchanged to `innerHTML` or similar, which a policy can forbid.
    mutating func trustedSink(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        let name: JavaScriptToken
        if at(-1, "=", source) || at(-1, "+=", source) {
            name = window[-2]
            guard at(-3, ".", source),
                Self.isAny(name, ["innerHTML", "outerHTML", "srcdoc"], source)
            else { return }
        } else if at(-1, "(", source) {
            name = window[-2]
            guard at(-3, ".", source),
                Self.isAny(name, ["write", "writeln", "createContextualFragment"], source)
            else { return }
        } else if at(-1, ",", source), at(-3, "(", source) {
            name = window[-4]
            guard Self.isAny(name, ["insertAdjacentHTML"], source) else { return }
        } else {
            return
        }
        note(
            JavaScriptReference(
                .trustedSink, range: token.range, expression: token.range,
                detail: text(name, source), isGuarded: isGuarded(by: ["trustedTypes"], source)))
    }

    static func isAny(
        _ token: JavaScriptToken, _ names: [StaticString], _ source: Span<UInt8>
    ) -> Bool {
        for name in names where token.is(name, in: source) { return true }
        return false
    }

    private static let assigned: [StaticString] = [
        "innerHTML", "outerHTML", "srcdoc", "cssText",
    ]
    private static let takingFirst: [StaticString] = [
        "write", "writeln", "html", "append", "prepend", "before", "after", "replaceWith",
        "createContextualFragment", "parseHTML", "insertRule", "$", "jQuery",
    ]
    private static let takingSecond: [StaticString] = [
        "insertAdjacentHTML", "setProperty", "css", "attr", "setAttribute", "FontFace",
    ]
    private static let members: [StaticString] = [
        "__html", "innerHTML", "backgroundImage", "background", "borderImage", "listStyleImage",
        "maskImage", "cursor",
    ]
}
