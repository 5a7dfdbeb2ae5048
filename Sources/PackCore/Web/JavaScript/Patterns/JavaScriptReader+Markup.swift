/// Markup and style sheets in strings, and the code that uses them.
extension JavaScriptReader {
    static let markupPatterns: [JavaScriptPattern] = [
        JavaScriptPattern(.assignment, .innerHTML, .outerHTML, .srcdoc) { reader, id, source in
            let target = reader.tree.first(id)
            guard reader.tree.kind(target) == .member else { return }
            reader.trustedSink(
                reader.tree.second(id), named: reader.tree.second(target), id, source)
        },
        JavaScriptPattern(.call, .write, .writeln, .createContextualFragment) {
            reader, id, source in
            guard reader.object(ofCall: id) != 0 else { return }
            let name = reader.tree.second(reader.tree.first(id))
            reader.trustedSink(reader.tree.argument(id, 0), named: name, id, source)
        },
        JavaScriptPattern(.call, .insertAdjacentHTML) { reader, id, source in
            guard reader.object(ofCall: id) != 0 else { return }
            let name = reader.tree.second(reader.tree.first(id))
            reader.trustedSink(reader.tree.argument(id, 1), named: name, id, source)
        },
        JavaScriptPattern(.call, .write, .writeln) { reader, id, source in
            guard reader.isNamed(reader.object(ofCall: id), .document) else { return }
            // `window.jQuery || document.write(…)`: a fallback for a file from another host.
            let parent = reader.tree.parent(id)
            let isFallback =
                reader.tree.symbol(parent) == .either && reader.tree.second(parent) == id
            reader.note(
                .documentWrite, from: reader.nameStart(ofCall: id),
                addressAt: reader.tree.argument(id, 0), source,
                isGuarded: isFallback || reader.isAssetGuarded(id, source))
        },
        JavaScriptPattern(.call, .createElement) { $0.styleElement($1, $2) },
    ]

    /// A text assigned unchanged to `innerHTML` or similar, which a policy can forbid.
    private mutating func trustedSink(
        _ value: ID, named name: ID, _ id: ID, _ source: Span<UInt8>
    ) {
        guard let literal = written(value, source)?.literals.first, tree.kind(literal) == .string,
            tree.content(literal).count > 8
        else { return }
        note(
            .trustedSink, at: tree.range(literal), detail: text(name, source),
            isGuarded: isGuarded(id, by: [.trustedTypes], source))
    }

    /// `s = document.createElement("style")`, if the script adds text to it.
    private mutating func styleElement(_ id: ID, _ source: Span<UInt8>) {
        let name = assigned(id)
        guard name != 0, isString(tree.argument(id, 0), "style", source) else { return }
        let binding = evaluator.scopes.binding(of: name)
        let function = tree.range(tree.functionScope(of: name))
        var isFilled = false
        for use in evaluator.scopes.occurrences(of: tree.nameID(name), in: function)
        where tree.start(use) > tree.start(id) && evaluator.scopes.binding(of: use) == binding {
            let member = tree.parent(use)
            let outer = tree.parent(member)
            guard tree.kind(member) == .member, tree.first(member) == use else { continue }
            let first = tree.kind(outer) == .call ? tree.argument(outer, 0) : 0
            switch tree.memberName(member) {
            // A nonce allows it.
            case .nonce: return
            case .setAttribute: if isString(first, "nonce", source) { return }
            case .textContent, .innerHTML, .innerText:
                if tree.kind(outer) == .assignment, tree.first(outer) == member { isFilled = true }
            case .append, .appendChild:
                let start = tree.start(first)
                if first != 0, tree.kind(first) == .string || source.holds("document", at: start) {
                    isFilled = true
                }
            default: break
            }
        }
        guard isFilled else { return }
        note(
            .styleByScript, at: nameStart(ofCall: id)..<tree.end(id),
            detail: "createElement('style')")
    }

    // MARK: - Literals

    mutating func markup(ofString id: ID, _ source: Span<UInt8>) {
        let content = tree.content(id)
        let kinds = JavaScriptMarkup.content(of: source, content)
        if kinds.contains(.workerCode) { workerCode(id, source) }
        guard kinds.contains(.addresses) else { return }
        var markup = JavaScriptMarkup()
        markup.read(source, content)
        note(markup.found, in: tree.range(id), of: id, source)
    }

