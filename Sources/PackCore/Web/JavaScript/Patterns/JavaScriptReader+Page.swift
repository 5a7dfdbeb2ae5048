/// APIs that depend on the page's address, its security or its storage.
extension JavaScriptReader {
    static let pagePatterns: [JavaScriptPattern] = [
        JavaScriptPattern(.name, .localStorage, .sessionStorage, .indexedDB) { reader, id, source in
            reader.note(.storage, at: reader.tree.range(id), detail: reader.text(id, source))
        },
        JavaScriptPattern(.name, .caches) { reader, id, source in
            let parent = reader.tree.parent(id)
            let isObject =
                reader.tree.kind(parent) == .member
                && (reader.tree.first(parent) == id
                    || reader.isGlobal(parent)
                        && reader.tree.kind(reader.tree.parent(parent)) == .member)
            if isObject { reader.note(.storage, at: reader.tree.range(id), detail: "caches") }
        },
        JavaScriptPattern(.member, .cookie) { $0.cookie($1, $2) },
        JavaScriptPattern(.member, .geolocation, .mediaDevices, .clipboard) { reader, id, source in
            guard reader.isNamed(reader.tree.first(id), .navigator),
                let name = reader.tree.memberName(id)
            else { return }
            reader.secureContext(id, [name], source)
        },
        JavaScriptPattern(.member, .subtle) { reader, id, source in
            guard reader.isNamed(reader.tree.first(id), .crypto) else { return }
            reader.secureContext(id, [.subtle, .crypto], source)
        },
        JavaScriptPattern(.new, .Notification) { reader, id, source in
            reader.secureContext(reader.tree.first(id), [.Notification], source)
        },
        JavaScriptPattern(.member, .requestPermission) { reader, id, source in
            let object = reader.tree.first(id)
            guard reader.isNamed(object, .Notification) else { return }
            reader.secureContext(object, [.Notification], source)
        },
        JavaScriptPattern(.call, .register) { reader, id, source in
            guard reader.isNamed(reader.object(ofCall: id), .serviceWorker) else { return }
            // The object does not exist if service workers are not available.
            let isGuarded =
                reader.isGuarded(
                    id, by: [.protocol, .isSecureContext, .serviceWorker], triesCount: true, source)
                || reader.tree[reader.tree.first(id)].flags.contains(.optional)
            reader.note(
                .serviceWorker, from: reader.nameStart(ofCall: id),
                addressAt: reader.tree.argument(id, 0), source, isGuarded: isGuarded)
        },
        JavaScriptPattern(.call, .createElementNS, .setAttributeNS) { reader, id, source in
            reader.note(
                .namespace, from: reader.nameStart(ofCall: id),
                addressAt: reader.tree.argument(id, 0), source)
        },
        JavaScriptPattern(.call, .postMessage) { reader, id, source in
            let target = reader.tree.argument(id, 1)
            guard reader.tree.kind(target) == .string,
                reader.string(reader.tree.text(target, source)).contains("://")
            else { return }
            reader.note(
                .messageTarget, from: reader.nameStart(ofCall: id), addressAt: target, source)
        },
        JavaScriptPattern(.call, .getImageData, .toDataURL, .toBlob, .texImage2D) {
            reader, id, source in
            guard reader.object(ofCall: id) != 0 else { return }
            let name = reader.tree.second(reader.tree.first(id))
            reader.note(
                .canvasRead, at: reader.tree.range(name), detail: reader.text(name, source))
        },
        JavaScriptPattern(.call, .createPolicy) { reader, id, source in
            let name = reader.tree.argument(id, 0)
            guard reader.tree.kind(name) == .string else { return }
            reader.note(
                .trustedPolicy, from: reader.nameStart(ofCall: id), addressAt: name, source)
        },
        JavaScriptPattern(.call, .skipWaiting) { reader, id, _ in
            if reader.isNamed(reader.object(ofCall: id), .self) {
                reader.result.isServiceWorker = true
            }
        },
        JavaScriptPattern(.call, .precacheAndRoute) { reader, _, _ in
            reader.result.isServiceWorker = true
        },
        JavaScriptPattern(.member, .origin, .host, .hostname) { reader, id, source in
            guard reader.isNamed(reader.tree.first(id), .location),
                !reader.isAssigned(id)
            else { return }
            let name = reader.tree.second(id)
            reader.note(
                .locationOrigin, at: reader.tree.range(name), detail: reader.text(name, source))
        },
        JavaScriptPattern(.member, .protocol) { $0.protocolMember($1, $2) },
        JavaScriptPattern(.node(.throwStatement)) { reader, id, source in
            guard reader.isConditional(id), reader.runsAtStart(id, source),
                !reader.isGuarded(id, by: [], triesCount: true, source)
            else { return }
            reader.note(.stop, at: reader.tree.range(id))
        },
        JavaScriptPattern(.assignment, .location, .href) { $0.navigation(byAssignment: $1, $2) },
        JavaScriptPattern(.call, .replace, .assign) { reader, id, source in
            let location = reader.object(ofCall: id)
            guard reader.isPageLocation(location) else { return }
            reader.navigation(location, to: reader.tree.argument(id, 0), id, source)
        },
        JavaScriptPattern(.member, .dataset) { reader, id, source in
            let outer = reader.tree.parent(id)
            guard reader.tree.first(outer) == id else { return }
            let name = reader.tree.second(outer)
            let isRead = reader.tree.kind(outer) == .member || reader.tree.kind(name) == .string
            if isRead { reader.lazyAttribute(dataName: name, source) }
        },
        JavaScriptPattern(.call, .data) { reader, id, source in
            let name = reader.tree.argument(id, 0)
            guard reader.object(ofCall: id) != 0,
                let text = reader.written(name, source)?.literals.first,
                reader.tree.kind(text) == .string
            else { return }
            reader.lazyAttribute(dataName: text, source)
        },
    ]

