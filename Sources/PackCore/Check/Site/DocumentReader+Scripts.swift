import PackGround
import PackProfile
import PackURL
import PackWeb

extension DocumentReader {
    /// Reads the URLs in the file's scripts.
    ///
    /// Whole literals become references; parts of URLs, and literals that are not URLs, stay in
    /// ``DocumentContext/scriptReferences``.
    mutating func readScripts() {
        let maps = importMaps
        for script in context.scripts {
            let found = JavaScriptReferences(
                of: script.bytes.span, goal: script.role == .module ? .module : .unknown,
                surroundings: context.profile.surroundings)
            context.scriptReferences.append(found)
            // A public path computed at run time replaces an earlier literal.
            let publicPaths = found.references.filter {
                $0.kind == .publicPath && $0.form != .vite
            }
            let publicPath =
                publicPaths.first { $0.form == .webpackAuto || $0.extent == .prefix }
                ?? publicPaths.first
            let asksItself = found.references.contains {
                $0.kind == .chunk || $0.kind == .publicAsset
            }
            for map in found.openMaps {
                let (prefix, base) = chunkBase(publicPath, script)
                let literal = publicPath.flatMap { path in
                    asksItself || path.form != .webpack || path.extent != .whole ? nil : path
                }
                context.openMaps.append(
                    .init(
                        map: map, range: script.fileRange(of: map.range), publicPath: prefix,
                        base: base, publicPathRange: literal.map { script.fileRange(of: $0.range) })
                )
            }
            let isFallback = isErrorHandler(script)
            let outer = outerCode(of: script, found.references)
            for reference in found.references where reference.extent == .whole {
                guard let use = use(of: reference) else { continue }
                let (value, base) = address(
                    of: reference, script, publicPath,
                    isAtOnce: outer.contains(reference.range.lowerBound))
                let mapped =
                    use == .subresource ? self.mapped(reference.kind, value, base, maps) : nil
                add(
                    .script(reference.kind), use, value: mapped ?? value,
                    range: script.fileRange(of: reference.range),
                    holder: reference.isJoined || mapped != nil ? .nested : .literal,
                    traits: traits(
                        of: reference, script, isFallback: isFallback || found.isServiceWorker),
                    base: base)
            }
        }
    }

    /// The maps that apply to the file's modules.
    private var importMaps: [ImportMap] {
        context.importMap.map { $0.mapsAddresses ? [$0] : [] } ?? context.site.importMaps.all
    }

    /// The URL that an import map gives to an imported address; `nil` without an entry.
    private func mapped(
        _ kind: JavaScriptReference.Kind, _ value: [UInt8], _ base: URLRecord?, _ maps: [ImportMap]
    ) -> [UInt8]? {
        guard !maps.isEmpty, kind == .staticImport || kind == .dynamicImport,
            let name = URLRecord.parse(value, base: base)?.serialized()
        else { return nil }
        for map in maps {
            if case .address(let url, _) = map.lookUp(name, from: context.url) {
                return url.serialized()
            }
        }
        return nil
    }

    /// Whether a script runs only after a failed load, or never.
    private func isErrorHandler(_ script: ScriptText) -> Bool {
        guard let number = script.fragment, let html = context.html else { return false }
        let fragment = html.fragments[number]
        // Only browsers without module support run it.
        if context.has("nomodule", html.elements[fragment.element]) { return true }
        guard script.role == .eventHandler, let name = fragment.attribute?.name else {
            return false
        }
        return context.bytes[within: name].elementsEqual("onerror".utf8)
    }

    /// Whether a script runs on a user action: `onclick`.
    private func isOnDemand(_ script: ScriptText) -> Bool {
        guard script.role == .eventHandler, let number = script.fragment,
            let name = context.html?.fragments[number].attribute?.name
        else { return false }
        return ["onclick", "onsubmit", "ontouchstart", "ontouchend", "onpointerup", "onchange"]
            .contains { context.bytes[within: name].elementsEqual($0.utf8) }
    }

    private func traits(
        of reference: JavaScriptReference, _ script: ScriptText, isFallback: Bool
    ) -> Reference.Traits {
        let isLate = script.fragment == nil && Self.isRelative(reference.value)
        let isGuarded = reference.isGuarded || isFallback
        let reach: Reference.Traits =
            isGuarded
            ? [.guarded, .unasked]
            : reference.isTried || reference.isLikely || isOnDemand(script) ? .spare : []
        switch reference.kind {
        case .chunk: return .ineffective
        case .staticImport: return reference.detail == "typed" ? .typed : []
        case .dynamicImport: return reference.detail == "typed" ? reach.union(.typed) : reach
        case .literal: return reference.detail == "compared" ? .compared : []
        case .moduleURL where reference.detail == JavaScriptReference.requested:
            return reach.union(.requested)
        case .asset:
            return isGuarded ? [.guarded, .ineffective] : isLate ? reach.union(.late) : reach
        case .worker, .importScripts, .fetch, .request, .ajax, .ajaxBase, .eventSource:
            return isLate ? reach.union(.late) : reach
        default: return reach
        }
    }