    /// The texts of a template belong together.
    mutating func markup(ofTemplate id: ID, readsFirst: Bool, _ source: Span<UInt8>) {
        var markup = JavaScriptMarkup()
        var isRead = false
        var child = tree.first(id)
        var isFirst = true
        while child != 0 {
            defer {
                child = tree.next(child)
                isFirst = false
            }
            guard tree.kind(child) == .templateText, !isFirst || readsFirst else { continue }
            let content = tree.range(child)
            isRead =
                isRead || JavaScriptMarkup.content(of: source, content).contains(.addresses)
                || isFirst && content.contains { source[$0] == UInt8(ascii: "<") }
            guard isRead else { continue }
            markup.read(source, content)
            note(
                markup.found, in: max(0, content.lowerBound &- 1)..<content.upperBound, of: id,
                source)
        }
    }

    private mutating func note(
        _ found: [JavaScriptMarkup.Address], in range: Range<Int>, of id: ID, _ source: Span<UInt8>
    ) {
        guard !found.isEmpty else { return }
        let isTaken = takesMarkup(id, source)
        let reach = isTaken ? reach(of: id, call: 0, source) : .needed
        for address in found {
            note(
                JavaScriptReference(
                    isTaken ? .asset : .embedded, range: address.range, expression: range,
                    value: address.value, extent: .whole, detail: "markup",
                    isGuarded: reach == .guarded || address.isHandled, isTried: reach == .tried))
        }
    }

    /// The code of a worker in `new Blob(["…"])`, whose own address is not a base for others.
    private mutating func workerCode(_ id: ID, _ source: Span<UInt8>) {
        let list = tree.parent(id)
        let blob = tree.parent(list)
        guard tree.kind(list) == .array, tree.first(list) == id, tree.kind(blob) == .new,
            isNamed(tree.first(blob), .Blob), !tree[id].flags.contains(.escaped)
        else { return }
        let inner = JavaScriptReferences(of: source, in: tree.content(id))
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
                        reference.kind, range: reference.range, expression: tree.range(id),
                        value: reference.value, extent: .whole, detail: reference.detail,
                        isGuarded: reference.isGuarded, isTried: reference.isTried))
            }
            guard colon == nil, !reference.value.isEmpty else { continue }
            note(
                JavaScriptReference(
                    .blobAddress, range: reference.range, expression: tree.range(id),
                    value: reference.value, extent: .whole))
        }
    }

    /// Whether markup or a style sheet in a literal becomes part of the page.
    private func takesMarkup(_ id: ID, _ source: Span<UInt8>) -> Bool {
        let value = expression(startingWith: id)
        let parent = tree.parent(value)
        switch tree.kind(parent) {
        case .assignment:
            let target = tree.first(parent)
            guard tree.second(parent) == value,
                tree.symbol(parent) == .assign || tree.symbol(parent) == .addAssign
            else { return false }
            let isStyle = tree.kind(target) == .member && isNamed(tree.first(target), .style)
            let name = tree.kind(target) == .member ? tree.memberName(target) : tree.name(target)
            return isStyle || name.map { Self.assigned.contains($0) } ?? false
        case .property:
            return tree.name(tree.first(parent)).map { Self.members.contains($0) } ?? false
        case .call, .new:
            let callee = tree.first(parent)
            guard
                let name = tree.kind(callee) == .member
                    ? tree.memberName(callee) : tree.name(callee)
            else { return false }
            let first = tree.argument(parent, 0)
            if first == value { return Self.takingFirst.contains(name) }
            guard tree.next(first) == value, Self.takingSecond.contains(name) else { return false }
            // A custom property is no request.
            return name != .setProperty || tree.kind(first) != .string
                || !source.holds("--", at: tree.content(first).lowerBound)
        default: return false
        }
    }

    private static let assigned: Set<JavaScriptName> = [.innerHTML, .outerHTML, .srcdoc, .cssText]
    private static let takingFirst: Set<JavaScriptName> = [
        .write, .writeln, .html, .append, .prepend, .before, .after, .replaceWith,
        .createContextualFragment, .parseHTML, .insertRule, .dollar, .jQuery,
    ]
    private static let takingSecond: Set<JavaScriptName> = [
        .insertAdjacentHTML, .setProperty, .css, .attr, .setAttribute, .FontFace,
    ]
    private static let members: Set<JavaScriptName> = [
        .__html, .innerHTML, .backgroundImage, .background, .borderImage, .listStyleImage,
        .maskImage, .cursor,
    ]
}