    /// Whether a member is the target of `=` or `+=`.
    func isAssigned(_ id: ID) -> Bool {
        let parent = tree.parent(id)
        return tree.kind(parent) == .assignment && tree.first(parent) == id
            && (tree.symbol(parent) == .assign || tree.symbol(parent) == .addAssign)
    }

    /// An object of secure contexts, if a member of it is used: reading the object itself has no
    /// effect.
    private mutating func secureContext(
        _ id: ID, _ names: Set<JavaScriptName>, _ source: Span<UInt8>
    ) {
        let parent = tree.parent(id)
        let isUsed =
            tree.first(parent) == id
            && [.member, .index, .call, .new].contains(tree.kind(parent))
            && !(tree.kind(parent) == .member && tree[parent].flags.contains(.optional))
        let isOptional = tree.kind(id) == .member && tree[id].flags.contains(.optional)
        // Code that stops watching has started it elsewhere.
        guard isUsed, !isOptional, tree.memberName(parent) != .clearWatch else { return }
        let name = tree.kind(id) == .member ? tree.second(id) : id
        note(
            .secureContext, at: tree.range(name),
            detail: names.count > 1 ? "crypto.subtle" : text(name, source),
            isGuarded: isGuarded(
                id, by: names.union([.isSecureContext, .protocol]), triesCount: true, source))
    }

    /// `document.cookie`, read or written.
    ///
    /// Two libraries access it in forms of their own, regardless of the page: axios joins the
    /// parts, js-cookie returns the assignment.
    private mutating func cookie(_ id: ID, _ source: Span<UInt8>) {
        guard isNamed(tree.first(id), .document) else { return }
        let isWritten = isAssigned(id)
        let assignment = tree.parent(id)
        let value = tree.second(assignment)
        let isLibrary =
            isWritten
            && (tree.kind(value) == .call && tree.memberName(tree.first(value)) == .join
                || tree.kind(tree.parent(assignment)) == .returnStatement)
        note(
            .cookie, at: tree.range(tree.second(id)), detail: isWritten ? "write" : "read",
            isGuarded: isLibrary || isGuarded(id, by: [], triesCount: true, source))
    }

    // MARK: - Location

    /// `location`, alone or as a member of a window.
    func isPageLocation(_ id: ID) -> Bool {
        if tree.name(id) == .location { return true }
        guard tree.memberName(id) == .location else { return false }
        let owner = tree.first(id)
        switch tree.kind(owner) == .member ? tree.memberName(owner) : tree.name(owner) {
        case .window, .document, .self, .top, .parent: return true
        default: return false
        }
    }

    /// `location = "…"`, `location.href = "…"`.
    private mutating func navigation(byAssignment id: ID, _ source: Span<UInt8>) {
        guard tree.symbol(id) == .assign else { return }
        let target = tree.first(id)
        let isHref = tree.memberName(target) == .href
        let location = isHref ? tree.first(target) : target
        guard isPageLocation(location) else { return }
        navigation(location, to: tree.second(id), id, source)
    }

    private mutating func navigation(
        _ location: ID, to address: ID, _ id: ID, _ source: Span<UInt8>
    ) {
        guard written(address, source) != nil else { return }
        let name = tree.kind(location) == .member ? tree.second(location) : location
        note(
            .navigation, from: tree.start(name), addressAt: address, source,
            detail: runsAtStart(id, source) ? JavaScriptReference.atStart : "",
            isGuarded: isSecurityGuarded(id, source))
    }