    /// Whether a URL is relative to a directory.
    private static func isRelative(_ value: [UInt8]) -> Bool {
        guard let first = value.first(where: { $0 > 0x20 }) else { return false }
        return !"/\\#?".utf8.contains(first) && Reference.scheme(of: value) == nil
    }

    private func use(of reference: JavaScriptReference) -> ReferenceUse? {
        switch reference.kind {
        case .literal where reference.detail == JavaScriptReference.key: nil
        case .literal, .embedded, .publicAsset: .literal
        case .asset: .subresource
        case .staticImport, .dynamicImport:
            Self.isAddress(reference.value) ? .subresource : .identifier
        // A directory relative to the module is a base for other URLs.
        case .moduleURL:
            reference.value.last == UInt8(ascii: "/") || reference.value.last == UInt8(ascii: ".")
                ? .inert : .subresource
        case .worker, .importScripts, .workerModuleURL, .chunk, .preloadDependency: .subresource
        case .fetch, .request, .ajax, .ajaxBase, .eventSource, .webSocket: .request
        case .beacon: .beacon
        case .windowOpen, .navigation: .navigation
        case .namespace: .identifier
        case .newURL: .literal
        case .serviceWorker, .history, .publicPath, .sourceMap, .messageTarget, .blobAddress: .inert
        case .documentWrite, .stop, .locationProtocol, .locationOrigin, .protocolAssignment,
            .urlOrigin,
            .absoluteTest, .cookie, .secureContext, .storage, .canvasRead, .codeFromString,
            .webAssembly, .sharedMemory, .styleByScript, .trustedSink, .trustedPolicy,
            .serverTemplate, .unread:
            nil
        }
    }

    /// The URL of a reference and its base.
    private func address(
        of reference: JavaScriptReference, _ script: ScriptText,
        _ publicPath: JavaScriptReference?, isAtOnce: Bool
    ) -> (value: [UInt8], base: URLRecord?) {
        switch reference.kind {
        case .staticImport, .dynamicImport, .moduleURL, .workerModuleURL, .importScripts,
            .sourceMap:
            return (
                reference.value,
                context.base(at: script.fileRange(of: reference.range).lowerBound)
            )
        case .chunk: return chunkAddress(reference, script, publicPath)
        case .publicAsset: return publicAssetAddress(reference, script, publicPath)
        case .preloadDependency: return (reference.value, preloadBase(reference.value))
        case .literal, .embedded:
            // Relative to the page, unless the file only exists relative to the script.
            let page = pageURL(script)
            let resolver = context.site.resolver
            if script.fragment == nil, resolver.resolve(reference.value, from: page).twin == nil,
                resolver.resolve(reference.value, from: context.url).twin != nil
            {
                return (reference.value, context.url)
            }
            return (reference.value, page)
        default:
            let base = isAtOnce ? context.url : requestBase(reference, script)
            return (reference.value, base)
        }
    }

    /// The offsets of requests that a script makes before the parser reaches the page's `base`.
    private func outerCode(
        of script: ScriptText, _ references: [JavaScriptReference]
    ) -> Set<Int> {
        guard let baseStart = context.baseStart, script.fragment != nil, script.role == .classic
        else { return [] }
        let places = references.filter {
            switch $0.kind {
            case .fetch, .request, .ajax, .eventSource, .worker, .asset:
                $0.extent == .whole && script.fileRange(of: $0.range).lowerBound < baseStart
            default: false
            }
        }
        return JavaScriptOuterCode.places(
            places.map(\.range.lowerBound).sorted(), of: script.bytes.span)
    }

    /// The base URL of a request in a script.
    ///
    /// A function in a script before the page's `base` may run at once, and use the page's URL, or
    /// later. Modules run after the whole page has been parsed.
    private func requestBase(
        _ reference: JavaScriptReference, _ script: ScriptText
    ) -> URLRecord? {
        let (resolver, last) = (context.site.resolver, pageURL(script))
        guard script.fragment != nil, script.role != .module,
            !context.isFromBase(script.fileRange(of: reference.range).lowerBound),
            resolver.resolve(reference.value, from: last).isMiss
        else { return last }
        return context.url
    }

    /// The page running a script: the one containing it, or the launch page.
    func pageURL(_ script: ScriptText) -> URLRecord? {
        if script.fragment != nil { return context.baseURL }
        guard let launch = try? AssetPath(context.profile.launch) else { return context.url }
        return context.profile.url(of: launch) ?? context.url
    }
}