    /// `location.protocol`, and `url.protocol = "…"`.
    private mutating func protocolMember(_ id: ID, _ source: Span<UInt8>) {
        let object = tree.first(id)
        let parent = tree.parent(id)
        guard isNamed(object, .location) else {
            guard tree.kind(parent) == .assignment, tree.first(parent) == id,
                tree.symbol(parent) == .assign, written(tree.second(parent), source) != nil
            else { return }
            let name = tree.kind(object) == .member ? tree.second(object) : object
            return note(
                .protocolAssignment, from: tree.start(name), addressAt: tree.second(parent), source,
                detail: text(name, source))
        }
        let use = protocolUse(id, source)
        let isHarmless =
            use == "compared" && isProtocolGuard(id)
            || isGuarded(id, by: [.serviceWorker], triesCount: use != "joined", source)
        let start = tree.start(tree.kind(object) == .member ? tree.second(object) : object)
        let next = nextOperand(id)
        if use == "joined", isLiteral(next) {
            var address = written(next, source)
            address?.extent = .part
            if let address {
                return note(
                    .locationProtocol, from: start, address, detail: use, isGuarded: isHarmless)
            }
        }
        note(
            .locationProtocol, at: start..<tree.end(id), detail: use, isGuarded: isHarmless)
    }

    /// Whether a comparison of `location.protocol` controls code, rather than selecting a text:
    /// `location.protocol === "https:" && …`.
    private func isProtocolGuard(_ id: ID) -> Bool {
        var comparison = tree.parent(id)
        var choice = tree.parent(comparison)
        while tree.kind(choice) == .binary, tree.second(choice) == comparison {
            comparison = choice
            choice = tree.parent(comparison)
        }
        return
            !(tree.kind(choice) == .conditional && tree.first(choice) == comparison
            && isLiteral(tree.second(choice)))
    }

    /// The operand after another one in a chain of `+`; 0 if it is the last.
    private func nextOperand(_ id: ID) -> ID {
        let parent = tree.parent(id)
        guard tree.kind(parent) == .binary, tree.symbol(parent) == .add else { return 0 }
        if tree.first(parent) == id { return tree.second(parent) }
        let outer = tree.parent(parent)
        guard tree.kind(outer) == .binary, tree.symbol(outer) == .add, tree.first(outer) == parent
        else { return 0 }
        return tree.second(outer)
    }

    /// The use of `location.protocol`: compared with http or https, joined with more, assigned, or
    /// read otherwise.
    private func protocolUse(_ id: ID, _ source: Span<UInt8>) -> String {
        let parent = tree.parent(id)
        switch tree.kind(parent) {
        case .binary:
            switch tree.symbol(parent) {
            case .same, .equal, .notSame, .notEqual:
                let other = tree.first(parent) == id ? tree.second(parent) : tree.first(parent)
                let isWeb = isLiteral(other) && source.holds("http", at: tree.start(other) &+ 1)
                return isWeb ? "compared" : "read"
            case .add:
                let next = nextOperand(id)
                guard next != 0 else { return "read" }
                // `location.protocol + "//" + location.host` is the page's own web origin.
                let host = nextOperand(next)
                let last = host == 0 ? nextOperand(parent) : host
                let name = tree.memberName(last)
                let isOwn =
                    isNamed(tree.first(last), .location) && (name == .host || name == .hostname)
                return isOwn ? "read" : "joined"
            default: return "read"
            }
        case .assignment:
            return tree.first(parent) == id && tree.symbol(parent) == .assign ? "assigned" : "read"
        default: return "read"
        }
    }

    // MARK: - Attributes for lazy loading

    /// A string with the name of such an attribute, also in a selector: `"img[data-src]"`.
    mutating func lazyAttribute(_ bytes: Span<UInt8>) {
        guard bytes.count < 200, result.lazyAttributes.count < 256 else { return }
        var index = 0
        while index &+ 5 < bytes.count {
            guard bytes[index] == UInt8(ascii: "d"), bytes.holds("data-", at: index) else {
                index &+= 1
                continue
            }
            var end = index
            while end < bytes.count, JavaScriptByte.isName(bytes[end]) || bytes[end] == 0x2D {
                end &+= 1
            }
            result.lazyAttributes.insert((index..<end).map { bytes[$0] })
            index = end
        }
    }

    /// `x.dataset.lazySrc`, `x.dataset["src"]`, and `.data("src")` of jQuery.
    private mutating func lazyAttribute(dataName name: ID, _ source: Span<UInt8>) {
        guard result.lazyAttributes.count < 256 else { return }
        var attribute = Array("data-".utf8)
        for index in tree.content(name).prefix(60) {
            let byte = source[index]
            if byte >= 0x41, byte <= 0x5A {
                attribute += [0x2D, byte | 0x20]
            } else {
                attribute.append(byte)
            }
        }
        result.lazyAttributes.insert(attribute)
    }
}
